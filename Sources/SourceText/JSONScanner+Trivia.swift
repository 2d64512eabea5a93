extension JSONScanner {
  /// Skips white space and comments.
  mutating func skipTrivia() {
    while at < bytes.count {
      switch bytes[at] {
      case ascii(" "), ascii("\n"), ascii("\t"), ascii("\r"): at += 1
      case ascii("/"):
        if !skipComment() { return }
      // A no-break space comes with text that was copied from a page or a chat.
      case 0xC2 where at + 1 < bytes.count && bytes[at + 1] == 0xA0: at += 2
      default: return
      }
    }
  }

  private mutating func skipComment() -> Bool {
    guard at + 1 < bytes.count else { return false }
    switch bytes[at + 1] {
    case ascii("/"):
      while at < bytes.count, bytes[at] != ascii("\n") { at += 1 }
    case ascii("*"):
      skipBlockComment()
    default:
      return false
    }
    return true
  }

  private mutating func skipBlockComment() {
    let start = at
    at += 2
    while at + 1 < bytes.count {
      if bytes[at] == ascii("*"), bytes[at + 1] == ascii("/") {
        at += 2
        return
      }
      at += 1
    }
    at = bytes.count
    report("The comment is never closed. Write \"*/\" at its end.", start..<start + 2)
    bracketMistakes += 2
  }

  func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case ascii(","), ascii("]"), ascii("}"), ascii("["), ascii("{"), ascii("\n"), ascii("\r"): true
    default: false
    }
  }

  func location(_ range: Range<Int>) -> SourceLocation {
    SourceLocation(file: source, range: range)
  }

  mutating func report(
    _ message: String, _ range: Range<Int>, suggestions: [String] = [],
    notes: [Diagnostic.Note] = []
  ) {
    guard diagnostics.count < JSONParser.mistakeLimit else { return }
    let isLast = diagnostics.count == JSONParser.mistakeLimit - 1
    diagnostics.append(
      Diagnostic(
        message + (isLast ? " What follows is not looked at." : ""), at: location(range),
        suggestions: suggestions, notes: notes))
  }

  /// The whole character at an offset.
  func characterRange(_ offset: Int) -> Range<Int> {
    guard offset < bytes.count else { return bytes.count..<bytes.count }
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return offset..<end
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  func describeCharacter(at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the file" }
    if bytes[offset] == ascii("\n") || bytes[offset] == ascii("\r") { return "the end of the line" }
    let character = text(characterRange(offset))
    guard let scalar = character.unicodeScalars.first, scalar.value >= 0x20, scalar.value != 0x7F
    else { return "a control character (\(Self.codePoint(bytes[offset])))" }
    return "\"\(character)\""
  }

  static func codePoint(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
