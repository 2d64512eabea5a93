import JSON

/// Reads JSONPaths by the grammar of RFC 9535, appendix A.
struct JSONPathParser {
  private let bytes: [UInt8]
  private var position = 0
  /// How many filters and brackets are open.
  private var depth = 0
  private static let depthLimit = 50

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func path() throws(JSONPathError) -> [JSONPath.Segment] {
    guard take("$") else { throw expected("\"$\", with which a JSONPath begins") }
    let segments = try segments()
    guard position == bytes.count else { throw expected("\".\", \"..\" or \"[\"") }
    return segments
  }

  /// Segments, until something else comes.
  private mutating func segments() throws(JSONPathError) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    while true {
      let start = position
      skipSpace()
      if take("..") {
        segments.append(.init(isDescendant: true, selectors: try descendants()))
      } else if take(".") {
        segments.append(.init(isDescendant: false, selectors: [try shorthand()]))
      } else if take("[") {
        segments.append(.init(isDescendant: false, selectors: try selectors()))
      } else {
        position = start
        return segments
      }
    }
  }

  private mutating func descendants() throws(JSONPathError) -> [JSONPath.Selector] {
    take("[") ? try selectors() : [try shorthand()]
  }

  /// `*` or a name without quotes.
  private mutating func shorthand() throws(JSONPathError) -> JSONPath.Selector {
    if take("*") { return .wildcard }
    let start = position
    while let byte = peek, Self.isNameByte(byte), position > start || !Self.isDigit(byte) {
      position += 1
    }
    guard position > start else { throw expected("a name or \"*\"") }
    return .name(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  /// What stands in brackets, and the closing one.
  private mutating func selectors() throws(JSONPathError) -> [JSONPath.Selector] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw error("The path has too many open brackets.") }
    var selectors: [JSONPath.Selector] = []
    repeat {
      skipSpace()
      selectors.append(try selector())
      skipSpace()
    } while take(",")
    guard take("]") else { throw expected("\",\" or \"]\"") }
    return selectors
  }

  private mutating func selector() throws(JSONPathError) -> JSONPath.Selector {
    switch peek {
    case UInt8(ascii: "'"), UInt8(ascii: "\""): return .name(try string())
    case UInt8(ascii: "*"):
      position += 1
      return .wildcard
    case UInt8(ascii: "?"):
      position += 1
      skipSpace()
      return .filter(try filter())
    default: return try indexOrSlice()
    }
  }

  private mutating func indexOrSlice() throws(JSONPathError) -> JSONPath.Selector {
    let start = try integer()
    let afterStart = position
    skipSpace()
    guard take(":") else {
      position = afterStart
      guard let start else { throw expected("a name in quotes, an index, \"*\", \":\" or \"?\"") }
      return .index(start)
    }
    skipSpace()
    let end = try integer()
    skipSpace()
    guard take(":") else { return .slice(start: start, end: end, step: 1) }
    skipSpace()
    return .slice(start: start, end: end, step: try integer() ?? 1)
  }

  /// - Returns: `nil` where no number comes.
  private mutating func integer() throws(JSONPathError) -> Int? {
    let start = position
    let isNegative = take("-")
    let digits = takeDigits()
    if digits.isEmpty, !isNegative { return nil }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // RFC 9535, section 2.1: what I-JSON can hold.
    guard !digits.isEmpty, digits.first != UInt8(ascii: "0") || digits.count == 1, text != "-0",
      let value = Int(text), value.magnitude < 1 << 53
    else { throw JSONPathError(message: "\"\(text)\" isn't a valid index.", offset: start) }
    return value
  }
}

// MARK: - Filters

extension JSONPathParser {
  private mutating func filter() throws(JSONPathError) -> JSONPath.Filter {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw error("The path has too many open brackets.") }
    let filter = try test()
    skipSpace()
    if starts("&&") || starts("||") {
      throw error(
        "A filter has one comparison or existence test: \"&&\" and \"||\" aren't supported.")
    }
    return filter
  }

  private mutating func test() throws(JSONPathError) -> JSONPath.Filter {
    if !starts("!="), take("!") {
      skipSpace()
      if take("(") { return .not(try bracketed()) }
      return .not(.exists(try query()))
    }
    if take("(") { return try bracketed() }
    let start = position
    let left = try operand()
    let afterLeft = position
    skipSpace()
    guard let relation = JSONPath.Relation.allCases.first(where: { take($0.rawValue) }) else {
      position = afterLeft
      guard case .query(let query) = left else {
        throw expected("\"==\" or another comparison")
      }
      return .exists(query)
    }
    try checkSingular(left, at: start)
    skipSpace()
    let middle = position
    let right = try operand()
    try checkSingular(right, at: middle)
    return .compare(left, relation, right)
  }

  private mutating func bracketed() throws(JSONPathError) -> JSONPath.Filter {
    skipSpace()
    let filter = try filter()
    guard take(")") else { throw expected("\")\"") }
    return filter
  }

  private func checkSingular(
    _ operand: JSONPath.Operand, at offset: Int
  ) throws(JSONPathError) {
    guard case .query(let query) = operand, !JSONPath.isSingular(query.segments) else { return }
    throw JSONPathError(
      message: "What is compared must be one value: its path has only names and indexes.",
      offset: offset)
  }

  private mutating func query() throws(JSONPathError) -> JSONPath.Query {
    guard peek == UInt8(ascii: "@") || peek == UInt8(ascii: "$") else {
      throw isFunction
        ? error("Functions aren't supported.") : expected("\"@\" or \"$\"")
    }
    position += 1
    let isRelative = bytes[position - 1] == UInt8(ascii: "@")
    return JSONPath.Query(isRelative: isRelative, segments: try segments())
  }

  private mutating func operand() throws(JSONPathError) -> JSONPath.Operand {
    if peek == UInt8(ascii: "'") || peek == UInt8(ascii: "\"") {
      return .literal(.string(try string()))
    }
    if let byte = peek, Self.isDigit(byte) || byte == UInt8(ascii: "-") {
      return .literal(try number())
    }
    if !isFunction {
      for (word, value) in [
        ("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null),
      ]
      where take(word) { return .literal(value) }
    }
    return .query(try query())
  }

  /// Whether a name with a bracket comes: `length(`.
  private var isFunction: Bool {
    let name = bytes[position...].prefix { Self.isNameByte($0) && $0 < 0x80 }
    return !name.isEmpty && bytes[(position + name.count)...].first == UInt8(ascii: "(")
  }

  private mutating func number() throws(JSONPathError) -> JSONValue {
    let start = position
    while let byte = peek, Self.isDigit(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let number = JSONNumber(text) else {
      throw JSONPathError(
        message: "\"\(text)\" isn't a number as JSON writes it.", offset: start)
    }
    return .number(number)
  }
}

// MARK: - Strings

extension JSONPathParser {
  /// Escapes are JSON's, and `\'` between single quotes, where `\"` isn't one.
  private mutating func string() throws(JSONPathError) -> String {
    let start = position
    let quote = bytes[position]
    position += 1
    var json: [UInt8] = [UInt8(ascii: "\"")]
    while let byte = peek, byte != quote {
      position += 1
      if byte == UInt8(ascii: "\\") {
        let next = peek
        position += 1
        if next == UInt8(ascii: "'"), quote == next {
          json.append(UInt8(ascii: "'"))
        } else if next == UInt8(ascii: "\""), quote != next {
          throw JSONPathError(message: "\\\" isn't an escape between single quotes.", offset: start)
        } else {
          json += [byte] + (next.map { [$0] } ?? [])
        }
      } else {
        json += byte == UInt8(ascii: "\"") ? Array(#"\""#.utf8) : [byte]
      }
    }
    guard position < bytes.count else { throw error("The closing quotation mark is missing.") }
    position += 1
    guard let text = try? JSONValue(parsing: json + [UInt8(ascii: "\"")]).string else {
      throw JSONPathError(message: "The string has an invalid escape.", offset: start)
    }
    return text
  }
}

// MARK: - Bytes

extension JSONPathParser {
  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private mutating func take(_ text: String) -> Bool {
    guard starts(text) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func takeDigits() -> ArraySlice<UInt8> {
    let digits = bytes[position...].prefix(while: Self.isDigit)
    position += digits.count
    return digits
  }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }

  private func error(_ message: String) -> JSONPathError {
    JSONPathError(message: message, offset: position)
  }

  private func expected(_ wanted: String) -> JSONPathError {
    let rest = String(decoding: bytes[position...], as: UTF8.self)
    let found = rest.first.map { "\"\($0)\"" } ?? "the end"
    return error("Expected \(wanted), found \(found).")
  }
}
