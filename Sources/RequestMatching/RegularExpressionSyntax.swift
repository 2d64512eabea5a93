/// As much of the syntax of regular expressions as is needed to prepare one.
enum RegularExpressionSyntax {
  /// `\d`, `\w`, `\s` and their opposites as ASCII sets, as Java means them.
  ///
  /// Sets may stand in sets, so the same replacement is right inside brackets.
  static func withASCIIClasses(_ pattern: String) -> String {
    guard pattern.utf8.contains(UInt8(ascii: "\\")) else { return pattern }
    var result = ""
    var isQuoted = false
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let next = rest.first else {
        result.unicodeScalars.append(scalar)
        continue
      }
      rest.removeFirst()
      if next == "Q" { isQuoted = true }
      if next == "E" { isQuoted = false }
      if !isQuoted, let set = asciiSet(next) {
        result += set
      } else {
        result.unicodeScalars.append(contentsOf: [scalar, next])
      }
    }
    return result
  }

  private static func asciiSet(_ letter: Unicode.Scalar) -> String? {
    switch letter {
    case "d": "[0-9]"
    case "D": "[^0-9]"
    case "w": "[a-zA-Z0-9_]"
    case "W": "[^a-zA-Z0-9_]"
    case "s": #"[ \t\n\x0B\f\r]"#
    case "S": #"[^ \t\n\x0B\f\r]"#
    default: nil
    }
  }

  /// Whether the pattern is one for a path: it begins with `/`, which may be anchored and escaped.
  static func beginsWithSlash(_ pattern: String) -> Bool {
    ["/", "^/", #"\/"#, #"^\/"#].contains { pattern.utf8.starts(with: $0.utf8) }
  }

  /// The bytes with which everything begins that the pattern matches, and whether it is only them.
  ///
  /// In doubt the prefix is empty: it only saves work.
  static func literalPrefix(of pattern: String) -> (bytes: [UInt8], isWhole: Bool) {
    if hasAlternatives(pattern) { return ([], false) }
    var prefix: [Unicode.Scalar] = []
    var rest = pattern.unicodeScalars[...]
    if rest.first == "^" { rest.removeFirst() }
    while let scalar = rest.first {
      var literal: Unicode.Scalar? = special.contains(scalar) ? nil : scalar
      var length = 1
      if scalar == "\\", let next = rest.dropFirst().first, escapable.contains(next) {
        literal = next
        length = 2
      }
      guard let literal else { break }
      if let quantifier = rest.dropFirst(length).first, quantifiers.contains(quantifier) { break }
      prefix.append(literal)
      rest = rest.dropFirst(length)
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: prefix)
    return (Array(text.utf8), rest.isEmpty)
  }

  private static let special = Set(#"\^$.|?*+()[]{}"#.unicodeScalars)
  private static let escapable = Set(#"\^$.|?*+()[]{}/-:=&#!%,;@~_"'<> "#.unicodeScalars)
  private static let quantifiers = Set("?*+{".unicodeScalars)

  /// Whether there may be a `|` outside of parentheses.
  private static func hasAlternatives(_ pattern: String) -> Bool {
    guard pattern.unicodeScalars.contains("|") else { return false }
    var depth = 0
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\": if rest.popFirst() == "Q" { return true }
      case "[": return true
      case "(": depth += 1
      case ")": depth -= 1
      case "|": if depth == 0 { return true }
      default: break
      }
    }
    return false
  }
}
