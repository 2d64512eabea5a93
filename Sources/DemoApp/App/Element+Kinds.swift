import AppHarness

extension Element {
  init(
    _ type: ElementType, _ identifier: some RawRepresentable<String>, label: String = "",
    value: String? = nil, isVisible: Bool = true, isFocused: Bool = false,
    children: [Element] = []
  ) {
    self.init(
      type, identifier.rawValue, label: label, value: value, isVisible: isVisible,
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
