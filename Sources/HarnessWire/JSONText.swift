/// Writes JSON, where much is written: a store line, a message of the dialogue.
enum JSONText {
  /// Appends a value without any space, keys sorted.
  ///
  /// - Throws: where a number is not finite, which JSON can't write.
  static func append(_ value: JSONValue, to line: inout [UInt8]) throws {
    switch value {
    case .null: line.append(contentsOf: "null".utf8)
    case .bool(let value): line.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): line.append(contentsOf: String(value).utf8)
    case .number(let value): try append(value, to: &line)
    case .string(let value): append(value, to: &line)
    case .array(let values):
      try append(values, within: "[", "]", to: &line) { try append($0, to: &$1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      try append(sorted, within: "{", "}", to: &line) { member, line in
        append(member.key, to: &line)
        line.append(UInt8(ascii: ":"))
        try append(member.value, to: &line)
      }
    }
  }

  private static func append<Element>(
    _ elements: [Element], within start: Unicode.Scalar, _ end: Unicode.Scalar,
    to line: inout [UInt8], _ appendElement: (Element, inout [UInt8]) throws -> Void
  ) throws {
    line.append(UInt8(ascii: start))
    for (index, element) in elements.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      try appendElement(element, &line)
    }
    line.append(UInt8(ascii: end))
  }

  private static func append(_ number: Double, to line: inout [UInt8]) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(
        number, .init(codingPath: [], debugDescription: "JSON has no \(number)."))
    }
    let text = Int(exactly: number).map(String.init) ?? "\(number)"
    line.append(contentsOf: text.utf8)
  }

  /// Appends a string with its quotes, escaped.
  static func append(_ text: String, to line: inout [UInt8]) {
    var text = text
    line.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var start = 0
      for index in bytes.indices where isEscaped(bytes[index]) {
        line.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
        appendEscape(of: bytes[index], to: &line)
        start = index + 1
      }
      line.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    line.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\\"))
    guard byte < 0x20 else { return line.append(byte) }
    line.append(contentsOf: "u00".utf8)
    line.append(hexDigits[Int(byte >> 4)])
    line.append(hexDigits[Int(byte & 15)])
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
