import SourceText

/// Makes text from apps and files harmless: it can neither move the cursor, nor forge a line, nor
/// give a command to a CI server.
///
/// What is not shown as it is becomes a visible escape: `\u{1B}`. So nothing is lost either.
enum Sanitizer {
  /// One line: line breaks are escaped too.
  static func line(_ text: String) -> String {
    let text = CommandMarkers.defused(text)
    return text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? text : shown(text.unicodeScalars)
  }

  /// Several lines, which end with LF or CRLF: the breaks stay, all else is escaped.
  static func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { line(String($0)) }
  }

  /// Characters as they may be shown, but for the marks of commands.
  static func shown(_ scalars: String.UnicodeScalarView) -> String {
    scalars.map { scalar in
      switch scalar {
      case "\n": #"\n"#
      case "\r": #"\r"#
      case "\t": #"\t"#
      case _ where isDangerous(scalar):
        #"\u{\#(String(scalar.value, radix: 16, uppercase: true))}"#
      default: String(scalar)
      }
    }.joined()
  }

  /// Whether it is a control character, or a format character that changes the order of what is shown
  /// or hides in it (Unicode Technical Report 36, section 3).
  static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    if (0x20..<0x7F).contains(scalar.value) { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      // Joins of emoji and of scripts that need them.
      return scalar != "\u{200D}" && scalar != "\u{200C}"
    default: return false
    }
  }
}

/// The marks by which CI servers know a command in the output of a job.
///
/// GitHub: a line that begins with `::`, blanks aside, and `##[` anywhere in a line
/// (`ActionCommand.cs` of actions/runner); Azure Pipelines: `##vso[` anywhere, `##[` at the beginning
/// (Microsoft, "Logging commands"); TeamCity: `##teamcity[` ("Service messages"). GitLab's section marks
/// begin with an escape character, which is never written as it is.
enum CommandMarkers {
  /// The text with the first character of each mark as a visible escape: `\u{3A}:error::`.
  ///
  /// A text can come anywhere in a line: at its beginning `::` is a mark, and so is a `#` that may
  /// follow another one; at its end a `##` that a `[` may follow.
  static func defused(_ text: String) -> String {
    let opening = openingLength(of: text)
    guard
      text.utf8.contains(UInt8(ascii: "#")) || text.utf8.dropFirst(opening).starts(with: "::".utf8)
    else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    for place in bytes.indices {
      if begins(bytes, at: place, opening: opening) {
        result += Array((bytes[place] == UInt8(ascii: "#") ? #"\u{23}"# : #"\u{3A}"#).utf8)
      } else {
        result.append(bytes[place])
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func begins(_ bytes: [UInt8], at place: Int, opening: Int) -> Bool {
    if place == opening, bytes[place...].starts(with: "::".utf8) { return true }
    guard bytes[place] == UInt8(ascii: "#") else { return false }
    let isFirst =
      place == 0 && bytes.dropFirst().first { !isLetter($0) } == UInt8(ascii: "[")
    guard !isFirst, place > 0, bytes[place - 1] == UInt8(ascii: "#") else { return isFirst }
    // Something may follow.
    let rest = bytes[(place + 1)...].drop(while: isLetter)
    return rest.isEmpty || rest.first == UInt8(ascii: "[")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }

  /// The length of the blanks at the beginning, of any script.
  private static func openingLength(of text: String) -> Int {
    text.unicodeScalars.prefix { $0.properties.isWhitespace }.reduce(0) { $0 + $1.utf8.count }
  }
}

/// The escape sequences of terminals (ECMA-48).
enum TerminalEscapes {
  static func removed(from text: String) -> String {
    guard text.utf8.contains(0x1B) || text.unicodeScalars.contains("\u{9B}") else { return text }
    var text = text
    return text.withUTF8 { bytes in
      var kept: [UInt8] = []
      var place = 0
      while place < bytes.count {
        if let end = end(in: bytes, at: place) {
          place = end
        } else {
          kept.append(bytes[place])
          place += 1
        }
      }
      return String(decoding: kept, as: UTF8.self)
    }
  }

  /// Where the sequence ends that begins at a place; `nil` where none does.
  static func end(in text: UnsafeBufferPointer<UInt8>, at start: Int) -> Int? {
    guard start + 1 < text.count else { return nil }
    switch (text[start], text[start + 1]) {
    case (0x1B, UInt8(ascii: "[")), (0xC2, 0x9B):
      let parameters = skip(0x30...0x3F, in: text, from: start + 2)
      return endAfterFinal(0x40...0x7E, in: text, from: parameters)
    case (0x1B, UInt8(ascii: "]")):
      return endOfString(in: text, from: start + 2, orAtBell: true) ?? start + 2
    // A device control string, a start of string, a privacy message, a program command.
    case (0x1B, 0x50), (0x1B, 0x58), (0x1B, 0x5E), (0x1B, 0x5F):
      return endOfString(in: text, from: start + 2, orAtBell: false) ?? start + 2
    case (0x1B, 0x20...0x2F): return endAfterFinal(0x30...0x7E, in: text, from: start + 1)
    case (0x1B, 0x40...0x5F): return start + 2
    default: return nil
    }
  }

  private static func skip(
    _ bytes: ClosedRange<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    text.indices.suffix(from: start).first { !bytes.contains(text[$0]) } ?? text.count
  }

  private static func endAfterFinal(
    _ final: ClosedRange<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    let end = skip(0x20...0x2F, in: text, from: start)
    return end < text.count && final.contains(text[end]) ? end + 1 : nil
  }

  /// The end of a control string; one without an end on its line loses its introducer only.
  private static func endOfString(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, orAtBell: Bool
  ) -> Int? {
    let end = text.indices.suffix(from: start).first {
      text[$0] == 0x1B || text[$0] == UInt8(ascii: "\n") || orAtBell && text[$0] == 0x07
    }
    guard let end else { return nil }
    if text[end] == 0x07 { return end + 1 }
    return text[end...].starts(with: "\u{1B}\\".utf8) ? end + 2 : nil
  }
}
