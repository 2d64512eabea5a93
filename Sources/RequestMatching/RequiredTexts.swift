/// The texts that are in everything that a regular expression matches, as far as that is easily seen: those
/// outside of sets and of what may be absent. In doubt it finds fewer; they only save work.
struct RequiredTexts {
  /// A text; or alternatives, each with what is in it, of which one is there.
  enum Part: Equatable {
    case text([UInt8])
    case any([[Part]])
  }

  private(set) var parts: [Part] = []
  private var text = ""
  private var rest: Substring.UnicodeScalarView

  init(of pattern: String) {
    rest = pattern.unicodeScalars[...]
    var whole = self
    if let found = whole.alternatives(isInGroup: false) {
      parts = found
    } else if !RegularExpressionSyntax.hasAlternatives(pattern) {
      while let scalar = rest.popFirst(), take(scalar) {}
      endText()
    }
  }

  /// Takes all that follows, or all to the end of a group, and sets off alternatives.
  ///
  /// - Returns: `nil` where something of it can't be understood.
  private mutating func alternatives(isInGroup: Bool) -> [Part]? {
    (parts, text) = ([], "")
    var sides: [[Part]] = []
    var isClosed = false
    while !isClosed, let scalar = rest.popFirst() {
      switch scalar {
      case "|":
        endText()
        sides.append(parts)
        parts = []
      case ")": isClosed = true
      default: guard take(scalar) else { return nil }
      }
    }
    guard isClosed == isInGroup else { return nil }
    endText()
    sides.append(parts)
    if sides.count == 1 { return parts }
    return sides.contains { $0.isEmpty } ? [] : [.any(sides)]
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
      return takeGroup()
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
    if !text.isEmpty { parts.append(.text(Array(text.utf8))) }
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

  /// What is in a group is needed unless the group may be absent.
  private mutating func takeGroup() -> Bool {
    var group = self
    let isPlain = group.rest.first != "?"
    if group.rest.starts(with: "?:".unicodeScalars) { group.rest = group.rest.dropFirst(2) }
    guard isPlain || group.rest.first != "?", let found = group.alternatives(isInGroup: true)
    else { return skipGroup() }
    rest = group.rest
    if rest.first.map("?*{".unicodeScalars.contains) != true { parts += found }
    return true
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
