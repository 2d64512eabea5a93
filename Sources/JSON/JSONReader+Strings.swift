extension JSONReader {
  /// A string, checked: its escapes, and that it is valid UTF-8.
  package mutating func string() throws(JSONError) -> Text {
    skipSpace()
    guard takeIf(UInt8(ascii: "\"")) else { throw expected(.string) }
    var text = Text(range: offset..<offset)
    var isASCII = true
    while true {
      offset = plainRunEnd(from: offset, to: end)
      guard offset < end else { throw expected(.closingQuote) }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        text.range = text.range.lowerBound..<offset
        offset += 1
        if !isASCII { try checkUTF8(text.range) }
        return text
      case UInt8(ascii: "\\"):
        text.hasEscapes = true
        try checkEscape()
      case 0..<0x20: throw JSONError(.controlCharacter(bytes[offset]), at: offset)
      default:
        isASCII = false
        offset += 1
      }
    }
  }

  /// What a string of this text stands for.
  package func decoded(_ text: Text) -> String {
    if text.hasEscapes { return String(decoding: decodedBytes(text), as: UTF8.self) }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[text.range]), as: UTF8.self)
  }

  /// The UTF-8 bytes that a string of this text stands for.
  package func decodedBytes(_ text: Text) -> [UInt8] {
    guard text.hasEscapes, let base = bytes.baseAddress else { return Array(bytes[text.range]) }
    // No escape is shorter than what it stands for.
    return Array(unsafeUninitializedCapacity: text.range.count) { decoded, count in
      var index = text.range.lowerBound
      let end = text.range.upperBound
      while index < end {
        let byte = base[index]
        if byte == 0x5C, let escape = escape(at: index) {
          for unit in UTF8.encode(escape.scalar ?? "\u{FFFD}") ?? .init() {
            decoded[count] = unit
            count += 1
          }
          index += escape.length
        } else {
          decoded[count] = byte
          count += 1
          index += 1
        }
      }
    }
  }

  /// Whether a string of this text stands for the given one.
  package func isEqual(_ text: Text, _ other: StaticString) -> Bool {
    let length = other.utf8CodeUnitCount
    if text.hasEscapes {
      let decoded = decodedBytes(text)
      return decoded.count == length
        && decoded.indices.allSatisfy { decoded[$0] == other.utf8Start[$0] }
    }
    guard text.range.count == length else { return false }
    var index = 0
    while index < length {
      if bytes[text.range.lowerBound + index] != other.utf8Start[index] { return false }
      index += 1
    }
    return true
  }
}

// MARK: - Checks

extension JSONReader {
  private mutating func checkEscape() throws(JSONError) {
    guard let escape = escape(at: offset) else { throw JSONError(.invalidEscape, at: offset) }
    if escape.scalar == nil, !limits.replacesLoneSurrogates {
      throw JSONError(.loneSurrogate, at: offset)
    }
    offset += escape.length
  }

  private func checkUTF8(_ range: Range<Int>) throws(JSONError) {
    let slice = UnsafeBufferPointer(rebasing: bytes[range])
    if slice.isValidUTF8 { return }
    var valid = 0
    var parser = UTF8.ForwardParser()
    var iterator = slice.makeIterator()
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { valid += scalar.count }
    throw JSONError(.invalidUTF8, at: range.lowerBound + valid)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Looked at step by step: a text of any size takes no memory.
  package var isValidUTF8: Bool {
    var start = 0
    while start < count {
      var end = Swift.min(start + 1 << 16, count)
      // Not between the bytes of a character, of which three at most follow the first.
      for _ in 0..<3 where end < count && self[end] & 0xC0 == 0x80 { end -= 1 }
      let step = UnsafeBufferPointer(rebasing: self[start..<end])
      guard String(validating: step, as: UTF8.self) != nil else { return false }
      start = end
    }
    return true
  }
}

// MARK: - Escapes

extension JSONReader {
  /// An escape, both halves of a surrogate pair included; no scalar: half of a pair, alone.
  private typealias Escape = (scalar: Unicode.Scalar?, length: Int)

  /// - Returns: `nil` where the backslash begins no escape.
  private func escape(at index: Int) -> Escape? {
    guard index + 1 < end else { return nil }
    guard bytes[index + 1] == UInt8(ascii: "u") else {
      return simple(bytes[index + 1]).map { ($0, 2) }
    }
    guard let unit = codeUnit(at: index) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    guard UTF16.isLeadSurrogate(unit), let trail = codeUnit(at: index + 6),
      UTF16.isTrailSurrogate(trail)
    else { return (nil, 6) }
    let pair = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00)
    return (Unicode.Scalar(pair), 12)
  }

  private func codeUnit(at index: Int) -> UInt16? {
    guard index + 6 <= end, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[index + 2..<index + 6] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(byte - 0x61 + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(byte - 0x41 + 10)
      default: return nil
      }
    }
    return unit
  }

  private func simple(_ byte: UInt8) -> Unicode.Scalar? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(byte)
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }
}

// MARK: - Runs of plain characters

extension JSONReader {
  /// The first place from `start` that is a quote, a backslash, a control character or not ASCII.
  ///
  /// Nearly all of a large text is skipped here, eight bytes at a time.
  private func plainRunEnd(from start: Int, to end: Int) -> Int {
    var index = start
    let raw = UnsafeRawBufferPointer(bytes)
    while index + 8 <= end {
      let special = Self.specialBytes(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      if special != 0 { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end, Self.isPlain(bytes[index]) { index += 1 }
    return index
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// A set high bit at least in the first of eight bytes that isn't plain; what follows it may be
  /// marked wrongly, by a borrow.
  private static func specialBytes(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let word = UInt64(littleEndian: word)
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let found =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((word &- ones &* 0x20) & ~word) | word
    return found & highs
  }
}
