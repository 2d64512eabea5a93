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
