import HarnessProtocol

/// Something on screen, as a user and XCUITest see it, with what happens when it is used.
///
///     Element("Button", "cartButton", label: "Cart").onTap { viewModel.didTapCart() }
@MainActor public struct Element {
  /// As `Button`, `Cell`, `StaticText`: what a path can name before the identifier.
  public var type: String
  /// The accessibility identifier.
  public var identifier: String
  public var label: String
  public var value: String?
  public var isEnabled: Bool
  /// Whether it lies on the visible part of the screen.
  public var isVisible: Bool
  /// Whether it takes text that is typed without naming a field.
  public var isFocused: Bool
  public var children: [Element]

  var tap: (@MainActor () -> Void)?
  var doubleTap: (@MainActor () -> Void)?
  var longPress: (@MainActor (Duration) -> Void)?
  var swipe: (@MainActor (SwipeDirection) -> Void)?
  var typeText: (@MainActor (String) -> Void)?
  var clearText: (@MainActor () -> Void)?

  public init(
    _ type: String, _ identifier: String = "", label: String = "", value: String? = nil,
    isEnabled: Bool = true, isVisible: Bool = true, isFocused: Bool = false,
    children: [Element] = []
  ) {
    self.type = type
    self.identifier = identifier
    self.label = label
    self.value = value
    self.isEnabled = isEnabled
    self.isVisible = isVisible
    self.isFocused = isFocused
    self.children = children
  }
}

extension Element {
  /// What the runner gets to see of it.
  var described: ScreenElement {
    ScreenElement(
      type: type, identifier: identifier, label: label, value: value, isEnabled: isEnabled,
      isVisible: isVisible, children: children.map(\.described))
  }
}

/// Where a finger goes.
public typealias SwipeDirection = HarnessProtocol.SwipeDirection

extension Element {
  public func onTap(_ action: @escaping @MainActor () -> Void) -> Element {
    with { $0.tap = action }
  }

  /// Without it a double tap is two taps.
  public func onDoubleTap(_ action: @escaping @MainActor () -> Void) -> Element {
    with { $0.doubleTap = action }
  }

  public func onLongPress(_ action: @escaping @MainActor (Duration) -> Void) -> Element {
    with { $0.longPress = action }
  }

  /// Pages or scrolls; a swipe on something inside it comes here too.
  public func onSwipe(_ action: @escaping @MainActor (SwipeDirection) -> Void) -> Element {
    with { $0.swipe = action }
  }

  /// Takes text that is appended to what is there.
  public func onTypeText(_ action: @escaping @MainActor (String) -> Void) -> Element {
    with { $0.typeText = action }
  }

  public func onClearText(_ action: @escaping @MainActor () -> Void) -> Element {
    with { $0.clearText = action }
  }

  private func with(_ change: (inout Element) -> Void) -> Element {
    var copy = self
    change(&copy)
    return copy
  }
}
