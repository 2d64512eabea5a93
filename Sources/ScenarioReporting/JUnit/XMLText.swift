/// Escapes text for XML 1.0.
enum XMLText {
  /// With the blank before it.
  static func attribute(_ name: String, _ value: String) -> String {
    " \(name)=\"\(escaped(value, isAttribute: true))\""
  }

  /// For an element's text and for an attribute in double quotes; what XML 1.0 forbids, and terminal
  /// escapes, are removed.
  static func escaped(_ text: String, isAttribute: Bool = false) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in TerminalEscapes.removed(from: text).unicodeScalars where isAllowed(scalar) {
      defer { previous = scalar }
      switch scalar {
      // The marks of CI servers' commands, for a report that is written to stdout.
      case "#" where previous == "#": result += "&#35;"
      case ":" where previous == ":": result += "&#58;"
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"" where isAttribute: result += "&quot;"
      case "\n" where isAttribute: result += "&#10;"
      case "\t" where isAttribute: result += "&#9;"
      case "\r": result += "&#13;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The characters of XML 1.0 (fifth edition), section 2.2; the discouraged controls go as well.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x85: true
    case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD: !(0xFDD0...0xFDEF).contains(scalar.value)
    case 0x10000...0x10FFFF: scalar.value & 0xFFFE != 0xFFFE
    default: false
    }
  }
}
