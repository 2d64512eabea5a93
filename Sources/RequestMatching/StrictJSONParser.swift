/// Reads JSON as servers do (RFC 8259): no comments, no trailing commas.
struct StrictJSONParser {
  private static let depthLimit = 200

  private let bytes: [UInt8]
  private var position = 0

  /// - Parameter bytes: valid UTF-8.
  static func parse(_ bytes: [UInt8]) -> JSONBody? {
    var parser = StrictJSONParser(bytes: bytes)
    guard let value = parser.value(depth: 0) else { return nil }
    parser.skipSpace()
    return parser.position == bytes.count ? value : nil
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func value(depth: Int) -> JSONBody? {
    guard depth <= Self.depthLimit else { return nil }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map(JSONBody.string)
    case UInt8(ascii: "t"): return word("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return word("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return word("null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSONBody? {
    position += 1
    var members: [(key: String, value: JSONBody)] = []
    skipSpace()
    if takeIf(UInt8(ascii: "}")) { return .object(written: []) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\""), let key = string() else { return nil }
      skipSpace()
      guard takeIf(UInt8(ascii: ":")), let value = value(depth: depth + 1) else { return nil }
      members.append((key, value))
      skipSpace()
    } while takeIf(UInt8(ascii: ","))
    return takeIf(UInt8(ascii: "}")) ? .object(written: members) : nil
  }

  private mutating func array(depth: Int) -> JSONBody? {
    position += 1
    var elements: [JSONBody] = []
    skipSpace()
    if takeIf(UInt8(ascii: "]")) { return .array([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
      skipSpace()
    } while takeIf(UInt8(ascii: ","))
    return takeIf(UInt8(ascii: "]")) ? .array(elements) : nil
  }

  private mutating func number() -> JSONBody? {
    let start = position
    _ = takeIf(UInt8(ascii: "-"))
    if !takeIf(UInt8(ascii: "0")), !digits() { return nil }
    if takeIf(UInt8(ascii: ".")), !digits() { return nil }
    if takeIf(UInt8(ascii: "e")) || takeIf(UInt8(ascii: "E")) {
      if !takeIf(UInt8(ascii: "+")) { _ = takeIf(UInt8(ascii: "-")) }
      if !digits() { return nil }
    }
    return .number(DecimalNumber(String(decoding: bytes[start..<position], as: UTF8.self)))
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func string() -> String? {
    position += 1
    var content: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        content.append(contentsOf: String(scalar).utf8)
      case 0..<0x20: return nil
      default: content.append(byte)
      }
    }
    return nil
  }

  /// What follows a backslash. Half of a surrogate pair alone becomes U+FFFD.
  private mutating func escape() -> Character? {
    guard let letter = peek else { return nil }
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(letter))
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return unicodeEscape()
    default: return nil
    }
  }

  private mutating func unicodeEscape() -> Character? {
    guard let unit = codeUnit() else { return nil }
    if let scalar = Unicode.Scalar(unit) { return Character(scalar) }
    let mark = position
    if UTF16.isLeadSurrogate(unit), takeIf(UInt8(ascii: "\\")), takeIf(UInt8(ascii: "u")),
      let trail = codeUnit(), UTF16.isTrailSurrogate(trail)
    {
      return String(decoding: [unit, trail], as: UTF16.self).first
    }
    position = mark
    return "\u{FFFD}"
  }

  private mutating func codeUnit() -> UInt16? {
    guard position + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    position += 4
    return unit
  }

  private mutating func word(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func takeIf(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
      position += 1
    }
  }
}
