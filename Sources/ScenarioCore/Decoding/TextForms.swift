import SourceText

/// The forms of the strings that scenario files contain.
enum TextForms {
  static let elementPath = TextForm("an element path", pattern: "^\(segment)(/\(segment))*$")
  static let absoluteURL = TextForm("an absolute URL", pattern: #"^[A-Za-z][A-Za-z0-9+.-]*:\S*$"#)
  static let payloadFile = TextForm("the name of an .apns file", pattern: #"\.apns$"#)

  private static let segment = #"([A-Za-z]+:)?([^/:\[\]\\]|\\[/:\[\]\\])+(\[[0-9]+\])?"#
}
