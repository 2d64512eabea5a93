/// One item: exactly one outcome for each request, and a retry that asks exactly once.
@MainActor final class ItemDetailViewModel {
  enum State: Sendable, Equatable {
    case loading
    case shown(Item)
    case failed(ItemError)
  }

  private(set) var state = State.loading
  /// Called when the item is shown.
  var onShown: @MainActor (Item) -> Void = { _ in }
  private let id: Int
  private let repository: any ItemRepository
  private var loading: Task<Void, Never>?

  init(id: Int, repository: any ItemRepository) {
    self.id = id
    self.repository = repository
  }

  func viewDidLoad() { load() }

  /// Clears the error and asks again; does nothing unless there is an error.
  func retry() {
    guard case .failed = state else { return }
    load()
  }

  /// Leaving while it loads: nothing changes afterwards.
  func viewDidDisappear() {
    loading?.cancel()
  }

  private func load() {
    state = .loading
    loading = Task {
      let outcome: State
      do throws(ItemError) {
        outcome = .shown(try await repository.item(id: id))
      } catch {
        outcome = .failed(error)
      }
      if !Task.isCancelled { show(outcome) }
    }
  }

  private func show(_ outcome: State) {
    state = outcome
    if case .shown(let item) = outcome { onShown(item) }
  }
}
