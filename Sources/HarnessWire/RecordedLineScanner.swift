import Foundation

/// Checks that bytes are the JSON of a store line, and notes where its parts are.
///
/// Written by hand because a store has millions of lines: Foundation's parser takes 3 to 5 µs for each.
struct RecordedLineScanner {
  typealias Text = RecordedRequestLine.Text

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private let end: Int

  init(bytes: UnsafeBufferPointer<UInt8>, range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// How deep a value that the contract doesn't know may be nested.
  private static let depthLimit = 64

  /// Scans a whole object, calling with each key when its value is next.
  ///
  /// The closure takes the value through the scanner.
  mutating func object(
    _ member: (inout Self, Text) throws(RecordedLineFault) -> Void
  ) throws(RecordedLineFault) {
    try take(UInt8(ascii: "{"))
    skipSpace()
    if takeIf(UInt8(ascii: "}")) { return }
    repeat {
      skipSpace()
      let key = try string()
      skipSpace()
      try take(UInt8(ascii: ":"))
      skipSpace()
      try member(&self, key)
      skipSpace()
    } while takeIf(UInt8(ascii: ","))
    try take(UInt8(ascii: "}"))
  }

  mutating func headers(
    _ header: (Text, Text) -> Void
  ) throws(RecordedLineFault) {
    try object { scanner, name throws(RecordedLineFault) in
      guard scanner.peek == UInt8(ascii: "\"") else { throw .wrongValue("headers") }
      header(name, try scanner.string())
    }
  }

  mutating func finish() throws(RecordedLineFault) {
    skipSpace()
    if position != end { throw .notJSON }
  }

  var offset: Int { position }

  var peek: UInt8? { position < end ? bytes[position] : nil }

  func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  func isKey(_ text: Text, _ key: StaticString) -> Bool {
    text.range.count == key.utf8CodeUnitCount
      && bytes.baseAddress.map {
        memcmp($0 + text.range.lowerBound, key.utf8Start, text.range.count) == 0
      } ?? false
  }
}

// MARK: - Values

extension RecordedLineScanner {
  /// A string; its range leaves out the quotes.
  mutating func string() throws(RecordedLineFault) -> Text {
    try take(UInt8(ascii: "\""))
    var text = Text(range: position..<position)
    var isASCII = true
    while true {
      position = plainRunEnd(from: position)
      guard position < end else { throw .notJSON }
      switch bytes[position] {
      case UInt8(ascii: "\""):
        text.range = text.range.lowerBound..<position
        position += 1
        if !isASCII, !isUTF8(text.range) { throw .notUTF8 }
        return text
      case UInt8(ascii: "\\"):
        text.hasEscapes = true
        try escape()
      case 0..<0x20: throw .notJSON
      default:
        isASCII = false
        position += 1
      }
    }
  }

  /// A number, as JSON writes it.
  mutating func number() throws(RecordedLineFault) -> Range<Int> {
    let start = position
    _ = takeIf(UInt8(ascii: "-"))
    if !takeIf(UInt8(ascii: "0")) { try digits() }
    if takeIf(UInt8(ascii: ".")) { try digits() }
    if takeIf(UInt8(ascii: "e")) || takeIf(UInt8(ascii: "E")) {
      if !takeIf(UInt8(ascii: "+")) { _ = takeIf(UInt8(ascii: "-")) }
      try digits()
    }
    return start..<position
  }

  /// A whole number from 0, of at most 18 digits.
  mutating func wholeNumber() throws(RecordedLineFault) -> Int? {
    let range = try number()
    guard range.count <= 18 else { return nil }
    var value = 0
    for byte in bytes[range] {
      guard isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// Any value; what it is doesn't matter.
  mutating func skipValue(depth: Int = 0) throws(RecordedLineFault) {
    guard depth < Self.depthLimit else { throw .notJSON }
    switch peek {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      try object { scanner, _ throws(RecordedLineFault) in try scanner.skipValue(depth: depth + 1) }
    case UInt8(ascii: "["): try skipArray(depth: depth)
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: _ = try number()
    }
  }

  /// Whether the value is `null`, which is then taken.
  mutating func takeNull() throws(RecordedLineFault) -> Bool {
    guard peek == UInt8(ascii: "n") else { return false }
    try word("null")
    return true
  }

  private mutating func skipArray(depth: Int) throws(RecordedLineFault) {
    try take(UInt8(ascii: "["))
    skipSpace()
    if takeIf(UInt8(ascii: "]")) { return }
    repeat {
      skipSpace()
      try skipValue(depth: depth + 1)
      skipSpace()
    } while takeIf(UInt8(ascii: ","))
    try take(UInt8(ascii: "]"))
  }

  private mutating func word(_ word: StaticString) throws(RecordedLineFault) {
    let range = position..<min(end, position + word.utf8CodeUnitCount)
    guard isKey(Text(range: range), word) else { throw .notJSON }
    position = range.upperBound
  }
}

// MARK: - Bytes

extension RecordedLineScanner {
  mutating func skipSpace() {
    while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
  }

  private mutating func takeIf(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(_ byte: UInt8) throws(RecordedLineFault) {
    if !takeIf(byte) { throw .notJSON }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private mutating func digits() throws(RecordedLineFault) {
    guard let first = peek, isDigit(first) else { throw .notJSON }
    while let next = peek, isDigit(next) { position += 1 }
  }

  private mutating func escape() throws(RecordedLineFault) {
    guard let length = JSONEscapes.length(of: slice(position..<end)) else { throw .notJSON }
    position += length
  }

  private func isUTF8(_ range: Range<Int>) -> Bool {
    String(validating: slice(range), as: UTF8.self) != nil
  }

  /// The first place from `start` that is a quote, a backslash, a control character or not ASCII.
  private func plainRunEnd(from start: Int) -> Int {
    var index = start
    let raw = UnsafeRawBufferPointer(bytes)
    while index + 8 <= end {
      let special = Self.specialBytes(raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      if special != 0 { return index + UInt64(littleEndian: special).trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end, Self.isPlain(bytes[index]) { index += 1 }
    return index
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// A set high bit at least in the first of eight bytes that is not plain; what follows it may be
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
