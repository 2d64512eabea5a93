import HarnessProtocol

/// Something on screen, as a user and XCUITest see it, with what happens when it is used.
///
///     Element(.button, "cartButton", label: "Cart").onTap { viewModel.didTapCart() }
@MainActor public struct Element {
  /// What a path can name before the identifier.
  public var type: ElementType
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
    _ type: ElementType, _ identifier: String = "", label: String = "", value: String? = nil,
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
      type: type.rawValue, identifier: identifier, label: label, value: value, isEnabled: isEnabled,
      isVisible: isVisible, children: children.map(\.described))
  }
}

/// What kind of view an element is: XCUITest's words, and your own.
///
///     extension ElementType { static let rating = ElementType("Rating") }
public struct ElementType: RawRepresentable, Hashable, Sendable {
  /// As a path names it, where capitals make no difference: `button:cartButton`.
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ name: String) { rawValue = name }

  public static let activityIndicator = Self("ActivityIndicator")
  public static let alert = Self("Alert")
  public static let button = Self("Button")
  public static let cell = Self("Cell")
  public static let collectionView = Self("CollectionView")
  public static let datePicker = Self("DatePicker")
  public static let group = Self("Group")
  public static let image = Self("Image")
  public static let link = Self("Link")
  public static let map = Self("Map")
  public static let menu = Self("Menu")
  public static let menuItem = Self("MenuItem")
  public static let navigationBar = Self("NavigationBar")
  public static let other = Self("Other")
  public static let pageIndicator = Self("PageIndicator")
  public static let picker = Self("Picker")
  public static let progressIndicator = Self("ProgressIndicator")
  public static let scrollView = Self("ScrollView")
  public static let searchField = Self("SearchField")
  public static let secureTextField = Self("SecureTextField")
  public static let segmentedControl = Self("SegmentedControl")
  public static let sheet = Self("Sheet")
  public static let slider = Self("Slider")
  public static let staticText = Self("StaticText")
  public static let stepper = Self("Stepper")
  public static let `switch` = Self("Switch")
  public static let tabBar = Self("TabBar")
  public static let table = Self("Table")
  public static let textField = Self("TextField")
  public static let textView = Self("TextView")
  public static let toolbar = Self("Toolbar")
  public static let webView = Self("WebView")
  public static let window = Self("Window")
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
