/// One notification: it is loaded, then marked as read once.
@MainActor package final class NotificationDetailViewModel {
  package enum State: Equatable {
    case loading
    case loaded(NotificationDetail)
    case failed
  }

  package private(set) var state = State.loading
  private let id: String
  private let repository: any NotificationRepository
  private let router: LinkRouter

  package init(id: String, repository: any NotificationRepository, router: LinkRouter) {
    self.id = id
    self.repository = repository
    self.router = router
  }

  package func viewDidLoad() {
    Task { await load() }
  }

  /// The "go" button; without a link it does nothing.
  package func go() {
    guard case .loaded(let detail) = state, let link = detail.link else { return }
    router.route(link)
  }

  private func load() async {
    do {
      state = .loaded(try await repository.detail(id: id))
    } catch {
      state = .failed
      return
    }
    try? await repository.markRead(id: id)
  }
}
