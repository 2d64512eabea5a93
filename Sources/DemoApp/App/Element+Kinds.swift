import AppHarness

/// What kind of view an element is, after XCUITest's words.
enum ElementKind: String {
  case activityIndicator = "ActivityIndicator"
  case alert = "Alert"
  case button = "Button"
  case cell = "Cell"
  case image = "Image"
  case other = "Other"
  case scrollView = "ScrollView"
  case staticText = "StaticText"
  case textField = "TextField"
  case window = "Window"
}

extension Element {
  init(
    _ kind: ElementKind, _ identifier: some RawRepresentable<String>, label: String = "",
    value: String? = nil, isVisible: Bool = true, isFocused: Bool = false,
    children: [Element] = []
  ) {
    self.init(
      kind.rawValue, identifier.rawValue, label: label, value: value, isVisible: isVisible,
      isFocused: isFocused, children: children)
  }

  static func label(_ identifier: some RawRepresentable<String>, _ text: String) -> Element {
    Element(.staticText, identifier, label: text)
  }

  static func button(
    _ identifier: some RawRepresentable<String>, _ title: String,
    tap: @escaping @MainActor () -> Void
  ) -> Element {
    Element(.button, identifier, label: title).onTap(tap)
  }

  /// Shows that something is being loaded.
  static var loading: Element {
    Element(.activityIndicator, AccessibilityID.Common.loadingView)
  }
}
