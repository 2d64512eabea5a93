/// The inbox: what came to this device, above what the server lists.
@MainActor final class NotificationListViewModel {
  /// A line of the inbox.
  struct Row {
    var id: String
    var title: String
    var isRead: Bool
  }

  private(set) var listed: [NotificationSummary] = []
  private(set) var hasFailed = false
  private let inbox: NotificationInbox
  private let repository: any NotificationRepository
  private let router: LinkRouter
  private var nextPage = 0
  private var isLoading = false
  private var isComplete = false

  init(
    inbox: NotificationInbox, repository: any NotificationRepository, router: LinkRouter
  ) {
    self.inbox = inbox
    self.repository = repository
    self.router = router
  }

  /// Each notification once, the newest first.
  var rows: [Row] {
    let received = inbox.received.map { Row(id: $0.id, title: $0.aps.alert.title, isRead: false) }
    let known = Set(received.map(\.id))
    return received
      + listed.filter { !known.contains($0.id) }
      .map { Row(id: $0.id, title: $0.title, isRead: $0.isRead) }
  }

  func select(_ id: String) { router.route(.detail(id: id)) }

  /// Asks for the next page, unless one is on its way or all are here.
  func loadNextPage() {
    guard !isLoading, !isComplete else { return }
    isLoading = true
    Task {
      await load(page: nextPage)
      isLoading = false
    }
  }

  private func load(page: Int) async {
    do {
      let summaries = try await repository.notifications(page: page)
      listed += summaries
      nextPage = page + 1
      isComplete = summaries.count < LiveNotificationRepository.pageSize
      hasFailed = false
    } catch {
      hasFailed = true
    }
  }
}

/// One notification: it is loaded, then marked as read once.
@MainActor final class NotificationDetailViewModel {
  enum State {
    case loading
    case loaded(NotificationDetail)
    case failed
  }

  private(set) var state = State.loading
  private let id: String
  private let repository: any NotificationRepository
  private let router: LinkRouter

  init(id: String, repository: any NotificationRepository, router: LinkRouter) {
    self.id = id
    self.repository = repository
    self.router = router
  }

  func viewDidLoad() {
    Task { await load() }
  }

  /// The "go" button; without a link it does nothing.
  func go() {
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
