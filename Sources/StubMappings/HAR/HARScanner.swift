import Foundation

/// Walks over JSON without building values: a capture has tens of megabytes, of which a launch needs
/// a few kilobytes.
///
/// It finds where values are; whoever needs one has it decoded. So it checks structure alone.
struct HARScanner {
  private let base: UnsafePointer<UInt8>
  private let end: Int
  private(set) var at: Int

  /// - Parameter bytes: must outlive the scanner.
  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int = 0) {
    // An empty file has no address: the limit of 0 keeps everybody from looking at this one.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
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
    guard let quote = closingQuote(from: start) else {
      throw HARFault("The string is never closed.", at: start - 1)
    }
    at = quote + 1
    return start..<quote
  }

  /// The quote that ends a string: it comes after an even number of backslashes.
  private func closingQuote(from start: Int) -> Int? {
    var from = start
    while let found = memchr(base + from, 0x22, end - from) {
      let quote = UnsafeRawPointer(found) - UnsafeRawPointer(base)
      var first = quote
      while first > start, base[first - 1] == 0x5C { first -= 1 }
      if (quote - first) & 1 == 0 { return quote }
      from = quote + 1
    }
    return nil
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
      while at < end, !Self.endsWord(base[at]) { at += 1 }
      if at == start { throw fault("a value") }
    }
    return start..<at
  }

  /// Skips brackets and what is between them, however deep.
  ///
  /// Apps under test are built without optimization, and nearly all of a capture is skipped here: so
  /// it is written with what costs nothing even then, local variables and literals.
  private mutating func container() throws(HARFault) {
    let (base, end) = (base, end)
    var index = at
    var depth = 0
    while index < end {
      let byte = base[index]
      index += 1
      if byte == 0x22 {
        guard let quote = closingQuote(from: index) else {
          throw HARFault("The string is never closed.", at: index - 1)
        }
        index = quote + 1
      } else if byte == 0x7B || byte == 0x5B {
        depth += 1
      } else if byte == 0x7D || byte == 0x5D {
        depth -= 1
        if depth == 0 {
          at = index
          return
        }
      }
    }
    throw HARFault("The bracket is never closed.", at: at)
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
      || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ":")
  }
}

extension HARScanner {
  mutating func skipBlanks() {
    let (base, end) = (base, end)
    var index = at
    while index < end, base[index] <= 0x20 { index += 1 }
    at = index
  }

  /// The next byte that is no blank.
  private var peek: UInt8? {
    mutating get {
      skipBlanks()
      return at < end ? base[at] : nil
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
