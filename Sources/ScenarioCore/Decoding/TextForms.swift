import SourceText

/// The forms of the strings that scenario files contain.
enum TextForms {
  static let elementPath = TextForm("an element path", pattern: "^\(segment)(/\(segment))*$")
  static let absoluteURL = TextForm("an absolute URL", pattern: #"^[A-Za-z][A-Za-z0-9+.-]*:\S*$"#)
  static let date = TextForm(
    "a date like 2026-01-01T00:00:00Z",
    pattern: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:[0-9]{2})$"#)
  static let payloadFile = TextForm("the name of an .apns file", pattern: #"\.apns$"#)

  /// Anything that isn't empty and doesn't stand for all names.
  static let parameterName = TextForm("the name of a query parameter", pattern: "[^*]")
  static let host = TextForm("a host", pattern: #"^([^\s/:?#@\[\]]+|\[[0-9A-Fa-f:.*]+\])$"#)

  /// The same as the form's pattern.
  static func isHost(_ text: String) -> Bool {
    let isAddress = text.hasPrefix("[") && text.hasSuffix("]") && text.count > 2
    if isAddress {
      return text.dropFirst().dropLast().allSatisfy { $0.isHexDigit || ":.*".contains($0) }
    }
    return !text.isEmpty && !text.contains { $0.isWhitespace || "/:?#@[]".contains($0) }
  }

  private static let segment = #"([A-Za-z]+:)?([^/:\[\]\\]|\\[/:\[\]\\])+(\[[0-9]+\])?"#
}
