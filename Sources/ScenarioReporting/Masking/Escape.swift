/// A character written as a URL, JSON or XML escapes it: `%2F`, `\/`, `\u002f`, `&amp;`.
struct Escape {
  /// The bytes with which one begins.
  static let openers = Array(#"%\&"#.utf8)

  /// What it stands for.
  let bytes: [UInt8]
  /// Where it ends.
  let end: Int

  init?(in text: UnsafeBufferPointer<UInt8>, at place: Int) {
    switch text[place] {
    case UInt8(ascii: "%"):
      guard let byte = Self.hexadecimal(text, place + 1, digits: 2) else { return nil }
      (bytes, end) = ([UInt8(truncatingIfNeeded: byte)], place + 3)
    case UInt8(ascii: "\\") where place + 1 < text.count:
      guard let (bytes, end) = Self.inJSON(text, place + 1) else { return nil }
      (self.bytes, self.end) = (bytes, end)
    case UInt8(ascii: "&"):
      let entity = Self.entities.first { text[place...].starts(with: $0.name) }
      guard let entity else { return nil }
      (bytes, end) = ([entity.byte], place + entity.name.count)
    default: return nil
    }
  }

  private static let letters: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
  ]

  private static let entities: [(name: [UInt8], byte: UInt8)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&#10;", "\n"), ("&#9;", "\t"),
    ("&#13;", "\r"), ("&#35;", "#"), ("&#58;", ":"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

  /// - Parameter place: after the backslash.
  private static func inJSON(
    _ text: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> (bytes: [UInt8], end: Int)? {
    switch text[place] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return ([text[place]], place + 1)
    case UInt8(ascii: "u"):
      guard let high = hexadecimal(text, place + 1, digits: 4) else { return nil }
      if let scalar = Unicode.Scalar(high) { return (Array(String(scalar).utf8), place + 5) }
      // The second half of a pair comes in an escape of its own.
      guard let low = hexadecimal(text, place + 7, digits: 4), (0xDC00..<0xE000).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF))
      else { return nil }
      return (Array(String(scalar).utf8), place + 11)
    case let letter: return letters[letter].map { ([$0], place + 1) }
    }
  }

  private static func hexadecimal(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int, digits: Int
  ) -> UInt32? {
    guard start + digits <= text.count else { return nil }
    let digits = text[start..<start + digits]
    guard digits.allSatisfy({ UInt8(ascii: "+") != $0 && UInt8(ascii: "-") != $0 }) else {
      return nil
    }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
