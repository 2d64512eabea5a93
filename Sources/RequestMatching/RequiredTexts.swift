/// The texts that are in everything that a regular expression matches, as far as that is easily seen: those
/// outside of parentheses and sets. In doubt it finds fewer; they only save work.
struct RequiredTexts {
  private(set) var texts: [[UInt8]] = []
  private var text = ""
  private var rest: Substring.UnicodeScalarView

  init(of pattern: String) {
    rest = pattern.unicodeScalars[...]
    if RegularExpressionSyntax.hasAlternatives(pattern) { return }
    while let scalar = rest.popFirst(), take(scalar) {}
    endText()
  }

  /// - Returns: whether what follows can be understood.
  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", "^", "$", "?", "*", "+":
      endText()
      return true
    case "{":
      endText()
      return skip(through: "}")
    case "(":
      endText()
      return skipGroup()
    case "[":
      endText()
      return skipSet()
    case "\\": return takeEscape()
    case ")", "]", "}", "|", "\u{FFFD}": return false
    default:
      append(scalar)
      return true
    }
  }

  /// A single character, unless it may be absent or repeated.
  private mutating func append(_ scalar: Unicode.Scalar) {
    if let next = rest.first, RegularExpressionSyntax.quantifiers.contains(next) {
      endText()
    } else {
      text.unicodeScalars.append(scalar)
    }
  }

  private mutating func endText() {
    if !text.isEmpty { texts.append(Array(text.utf8)) }
    text = ""
  }

  private mutating func takeEscape() -> Bool {
    guard let next = rest.popFirst() else { return false }
    if RegularExpressionSyntax.escapable.contains(next) {
      append(next)
      return true
    }
    endText()
    return Self.classes.contains(next)
  }

  /// Escapes of one letter, which stand for no certain character.
  private static let classes = Set("dDwWsSbBAzZ".unicodeScalars)

  private mutating func skip(through end: Unicode.Scalar) -> Bool {
    while let scalar = rest.popFirst() { if scalar == end { return true } }
    return false
  }

  /// Flags such as `(?i)` change what the rest means.
  private mutating func skipGroup() -> Bool {
    if rest.first == "?", rest.dropFirst().first != ":" { return false }
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": guard skipEscape() else { return false }
      case "[": guard skipSet() else { return false }
      case "(": guard skipGroup() else { return false }
      case ")": return true
      default: break
      }
    }
    return false
  }

  private mutating func skipSet() -> Bool {
    if rest.first == "^" { rest.removeFirst() }
    if rest.first == "]" { return false }
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": guard skipEscape() else { return false }
      case "[": guard skipSet() else { return false }
      case "]": return true
      default: break
      }
    }
    return false
  }

  /// A quotation (`\Q`) may hold any brackets.
  private mutating func skipEscape() -> Bool {
    rest.popFirst().map { $0 != "Q" && $0 != "E" } ?? false
  }
}
