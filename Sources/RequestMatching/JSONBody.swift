/// A JSON text that was sent, read strictly; what `equalToJson` compares.
package indirect enum JSONBody: Sendable {
  case null
  case bool(Bool)
  case number(DecimalNumber)
  case string(String)
  case array([JSONBody])
  /// Sorted by the keys' bytes, members with the same key in the order in which they are written.
  case object([JSONBodyMember])
}

package struct JSONBodyMember: Sendable {
  package var key: String
  package var value: JSONBody
}

/// A number as JSON writes it, compared by its value: `1`, `1.0` and `10e-1` are equal, and no digit is
/// lost, however many there are.
///
/// Where the exponent itself is beyond all use (20 digits), a number only equals one that is written
/// in the same way.
package struct DecimalNumber: Sendable, Hashable {
  private let isNegative: Bool
  /// Without zeros at either end.
  private let digits: [UInt8]
  /// `nil` where it doesn't fit.
  private let exponent: Int?
  package let text: String

  /// - Parameter text: a JSON number.
  init(_ text: String) {
    self.text = text
    var rest = Array(text.utf8)[...]
    let isMinus = rest.first == UInt8(ascii: "-")
    if isMinus { rest = rest.dropFirst() }
    let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let power = rest.dropFirst(mantissa.count + 1)
    let written = power.isEmpty ? 0 : Int(String(decoding: power, as: UTF8.self))
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    let fraction = max(0, mantissa.endIndex - point - 1)
    var digits = Array(mantissa.filter { $0 != UInt8(ascii: ".") }.drop { $0 == 0x30 })
    let trailing = digits.reversed().prefix { $0 == 0x30 }.count
    digits.removeLast(trailing)
    self.digits = digits
    isNegative = isMinus && !digits.isEmpty
    exponent = digits.isEmpty ? 0 : written.flatMap { Self.sum($0, trailing - fraction) }
  }

  private static func sum(_ left: Int, _ right: Int) -> Int? {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? nil : sum
  }

  package static func == (left: Self, right: Self) -> Bool {
    guard let exponent = left.exponent, right.exponent != nil else {
      return left.text.hasSameBytes(as: right.text)
    }
    return left.isNegative == right.isNegative && exponent == right.exponent
      && left.digits == right.digits
  }

  /// The same text for equal numbers.
  var identity: String {
    guard let exponent else { return "n\(text);" }
    return "n\(isNegative ? "-" : "")\(String(decoding: digits, as: UTF8.self))e\(exponent);"
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
    return .object(ordered.map { JSONBodyMember(key: $0.element.key, value: $0.element.value) })
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

extension [JSONBodyMember] {
  /// The keys that stand in an object more than once, each as often as it is repeated.
  var repeatedKeys: [String] {
    zip(self, dropFirst()).filter { $0.key.hasSameBytes(as: $1.key) }.map(\.0.key)
  }

  var hasRepeatedKeys: Bool {
    guard count > 1 else { return false }
    return (1..<count).contains { self[$0 - 1].key.hasSameBytes(as: self[$0].key) }
  }

  /// The values of a key, in the order in which they are written.
  func values(of key: String) -> [JSONBody] {
    self[index(of: key)...].prefix { $0.key.hasSameBytes(as: key) }.map(\.value)
  }

  /// The index of the first member that doesn't come before a key, found by halving.
  func index(of key: String) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension String {
  /// Equality as it was promised: byte for byte, so that é is not e with an accent.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}
