import SourceText

/// Makes text from apps and files harmless: it can neither move the cursor, nor forge a line, nor
/// give a command to a CI server.
///
/// What is not shown as it is becomes a visible escape: `\u{1B}`. So nothing is lost either.
enum Sanitizer {
  /// One line: line breaks are escaped too.
  static func line(_ text: String) -> String {
    let text = CommandMarkers.defused(text)
    return isHarmless(text) ? text : text.unicodeScalars.map(shown).joined()
  }

  /// Several lines, which end with LF or CRLF: the breaks stay, all else is escaped.
  static func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { line(String($0)) }
  }

  /// JSON that is shown: what is dangerous in its strings becomes JSON's own escapes.
  static func json(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      guard scalar == "#" || scalar != "\n" && DisplayText.isDangerous(scalar) else {
        return String(scalar)
      }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }.joined()
  }

  private static func isHarmless(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": #"\n"#
    case "\r": #"\r"#
    case "\t": #"\t"#
    case _ where DisplayText.isDangerous(scalar):
      #"\u{\#(String(scalar.value, radix: 16, uppercase: true))}"#
    default: String(scalar)
    }
  }
}
