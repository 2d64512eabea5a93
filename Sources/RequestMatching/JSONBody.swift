/// A JSON text that was sent, read strictly; what `equalToJson` compares.
package indirect enum JSONBody: Sendable {
  case null
  case bool(Bool)
  case number(DecimalNumber)
  case string(String)
  case array([JSONBody])
  /// Sorted by the keys' bytes. Of equal keys the last one counted, as in most servers' parsers.
  case object([JSONBodyMember])
}

package struct JSONBodyMember: Sendable {
  package var key: String
  package var value: JSONBody
}

/// A number as JSON writes it, compared by its value: `1`, `1.0` and `10e-1` are equal, and no digit is
/// lost, however many there are.
package struct DecimalNumber: Sendable, Hashable {
  private let isNegative: Bool
  /// Without zeros at either end.
  private let digits: [UInt8]
  private let exponent: Int
  package let text: String

  /// - Parameter text: a JSON number.
  init(_ text: String) {
    self.text = text
    var rest = Array(text.utf8)[...]
    let isMinus = rest.first == UInt8(ascii: "-")
    if isMinus { rest = rest.dropFirst() }
    let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let written = Int(String(decoding: rest.dropFirst(mantissa.count + 1), as: UTF8.self)) ?? 0
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    let fraction = max(0, mantissa.endIndex - point - 1)
    var digits = Array(mantissa.filter { $0 != UInt8(ascii: ".") }.drop { $0 == 0x30 })
    let trailing = digits.reversed().prefix { $0 == 0x30 }.count
    digits.removeLast(trailing)
    self.digits = digits
    isNegative = isMinus && !digits.isEmpty
    exponent =
      digits.isEmpty ? 0 : written.addingReportingOverflow(trailing - fraction).partialValue
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.isNegative == right.isNegative && left.exponent == right.exponent
      && left.digits == right.digits
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(digits)
  }
}

extension JSONBody {
  /// - Returns: `nil` where the bytes are not JSON as RFC 8259 has it.
  package init?(parsing bytes: [UInt8]) {
    guard String(validating: bytes, as: UTF8.self) != nil,
      let value = StrictJSONParser.parse(bytes)
    else { return nil }
    self = value
  }

  /// - Parameter members: in the order in which they are written.
  static func object(written members: [(key: String, value: JSONBody)]) -> JSONBody {
    let ordered = members.enumerated().sorted { left, right in
      left.element.key.hasSameBytes(as: right.element.key)
        ? left.offset < right.offset
        : left.element.key.utf8.lexicographicallyPrecedes(right.element.key.utf8)
    }
    var kept: [JSONBodyMember] = []
    for (_, member) in ordered {
      if let last = kept.last, last.key.hasSameBytes(as: member.key) { kept.removeLast() }
      kept.append(JSONBodyMember(key: member.key, value: member.value))
    }
    return .object(kept)
  }

  /// Compact JSON, keys sorted.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let number): number.text
    case .string(let text): Self.quoted(text)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}

extension String {
  /// Equality as it was promised: byte for byte, so that é is not e with an accent.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
