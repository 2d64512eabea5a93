import Foundation

/// Walks over JSON without building values: a capture has tens of megabytes, of which a launch needs
/// a few kilobytes.
///
/// It finds where values are; whoever needs one has it decoded. So it checks structure alone.
struct HARScanner {
  private let base: UnsafeRawPointer
  private let end: Int
  private(set) var at: Int

  /// - Parameter bytes: must outlive the scanner.
  init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) {
    // An empty file has no address: the limit of 0 keeps everybody from looking at this one.
    base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
    at = start
  }

  /// Calls with the raw bytes of each key; `body` consumes the value.
  mutating func object(_ body: (inout HARScanner, Range<Int>) throws(HARFault) -> Void)
    throws(HARFault)
  {
    try take("{", "an object")
    if takeIf("}") { return }
    repeat {
      guard peek == UInt8(ascii: "\"") else { throw fault("a key") }
      let key = try string()
      try take(":", "a colon")
      try body(&self, key)
    } while takeIf(",")
    try take("}", "a comma or a closing bracket")
  }

  /// Calls for each element; `body` consumes it.
  mutating func array(_ body: (inout HARScanner) throws(HARFault) -> Void) throws(HARFault) {
    try take("[", "a list")
    if takeIf("]") { return }
    repeat { try body(&self) } while takeIf(",")
    try take("]", "a comma or a closing bracket")
  }

  /// Consumes a string.
  ///
  /// - Returns: where its content is, escapes as they are written.
  mutating func string() throws(HARFault) -> Range<Int> {
    try take("\"", "a string")
    let start = at
    while let found = memchr(base + at, Int32(UInt8(ascii: "\"")), end - at) {
      let quote = UnsafeRawPointer(found) - base
      at = quote + 1
      if !isEscaped(quote, from: start) { return start..<quote }
    }
    throw HARFault("The string is never closed.", at: start - 1)
  }

  /// A quote after an odd number of backslashes is part of the string.
  private func isEscaped(_ quote: Int, from start: Int) -> Bool {
    var first = quote
    while first > start, byte(first - 1) == UInt8(ascii: "\\") { first -= 1 }
    return (quote - first) % 2 == 1
  }

  /// Consumes any value.
  ///
  /// - Returns: where it is.
  @discardableResult
  mutating func value() throws(HARFault) -> Range<Int> {
    skipBlanks()
    let start = at
    switch peek {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"), UInt8(ascii: "["): try container()
    default:
      while at < end, !Self.endsWord(byte(at)) { at += 1 }
      if at == start { throw fault("a value") }
    }
    return start..<at
  }

  /// Skips brackets and what is between them, however deep.
  private mutating func container() throws(HARFault) {
    let start = at
    var depth = 0
    while at < end {
      switch byte(at) {
      case UInt8(ascii: "\""): _ = try string()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        at += 1
        if depth == 0 { return }
      default: at += 1
      }
    }
    throw HARFault("The bracket is never closed.", at: start)
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
      || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ":")
  }
}

extension HARScanner {
  mutating func skipBlanks() {
    while at < end, byte(at) <= 0x20 { at += 1 }
  }

  /// The next byte that is no blank.
  private var peek: UInt8? {
    mutating get {
      skipBlanks()
      return at < end ? byte(at) : nil
    }
  }

  private mutating func takeIf(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private mutating func take(_ character: Unicode.Scalar, _ wanted: String) throws(HARFault) {
    guard takeIf(character) else { throw fault(wanted) }
  }

  private func fault(_ wanted: String) -> HARFault {
    HARFault(
      at < end
        ? "This is no JSON: \(wanted) is wanted here." : "The file ends where \(wanted) is wanted.",
      at: at)
  }

  private func byte(_ index: Int) -> UInt8 {
    base.load(fromByteOffset: index, as: UInt8.self)
  }
}

/// What in a capture can't be read, and where.
package struct HARFault: Error, Sendable, Equatable {
  package var message: String
  /// In the file's bytes.
  package var offset: Int

  init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
