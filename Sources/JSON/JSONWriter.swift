/// How JSON is written.
package struct JSONStyle: Sendable {
  /// One member or element a line, indented by two spaces.
  package var isPretty: Bool
  /// Whether keys are sorted by their bytes; otherwise they stay in their order.
  package var sortsKeys: Bool
  /// Which characters are written as `\u` escapes besides those that must be; it also gets the
  /// character before.
  package var escapes: (@Sendable (_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?) -> Bool)?

  package static let compact = JSONStyle()
  package static let pretty = JSONStyle(isPretty: true)
  /// For a text that is compared: one line, keys sorted.
  package static let canonical = JSONStyle(sortsKeys: true)

  package init(
    isPretty: Bool = false, sortsKeys: Bool = false,
    escapes: (@Sendable (_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?) -> Bool)? = nil
  ) {
    self.isPretty = isPretty
    self.sortsKeys = sortsKeys
    self.escapes = escapes
  }
}

extension JSONValue {
  /// The value as JSON in one line, without a newline at the end.
  public func bytes() -> [UInt8] { bytes(.compact) }

  /// The value as JSON in one line, without a newline at the end.
  public func text() -> String { text(.compact) }

  package func bytes(_ style: JSONStyle) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.append(self)
    return writer.bytes
  }

  package func text(_ style: JSONStyle) -> String {
    String(decoding: bytes(style), as: UTF8.self)
  }
}

/// Writes JSON: the same values always give the same bytes.
package struct JSONWriter {
  package var bytes: [UInt8] = []
  private let style: JSONStyle
  private var depth = 0

  package init(_ style: JSONStyle = .compact) {
    self.style = style
  }

  package mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append(raw: "null")
    case .bool(let value): append(raw: value ? "true" : "false")
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let text): append(string: text)
    case .array(let elements): append(elements)
    case .object(let object): append(style.sortsKeys ? object.sortedMembers : object.members)
    }
  }

  private mutating func append(_ elements: [JSONValue]) {
    append(raw: "[")
    depth += 1
    for index in elements.indices {
      separate(isFirst: index == 0)
      append(elements[index])
    }
    close("]", isEmpty: elements.isEmpty)
  }

  private mutating func append(_ members: [JSONObject.Member]) {
    append(raw: "{")
    depth += 1
    for index in members.indices {
      separate(isFirst: index == 0)
      append(string: members[index].key)
      append(raw: style.isPretty ? ": " : ":")
      append(members[index].value)
    }
    close("}", isEmpty: members.isEmpty)
  }

  private mutating func separate(isFirst: Bool) {
    if !isFirst { append(raw: ",") }
    if style.isPretty { breakLine() }
  }

  private mutating func close(_ bracket: StaticString, isEmpty: Bool) {
    depth -= 1
    if style.isPretty, !isEmpty { breakLine() }
    append(raw: bracket)
  }

  private mutating func breakLine() {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  /// Appends a whole number; `description` takes several times as long.
  package mutating func append(integer: Int) {
    guard integer >= 0 else { return bytes.append(contentsOf: integer.description.utf8) }
    var place = 1
    while integer / place >= 10 { place *= 10 }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(integer / place % 10))
      place /= 10
    }
  }

  /// Appends bytes as they are.
  package mutating func append(raw text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

// MARK: - Strings

extension JSONWriter {
  /// Appends a string with its quotes, escaped.
  package mutating func append(string: String) {
    append(raw: "\"")
    if let escapes = style.escapes {
      append(string, escapes)
    } else {
      var string = string
      string.withUTF8 { append(escaping: $0) }
    }
    append(raw: "\"")
  }

  /// Appends a part of a string, escaped, without quotes.
  package mutating func append(escaping text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in text.indices where Self.mustEscape(text[index]) {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      appendEscape(of: text[index])
      start = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  private mutating func append(
    _ string: String, _ escapes: (Unicode.Scalar, Unicode.Scalar?) -> Bool
  ) {
    var previous: Unicode.Scalar?
    var start = string.startIndex
    for index in string.unicodeScalars.indices {
      let scalar = string.unicodeScalars[index]
      let isASCII = scalar.isASCII && Self.mustEscape(UInt8(scalar.value))
      if isASCII || escapes(scalar, previous) {
        bytes.append(contentsOf: string.utf8[start..<index])
        start = string.unicodeScalars.index(after: index)
        if isASCII {
          appendEscape(of: UInt8(scalar.value))
        } else {
          for unit in scalar.utf16 { appendEscape(of: unit) }
        }
      }
      previous = scalar
    }
    bytes.append(contentsOf: string.utf8[start...])
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\n"): append(raw: "\\n")
    case UInt8(ascii: "\r"): append(raw: "\\r")
    case UInt8(ascii: "\t"): append(raw: "\\t")
    case 0..<0x20: appendEscape(of: UInt16(byte))
    default:
      append(raw: "\\")
      bytes.append(byte)
    }
  }

  private mutating func appendEscape(of unit: UInt16) {
    let digits = String(unit, radix: 16)
    append(raw: "\\u")
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
    bytes.append(contentsOf: digits.utf8)
  }
}
