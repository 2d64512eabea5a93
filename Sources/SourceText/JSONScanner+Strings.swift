extension JSONScanner {
  /// Reads the string whose opening quote is at hand.
  mutating func string() -> JSONNode {
    let start = at
    at += 1
    while at < bytes.count {
      let byte = bytes[at]
      if byte == ascii("\"") {
        at += 1
        return JSONNode(.string(text(start + 1..<at - 1)), at: location(start..<at))
      }
      if byte == ascii("\\") || byte < 0x20 { break }
      at += 1
    }
    return stringWithEscapes(from: start)
  }

  /// Goes on with a string in which something has to be replaced or reported.
  private mutating func stringWithEscapes(from start: Int) -> JSONNode {
    var content = Array(bytes[start + 1..<at])
    while at < bytes.count {
      switch bytes[at] {
      case ascii("\""):
        at += 1
        return JSONNode(.string(String(decoding: content, as: UTF8.self)), at: location(start..<at))
      case ascii("\\"): escape(into: &content)
      case ascii("\n"), ascii("\r"): return unclosedString(from: start)
      case let byte where byte < 0x20:
        controlCharacter(byte)
        content.append(byte)
      case let byte:
        content.append(byte)
        at += 1
      }
    }
    return unclosedString(from: start)
  }

  private mutating func unclosedString(from start: Int) -> JSONNode {
    if let end = closingQuoteOfContinuation() {
      report("A line break in a string is written as \\n.", start..<at)
      at = end + 1
      return JSONNode(.invalid, at: location(start..<at))
    }
    var end = at
    while end > start + 1, [ascii(","), ascii(" "), ascii("\t")].contains(bytes[end - 1]) {
      end -= 1
    }
    report("The string is never closed. Write '\"' at its end.", start..<end)
    commaMayBeLost = true
    return JSONNode(.invalid, at: location(start..<end))
  }

  /// The closing quote on the next line, where that looks like the string's second line.
  private func closingQuoteOfContinuation() -> Int? {
    var end = at
    while end < bytes.count, bytes[end] <= 0x20 { end += 1 }
    let structure = Array("\"{}[],:/".utf8)
    guard end < bytes.count, !structure.contains(bytes[end]) else { return nil }
    while end < bytes.count, bytes[end] != ascii("\n") {
      if bytes[end] == ascii("\"") { return end }
      end += bytes[end] == ascii("\\") ? 2 : 1
    }
    return nil
  }

  private mutating func controlCharacter(_ byte: UInt8) {
    let isTab = byte == ascii("\t")
    let escape = isTab ? "\\t" : "\\u" + Self.codePoint(byte).dropFirst(2)
    let name = isTab ? "A tab" : "A control character (\(Self.codePoint(byte)))"
    report("\(name) in a string is written as \(escape).", at..<at + 1)
    at += 1
  }

  private mutating func escape(into content: inout [UInt8]) {
    let start = at
    at += 1
    guard at < bytes.count else { return }
    let byte = bytes[at]
    if let plain = Self.plainEscapes[byte] {
      content.append(plain)
      at += 1
    } else if byte == ascii("u") {
      at += 1
      unicodeEscape(from: start, into: &content)
    } else if byte != ascii("\n"), byte != ascii("\r") {
      let range = start..<characterRange(at).upperBound
      report(
        "\"\(text(range))\" isn't an escape sequence. A backslash itself is written as \\\\.", range
      )
      at = range.upperBound
    }
  }

  private static let plainEscapes: [UInt8: UInt8] = [
    ascii("\""): ascii("\""), ascii("\\"): ascii("\\"), ascii("/"): ascii("/"), ascii("b"): 8,
    ascii("f"): 12, ascii("n"): 10, ascii("r"): 13, ascii("t"): 9,
  ]

  private mutating func unicodeEscape(from start: Int, into content: inout [UInt8]) {
    guard let first = hexDigits() else {
      report("\"\\u\" is followed by four hexadecimal digits.", start..<at)
      return
    }
    var value = UInt32(first)
    if 0xD800...0xDBFF ~= first, at + 1 < bytes.count, bytes[at] == ascii("\\"),
      bytes[at + 1] == ascii("u")
    {
      let second = at
      at += 2
      if let low = hexDigits(), 0xDC00...0xDFFF ~= low {
        value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
      } else {
        at = second
      }
    }
    guard let scalar = Unicode.Scalar(value) else {
      report("\"\(text(start..<at))\" is half a character: its other half is missing.", start..<at)
      return
    }
    content.append(contentsOf: String(Character(scalar)).utf8)
  }

  private mutating func hexDigits() -> UInt16? {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard at < bytes.count, let digit = Character(Unicode.Scalar(bytes[at])).hexDigitValue else {
        return nil
      }
      value = value << 4 | UInt16(digit)
      at += 1
    }
    return value
  }
}
