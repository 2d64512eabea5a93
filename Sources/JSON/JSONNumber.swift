/// A number with the digits with which it was written.
///
/// Equality is by exact value: `1`, `1.0` and `10e-1` are equal, and no digit is lost, however many
/// there are.
public struct JSONNumber: Sendable {
  public let text: String

  /// - Returns: `nil` where the text isn't a number as RFC 8259 has it.
  public init?(_ text: String) {
    var text = text
    let isNumber = text.withUTF8 { bytes in
      var reader = JSONReader(bytes)
      return (try? reader.number()) == 0..<bytes.count
    }
    guard isNumber else { return nil }
    self.init(unchecked: text)
  }

  public init(_ value: Int) {
    self.init(unchecked: String(value))
  }

  /// - Returns: `nil` where the value isn't finite.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(unchecked: "\(value)")
  }

  init(unchecked text: String) {
    self.text = text
  }

  /// The value where it is whole and fits: `2.0` and `2e3` do.
  public var int: Int? {
    if let int = Int(text) { return int }
    guard let decimal = ExactDecimal(text), let exponent = decimal.exponent else { return nil }
    guard !decimal.digits.isEmpty else { return 0 }
    guard exponent >= 0, decimal.digits.count <= 19, exponent <= 19 else { return nil }
    let digits = decimal.digits + [UInt8](repeating: UInt8(ascii: "0"), count: exponent)
    return Int((decimal.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }

  /// The nearest `Double`; `nil` where none comes near (`1e999`).
  public var double: Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension JSONNumber: Hashable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || ExactDecimal(left.text) == ExactDecimal(right.text)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactDecimal(text))
  }
}

/// The value of a number: `digits` × 10 ^ `exponent`.
private struct ExactDecimal: Hashable {
  var isNegative: Bool
  /// ASCII, without zeros at either end; none for zero.
  var digits: [UInt8]
  /// `nil` where it doesn't fit; `digits` are then the whole text, so that only the same text is equal.
  var exponent: Int?

  /// - Parameter text: a JSON number.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    let hasMinus = rest.first == UInt8(ascii: "-")
    if hasMinus { rest = rest.dropFirst() }
    let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    let zeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    digits = Array(digits.dropLast(zeros).drop { $0 == UInt8(ascii: "0") })
    isNegative = hasMinus && !digits.isEmpty
    guard !digits.isEmpty else {
      exponent = 0
      return
    }
    let written = rest.dropFirst(mantissa.count + 1)
    let shift = zeros - max(0, mantissa.endIndex - point - 1)
    exponent = written.isEmpty ? shift : Self.sum(written, shift)
    if exponent == nil { digits = Array(text.utf8) }
  }

  private static func sum(_ written: ArraySlice<UInt8>, _ shift: Int) -> Int? {
    guard let exponent = Int(String(decoding: written, as: UTF8.self)) else { return nil }
    let (sum, overflows) = exponent.addingReportingOverflow(shift)
    return overflows ? nil : sum
  }
}
