import Foundation

/// A result of modules: their items are exposed, tapped and put into the cart.
@MainActor final class SearchResultViewModel {
  enum State: Equatable {
    case loading
    case shown
    case empty
    case failed
  }

  /// How long the transition to a product takes; taps during it go nowhere.
  static let transitionTime = Duration.milliseconds(350)

  private(set) var state = State.loading
  private(set) var modules: [SearchModule] = []
  private(set) var query = ""
  /// Called when a product is to be shown.
  var onOpen: @MainActor (SearchItem) -> Void = { _ in }
  /// Called when an ad has been tapped.
  var onAdTap: @MainActor (SearchItem, ItemPosition) -> Void = { _, _ in }

  private(set) var layout = ResultLayout([])
  private let repository: any SearchRepository
  private let tracker: any AdTracking
  private let cart: CartViewModel
  private let clock: any Clock<Duration>
  private let cartTaps: TapGuard<ItemPosition>
  private lazy var exposures = ExposureMonitor<ItemPosition>(clock: clock) { [weak self] in
    self?.trackImpression(at: $0)
  }
  private var isOnScreen = false
  private var isOpening = false
  /// Grows with each search: an answer to an earlier one is told by it, and dropped.
  private var generation = 0

  init(
    repository: any SearchRepository, tracker: any AdTracking, cart: CartViewModel,
    clock: any Clock<Duration>
  ) {
    self.repository = repository
    self.tracker = tracker
    self.cart = cart
    self.clock = clock
    cartTaps = TapGuard(clock: clock)
  }

  // MARK: What the screen tells

  func viewDidLoad() { load() }

  func viewDidAppear() {
    isOnScreen = true
    updateExposures()
  }

  /// Leaving the screen ends all exposures.
  func viewDidDisappear() {
    isOnScreen = false
    exposures.endAll()
  }

  func search(_ query: String) {
    self.query = query
    load()
  }

  /// Asks again for the same; what is shown then is exposed anew.
  func refresh() { load() }

  func scroll(by points: Double) {
    layout.scroll(by: points)
    updateExposures()
  }

  func moveCarousel(_ module: Int, by points: Double) {
    layout.moveCarousel(module, by: points)
    updateExposures()
  }

  func tapItem(at position: ItemPosition) {
    guard !isOpening, let item = item(at: position) else { return }
    isOpening = true
    if let url = item.tracking?.click {
      tracker.track(url)
      onAdTap(item, position)
    }
    Task { [clock] in
      try? await clock.sleep(for: Self.transitionTime)
      isOpening = false
      onOpen(item)
    }
  }

  func tapCart(at position: ItemPosition) {
    guard let item = item(at: position), cartTaps.accepts(position) else { return }
    cart.add()
    if let url = item.tracking?.cart { tracker.track(url) }
  }

  // MARK: -

  func item(at position: ItemPosition) -> SearchItem? {
    guard modules.indices.contains(position.module),
      modules[position.module].items.indices.contains(position.item)
    else { return nil }
    return modules[position.module].items[position.item]
  }

  private func trackImpression(at position: ItemPosition) {
    if let url = item(at: position)?.tracking?.impression { tracker.track(url) }
  }

  private func updateExposures() {
    if isOnScreen { exposures.update(layout.visibleFractions) }
  }

  private func load() {
    generation += 1
    let (query, generation) = (query, generation)
    show([], .loading)
    Task {
      let result = try? await repository.search(query)
      guard generation == self.generation else { return }
      show(result)
    }
  }

  private func show(_ result: SearchResult?) {
    guard let result else {
      show([], .failed)
      return
    }
    let isEmpty = result.modules.allSatisfy(\.items.isEmpty)
    show(result.modules, isEmpty ? .empty : .shown)
  }

  private func show(_ modules: [SearchModule], _ state: State) {
    self.modules = modules
    self.state = state
    layout = ResultLayout(modules)
    updateExposures()
  }
}
