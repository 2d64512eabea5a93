/// Walks through JSON without building it: what is not asked for is only skipped.
///
/// A capture can have 50 MB, nearly all of it bodies that a scenario never asks for; so it gets a
/// walk of its own rather than the parser that keeps every position.
struct ByteScanner {
  /// Where the text is no JSON.
  struct Fault: Error {
    var offset: Int
    var message: String
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var offset: Int
  private var depth = 0

  private static let depthLimit = 500

  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Goes through the members of an object; `visit` is called before each value, and may read it.
  mutating func eachMember(
    _ visit: (inout ByteScanner, String) throws(Fault) -> Void
  ) throws(Fault) {
    try eachEntry(open: "{", close: "}") { scanner throws(Fault) in
      let key = try scanner.string()
      try scanner.expect(":")
      try scanner.reading { inner throws(Fault) in try visit(&inner, key) }
    }
  }

  /// Goes through the elements of a list; `visit` is called before each, and may read it.
  mutating func eachElement(_ visit: (inout ByteScanner) throws(Fault) -> Void) throws(Fault) {
    try eachEntry(open: "[", close: "]") { scanner throws(Fault) in
      try scanner.reading(visit)
    }
  }

  /// The string here, decoded.
  mutating func string() throws(Fault) -> String {
    let range = try stringRange()
    return JSONStringText.decoded(bytes, range)
  }

  /// Where the content of the string here stands, between its quotes.
  mutating func stringRange() throws(Fault) -> Range<Int> {
    skipBlanks()
    guard peek == UInt8(ascii: "\"") else { throw fault("A string is missing here.") }
    offset += 1
    let start = offset
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return start..<offset - 1
      case UInt8(ascii: "\\"): offset += 2
      default: offset += 1
      }
    }
    offset = start
    throw fault("This string has no end.")
  }

  /// The number here; `nil`, and nothing read, where there is something else.
  mutating func number() throws(Fault) -> Double? {
    skipBlanks()
    let start = offset
    while let byte = peek, Self.isNumberByte(byte) { offset += 1 }
    guard offset > start else { return nil }
    return Double(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  /// Whether a string, an object or a list comes next: its first byte.
  var nextByte: UInt8? {
    var copy = self
    copy.skipBlanks()
    return copy.peek
  }

  mutating func skipValue() throws(Fault) {
    skipBlanks()
    switch peek {
    case UInt8(ascii: "\""): _ = try stringRange()
    case UInt8(ascii: "{"): try eachMember { _, _ in }
    case UInt8(ascii: "["): try eachElement { _ in }
    case nil: throw fault("The text ends where a value should be.")
    default: try skipWord()
    }
  }

  /// After the one value of a file nothing may come.
  mutating func expectEnd() throws(Fault) {
    skipBlanks()
    if offset < bytes.count { throw fault("There is something after the end of the value.") }
  }

  private mutating func eachEntry(
    open: Unicode.Scalar, close: Unicode.Scalar,
    _ body: (inout ByteScanner) throws(Fault) -> Void
  ) throws(Fault) {
    try expect(open)
    depth += 1
    if depth > Self.depthLimit { throw fault("This is nested too deep.") }
    skipBlanks()
    while peek != UInt8(ascii: close) {
      try body(&self)
      skipBlanks()
      guard peek == UInt8(ascii: ",") else { break }
      offset += 1
      skipBlanks()
    }
    try expect(close)
    depth -= 1
  }

  /// Lets `visit` read the value here, and skips what it left.
  private mutating func reading(
    _ visit: (inout ByteScanner) throws(Fault) -> Void
  ) throws(Fault) {
    skipBlanks()
    let start = offset
    try visit(&self)
    if offset == start { try skipValue() }
  }

  private mutating func skipWord() throws(Fault) {
    let start = offset
    while let byte = peek, Self.isWordByte(byte) { offset += 1 }
    if offset == start { throw fault("A value is missing here.") }
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(Fault) {
    skipBlanks()
    guard peek == UInt8(ascii: scalar) else { throw fault("\"\(scalar)\" is missing here.") }
    offset += 1
  }

  private mutating func skipBlanks() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func fault(_ message: String) -> Fault { Fault(offset: offset, message: message) }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    isNumberByte(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
