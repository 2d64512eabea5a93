/// One item: exactly one outcome for each request, and a retry that asks exactly once.
@MainActor public final class ItemDetailViewModel {
  public enum State: Sendable, Equatable {
    case loading
    case shown(Item)
    case failed(ItemError)
  }

  public private(set) var state = State.loading
  /// Called when the item is shown.
  public var onShown: @MainActor (Item) -> Void = { _ in }
  private let id: Int
  private let repository: any ItemRepository
  private var loading: Task<Void, Never>?

  public init(id: Int, repository: any ItemRepository) {
    self.id = id
    self.repository = repository
  }

  public func viewDidLoad() { load() }

  /// Clears the error and asks again; does nothing unless there is an error.
  public func retry() {
    guard case .failed = state else { return }
    load()
  }

  /// Leaving while it loads: nothing changes afterwards.
  public func viewDidDisappear() {
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
