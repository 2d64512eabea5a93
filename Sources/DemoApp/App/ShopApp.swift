import AppHarness

/// The app: its window, and what the system tells it.
@MainActor public final class ShopApp {
  private let dependencies: Dependencies
  private let navigation = NavigationController()
  private let cart: CartViewModel

  public init(_ dependencies: Dependencies) {
    self.dependencies = dependencies
    cart = CartViewModel(clock: dependencies.clock)
    navigation.push(searchResult())
  }

  /// What is on screen.
  public var window: Element {
    let toast = cart.toast.map { Element.label(AccessibilityID.Common.cartToast, $0) }
    return Element(
      ElementKind.window.rawValue, children: [navigation.top?.view, toast].compactMap { $0 })
  }

  public func didEnterBackground() { navigation.didEnterBackground() }

  public func willEnterForeground() { navigation.willEnterForeground() }

  /// Moves what is on screen by a finger's way that is shorter than a swipe.
  public func drag(by points: Double) {
    (navigation.top as? any Draggable)?.drag(by: points)
  }

  private func searchResult() -> any ViewController {
    let model = SearchResultViewModel(
      repository: dependencies.search, tracker: dependencies.tracker, cart: cart,
      clock: dependencies.clock)
    model.onOpen = { [navigation] item in
      navigation.push(ProductViewController(item: item) { navigation.pop() })
    }
    return SearchResultViewController(model: model)
  }
}
