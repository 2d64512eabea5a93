/// Makes text from apps and files harmless: it can neither move the cursor nor forge a line.
///
/// What is not shown as it is becomes a visible escape: `\u{1B}`. So nothing is lost either.
package enum Sanitizer {
  /// One line: line breaks are escaped too.
  package static func line(_ text: String) -> String {
    isHarmless(text) ? text : text.unicodeScalars.map(shown).joined()
  }

  /// Several lines: line breaks stay, all else is escaped.
  package static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
  }

  private static func isHarmless(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": #"\n"#
    case "\r": #"\r"#
    case "\t": #"\t"#
    case _ where isDangerous(scalar):
      #"\u{\#(String(scalar.value, radix: 16, uppercase: true))}"#
    default: String(scalar)
    }
  }

  /// Control characters, and the format characters that change the order of what is shown or hide
  /// in it (Unicode Technical Report 36, section 3).
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      // Joins of emoji and of scripts that need them.
      scalar != "\u{200D}" && scalar != "\u{200C}"
    default: false
    }
  }
}
