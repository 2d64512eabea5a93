/// Reads JSON (RFC 8259) part by part, strictly and in time that grows with the text.
///
/// It is what makes a `JSONValue`, and for who needs only parts of a large text: nothing is decoded or
/// copied until it is asked for. Who takes every value to the end has checked the whole text.
///
/// ```swift
/// try reader.enterObject()
/// while let key = try reader.nextKey() {
///   if reader.isEqual(key, "url") { url = try reader.string() } else { try reader.skipValue() }
/// }
/// try reader.finish()
/// ```
package struct JSONReader {
  /// A string in the text, checked and not decoded.
  package struct Text: Sendable, Equatable {
    /// Its content, without the quotes.
    package var range: Range<Int>
    package var hasEscapes: Bool

    package init(range: Range<Int>, hasEscapes: Bool = false) {
      self.range = range
      self.hasEscapes = hasEscapes
    }
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// Where the next byte is read.
  package var offset: Int
  let end: Int
  let limits: JSONLimits
  /// How many arrays and objects are open.
  private var depth = 0
  /// Whether nothing was read since the last bracket opened.
  private var isFirst = false

  /// - Parameters:
  ///   - bytes: must outlive the reader.
  ///   - range: what of it is read; all if absent.
  package init(
    _ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>? = nil, limits: JSONLimits = .standard
  ) {
    self.bytes = bytes
    self.limits = limits
    offset = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  package enum Kind: Sendable {
    case null, bool, number, string, array, object
  }

  /// The kind of the next value, after white space.
  package mutating func nextKind() throws(JSONError) -> Kind {
    skipSpace()
    guard let next = peek else { throw expected(.value) }
    switch next {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    default: throw expected(.value)
    }
  }
}

// MARK: - Structure

extension JSONReader {
  package mutating func enterObject() throws(JSONError) {
    try enter(UInt8(ascii: "{"), .object)
  }

  /// The next key, its value being what is read next; `nil` where the object has ended.
  package mutating func nextKey() throws(JSONError) -> Text? {
    guard try hasNext(before: UInt8(ascii: "}"), else: .commaOrBrace) else { return nil }
    skipSpace()
    guard peek == UInt8(ascii: "\"") else { throw expected(.key) }
    let key = try string()
    skipSpace()
    guard takeIf(UInt8(ascii: ":")) else { throw expected(.colon) }
    return key
  }

  package mutating func enterArray() throws(JSONError) {
    try enter(UInt8(ascii: "["), .array)
  }

  /// Whether the array has a further element, which is read next.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try hasNext(before: UInt8(ascii: "]"), else: .commaOrBracket)
  }

  /// Checks that nothing but white space follows.
  package mutating func finish() throws(JSONError) {
    skipSpace()
    if offset != end { throw expected(.end) }
  }

  private mutating func enter(_ bracket: UInt8, _ wanted: JSONError.Wanted) throws(JSONError) {
    skipSpace()
    guard peek == bracket else { throw expected(wanted) }
    guard depth < limits.depth else { throw JSONError(.tooDeep(limit: limits.depth), at: offset) }
    offset += 1
    depth += 1
    isFirst = true
  }

  private mutating func hasNext(
    before bracket: UInt8, else wanted: JSONError.Wanted
  ) throws(JSONError) -> Bool {
    skipSpace()
    let wasFirst = isFirst
    isFirst = false
    if takeIf(bracket) {
      depth -= 1
      return false
    }
    if !wasFirst, !takeIf(UInt8(ascii: ",")) { throw expected(wanted) }
    return true
  }
}

// MARK: - Values

extension JSONReader {
  package mutating func bool() throws(JSONError) -> Bool {
    skipSpace()
    if peek == UInt8(ascii: "t") {
      try word("true")
      return true
    }
    try word("false")
    return false
  }

  package mutating func null() throws(JSONError) {
    skipSpace()
    try word("null")
  }

  /// Where a number is.
  package mutating func number() throws(JSONError) -> Range<Int> {
    skipSpace()
    let start = offset
    _ = takeIf(UInt8(ascii: "-"))
    if !takeIf(UInt8(ascii: "0")) { try digits(start == offset ? .value : .digit) }
    if takeIf(UInt8(ascii: ".")) { try digits(.digit) }
    if takeIf(UInt8(ascii: "e")) || takeIf(UInt8(ascii: "E")) {
      if !takeIf(UInt8(ascii: "+")) { _ = takeIf(UInt8(ascii: "-")) }
      try digits(.digit)
    }
    return start..<offset
  }

  /// Reads any value, checked like every other.
  ///
  /// - Returns: where it is, white space around it left out.
  @discardableResult
  package mutating func skipValue() throws(JSONError) -> Range<Int> {
    skipSpace()
    let start = offset
    switch try nextKind() {
    case .object:
      try enterObject()
      while try nextKey() != nil { try skipValue() }
    case .array:
      try enterArray()
      while try nextElement() { try skipValue() }
    case .string: _ = try string()
    case .number: _ = try number()
    case .bool: _ = try bool()
    case .null: try null()
    }
    return start..<offset
  }

  /// Finds the end of any value by its brackets and quotation marks alone; what is in it stays unchecked.
  ///
  /// For texts of tens of megabytes of which a few kilobytes are needed, each of them checked when it
  /// is. Programs without optimization do this as well: so it has what costs nothing even then, local
  /// variables and literals.
  ///
  /// - Returns: where the value is, white space around it left out.
  @discardableResult
  package mutating func skipUncheckedValue() throws(JSONError) -> Range<Int> {
    let kind = try nextKind()
    guard kind == .object || kind == .array || kind == .string, let base = bytes.baseAddress
    else { return try skipValue() }
    let start = offset
    let end = end
    var (index, depth, isInString) = (start, 0, false)
    while index < end {
      let byte = base[index]
      index += 1
      if isInString {
        if byte == 0x5C {
          index += 1
        } else if byte == 0x22 {
          isInString = false
          if depth == 0 { break }
        }
      } else if byte == 0x22 {
        isInString = true
      } else if byte == 0x7B || byte == 0x5B {
        depth += 1
      } else if byte == 0x7D || byte == 0x5D {
        depth -= 1
        if depth == 0 { break }
      }
    }
    offset = min(index, end)
    if isInString || depth > 0 || index > end {
      throw JSONError(.endOfText(isInString ? .closingQuote : .closingBracket), at: end)
    }
    return start..<offset
  }

  private mutating func word(_ word: StaticString) throws(JSONError) {
    let range = offset..<min(end, offset + word.utf8CodeUnitCount)
    guard isEqual(Text(range: range), word) else { throw expected(.value) }
    offset = range.upperBound
  }

  private mutating func digits(_ wanted: JSONError.Wanted) throws(JSONError) {
    guard let first = peek, isDigit(first) else { throw expected(wanted) }
    while let next = peek, isDigit(next) { offset += 1 }
  }
}

// MARK: - Bytes

extension JSONReader {
  package mutating func skipSpace() {
    while offset < end {
      let byte = bytes[offset]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      offset += 1
    }
  }

  /// The next byte, white space included.
  package var peek: UInt8? { offset < end ? bytes[offset] : nil }

  package func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  mutating func takeIf(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  func expected(_ wanted: JSONError.Wanted) -> JSONError {
    JSONError(offset < end ? .expected(wanted) : .endOfText(wanted), at: offset)
  }
}
