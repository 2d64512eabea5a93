/// As much of the syntax of regular expressions as is needed to prepare one.
enum RegularExpressionSyntax {
  /// The pattern with the classes that are ASCII in Java and more in ICU written as sets: `\d`, `\w`,
  /// `\s`, the POSIX classes such as `\p{Punct}`, and their opposites.
  ///
  /// Sets may stand in sets, so the same replacement is right inside brackets.
  static func withASCIIClasses(_ pattern: String) -> String {
    guard pattern.utf8.contains(UInt8(ascii: "\\")) else { return pattern }
    return rewritten(pattern) { unit, _ in asciiSets[unit] }
  }

  /// As `java.util.regex.Pattern` documents them.
  private static let asciiSets: [String: String] = {
    let classes = [
      "Lower": "a-z", "Upper": "A-Z", "Alpha": "a-zA-Z", "Digit": "0-9", "Alnum": "a-zA-Z0-9",
      "XDigit": "0-9a-fA-F", "ASCII": #"\x00-\x7F"#, "Cntrl": #"\x00-\x1F\x7F"#,
      "Blank": #" \t"#, "Space": #" \t\n\x0B\f\r"#, "Punct": #"!-/:-@\[-`{-~"#, "Graph": "!-~",
      "Print": " -~",
    ]
    let letters = [("d", "D", "0-9"), ("w", "W", "a-zA-Z0-9_"), ("s", "S", #" \t\n\x0B\f\r"#)]
    var sets: [String: String] = [:]
    for (name, set) in classes {
      (sets["\\p{\(name)}"], sets["\\P{\(name)}"]) = ("[\(set)]", "[^\(set)]")
    }
    for (letter, opposite, set) in letters {
      (sets["\\\(letter)"], sets["\\\(opposite)"]) = ("[\(set)]", "[^\(set)]")
    }
    return sets
  }()

  /// The pattern with `$` and `.` as ECMA-262 has them: the end of the text, not the place before its last
  /// line break, and any character but a line break.
  static func withECMALineBreaks(_ pattern: String) -> String {
    rewritten(pattern) { unit, isInSet in
      isInSet ? nil : ["$": #"\z"#, ".": #"[^\n\r\u2028\u2029]"#][unit]
    }
  }

  /// The pattern with other text for some of its characters and escapes; what is quoted (`\Q`) stays.
  ///
  /// - Parameter replacement: gets a character or an escape, as `\d`, `\p{Name}` or `\c(`, and whether it is in
  ///   a set; `nil` keeps it.
  private static func rewritten(
    _ pattern: String, _ replacement: (_ unit: String, _ isInSet: Bool) -> String?
  ) -> String {
    var result = ""
    var (setDepth, isQuoted) = (0, false)
    var rest = pattern.unicodeScalars[...]
    while let scalar = rest.first {
      var unit = rest.prefix(1)
      if scalar == "\\", let next = rest.dropFirst().first, !isQuoted || next == "E" {
        unit = rest.prefix(next == "c" ? 3 : 2)
        if "pP".unicodeScalars.contains(next), rest.dropFirst(2).first == "{",
          let end = rest.firstIndex(of: "}")
        {
          unit = rest[...end]
        }
        isQuoted = next == "Q"
      } else if !isQuoted, scalar == "[" {
        setDepth += 1
        // A bracket that comes first stands for itself.
        let isOpposite = rest.dropFirst().first == "^"
        let isBracket = rest.dropFirst(isOpposite ? 2 : 1).first == "]"
        unit = rest.prefix(1 + (isOpposite ? 1 : 0) + (isBracket ? 1 : 0))
      } else if !isQuoted, scalar == "]" {
        setDepth = max(0, setDepth - 1)
      }
      rest = rest[unit.endIndex...]
      let text = String(unit)
      result += isQuoted ? text : replacement(text, setDepth > 0) ?? text
    }
    return result
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
