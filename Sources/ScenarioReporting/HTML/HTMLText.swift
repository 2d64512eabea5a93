/// Text inside HTML.
struct HTMLText {
  let outlet: Outlet

  init(_ outlet: Outlet) {
    self.outlet = outlet
  }

  /// One line, for an element or an attribute in quotes; what is not shown as it is is escaped
  /// visibly.
  func line(_ text: String) -> String { Self.escaped(outlet.line(text)) }

  /// One line, cut where nobody would read on.
  func short(_ text: String) -> String {
    let shown = outlet.line(text)
    let limit = 4000
    guard shown.utf8.count > limit, shown.count > limit else { return Self.escaped(shown) }
    return Self.escaped(String(shown.prefix(limit))) + "… (\(shown.count) characters)"
  }

  /// Several lines, for `pre`.
  func lines(_ text: String) -> String {
    outlet.lines(text).map(Self.escaped).joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: isSpecial) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }
}
