/// One item: exactly one outcome for each request, and a retry that asks exactly once.
@MainActor package final class ItemDetailViewModel {
  package enum State: Sendable, Equatable {
    case loading
    case shown(Item)
    case failed(ItemError)
  }

  package private(set) var state = State.loading
  /// Called when the item is shown.
  package var onShown: @MainActor (Item) -> Void = { _ in }
  private let id: Int
  private let repository: any ItemRepository
  private var loading: Task<Void, Never>?

  package init(id: Int, repository: any ItemRepository) {
    self.id = id
    self.repository = repository
  }

  package func viewDidLoad() { load() }

  /// Clears the error and asks again; does nothing unless there is an error.
  package func retry() {
    guard case .failed = state else { return }
    load()
  }

  /// Leaving while it loads: nothing changes afterwards.
  package func viewDidDisappear() {
    loading?.cancel()
  }

  private func load() {
    state = .loading
    loading = Task {
      let outcome = await Self.outcome(of: id, from: repository)
      if !Task.isCancelled { show(outcome) }
    }
  }

  private func show(_ outcome: State) {
    state = outcome
    if case .shown(let item) = outcome { onShown(item) }
  }

  private static func outcome(of id: Int, from repository: any ItemRepository) async -> State {
    do {
      return .shown(try await repository.item(id: id))
    } catch {
      return .failed(error)
    }
  }
}
