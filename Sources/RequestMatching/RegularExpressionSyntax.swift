/// As much of the syntax of regular expressions as is needed to prepare one.
enum RegularExpressionSyntax {
  /// The pattern with the classes that are ASCII in Java and more in ICU written as sets: `\d`, `\w`,
  /// `\s`, the POSIX classes such as `\p{Punct}`, and their opposites.
  ///
  /// Sets may stand in sets, so the same replacement is right inside brackets.
  static func withASCIIClasses(_ pattern: String) -> String {
    guard pattern.utf8.contains(UInt8(ascii: "\\")) else { return pattern }
    var result = ""
    var isQuoted = false
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let next = rest.first, !isQuoted || next == "E" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      rest.removeFirst()
      isQuoted = next == "Q"
      if let set = asciiSet(next) ?? posixSet(next, &rest) {
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

  /// Takes `{Name}` from the front of what follows `\p` or `\P`, where it is a POSIX class.
  private static func posixSet(
    _ letter: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) -> String? {
    guard letter == "p" || letter == "P", rest.first == "{",
      let end = rest.firstIndex(of: "}"),
      let set = posixClasses[String(rest[..<end].dropFirst())]
    else { return nil }
    rest = rest[rest.index(after: end)...]
    return letter == "p" ? "[\(set)]" : "[^\(set)]"
  }

  /// As `java.util.regex.Pattern` documents them.
  private static let posixClasses = [
    "Lower": "a-z", "Upper": "A-Z", "Alpha": "a-zA-Z", "Digit": "0-9", "Alnum": "a-zA-Z0-9",
    "XDigit": "0-9a-fA-F", "ASCII": #"\x00-\x7F"#, "Cntrl": #"\x00-\x1F\x7F"#,
    "Blank": #" \t"#, "Space": #" \t\n\x0B\f\r"#, "Punct": #"!-/:-@\[-`{-~"#, "Graph": "!-~",
    "Print": " -~",
  ]

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
  static let escapable = Set(#"\^$.|?*+()[]{}/-:=&#!%,;@~_"'<> "#.unicodeScalars)
  static let quantifiers = Set("?*+{".unicodeScalars)

  /// Whether there may be a `|` outside of parentheses, or something that makes that hard to see.
  static func hasAlternatives(_ pattern: String) -> Bool {
    if hasHiddenSyntax(pattern) { return true }
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

extension RegularExpressionSyntax {
  /// Whether there may be a comment, or a control character (`\c(`): what looks like syntax there is none, so
  /// that a parenthesis doesn't open a group.
  private static func hasHiddenSyntax(_ pattern: String) -> Bool {
    pattern.contains(#"\c"#)
      || pattern.contains("(?") && pattern.contains(/\(\?(#|[A-Za-z\-]*x)/)
  }

  /// The pattern with `$` and `.` as ECMA-262 has them: the end of the text, not the place before its last
  /// line break, and any character but a line break.
  static func withECMALineBreaks(_ pattern: String) -> String {
    var result = ""
    var setDepth = 0
    var isQuoted = false
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      var written = String(scalar)
      if scalar == "\\", let next = rest.first, !isQuoted || next == "E" {
        rest.removeFirst()
        isQuoted = next == "Q"
        written.unicodeScalars.append(next)
        if next == "c", let control = rest.popFirst() { written.unicodeScalars.append(control) }
      } else if !isQuoted {
        switch scalar {
        case "[":
          setDepth += 1
          written += beginningOfSet(&rest)
        case "]": setDepth = max(0, setDepth - 1)
        case "$" where setDepth == 0: written = #"\z"#
        case "." where setDepth == 0: written = #"[^\n\r\u2028\u2029]"#
        default: break
        }
      }
      result += written
    }
    return result
  }

  /// Takes a `^`, and a bracket that stands for itself because it comes first.
  private static func beginningOfSet(_ rest: inout Substring.UnicodeScalarView) -> String {
    var written = ""
    for scalar in ["^", "]"] as [Unicode.Scalar] where rest.first == scalar {
      rest.removeFirst()
      written.unicodeScalars.append(scalar)
    }
    return written
  }

  /// Whether no absolute URL can match, seen by the characters at the front: `ad\.example/click` has
  /// no scheme.
  ///
  /// In doubt it is `false`. Groups and quantifiers are looked through, a single `.` is taken for the
  /// full stop that was probably meant.
  static func excludesScheme(_ pattern: String) -> Bool {
    var rest = pattern.unicodeScalars[...]
    if rest.first == "^" { rest.removeFirst() }
    var isAfterDot = false
    while let scalar = rest.popFirst() {
      var literal = scalar
      switch scalar {
      case "(":
        guard rest.first == "?" else { continue }
        guard rest.dropFirst().first == ":" else { return false }
        rest = rest.dropFirst(2)
        continue
      case ")", "?", "*", "+": continue
      case ".": if let next = rest.first, quantifiers.contains(next) { return false }
      case "\\":
        guard let next = rest.popFirst(), escapable.contains(next) else { return false }
        literal = next
      case "|", "[", "{", "$", "^": return false
      default: break
      }
      if literal == ":" { return hasPort(rest) }
      if !isSchemeScalar(literal) { return !(isAfterDot && literal == "/") }
      isAfterDot = scalar == "."
    }
    return true
  }

  /// Whether digits and a path follow the colon, as in `localhost:8080/x`.
  private static func hasPort(_ rest: Substring.UnicodeScalarView) -> Bool {
    let digits = rest.prefix { ("0"..."9").contains($0) }
    return !digits.isEmpty && rest.dropFirst(digits.count).first == "/"
  }

  private static func isSchemeScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains(scalar))
  }
}
