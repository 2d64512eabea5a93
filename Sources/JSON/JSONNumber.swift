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
    let decimal = ExactDecimal(text)
    guard let exponent = decimal.exponent else { return nil }
    guard !decimal.digits.isEmpty else { return 0 }
    guard exponent >= 0, decimal.digits.count <= 19, exponent <= 19 else { return nil }
    let digits = decimal.digits + [UInt8](repeating: UInt8(ascii: "0"), count: exponent)
    return Int((decimal.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }

  /// Whether there is nothing after the point, however large the number is.
  package var isWhole: Bool {
    let decimal = ExactDecimal(text)
    return decimal.exponent.map { $0 >= 0 } ?? (decimal.magnitude > 0)
  }

  /// The nearest `Double`; `nil` where none comes near (`1e999`).
  public var double: Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

extension JSONNumber: Hashable, Comparable {
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || ExactDecimal(left.text) == ExactDecimal(right.text)
  }

  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    ExactDecimal(left.text).isLess(than: ExactDecimal(right.text))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactDecimal(text).digits)
  }

  /// Whether it is written as a whole number above zero of a few digits, the last of them no zero.
  private var isShortWhole: Bool {
    let bytes = text.utf8
    return bytes.count < 16 && bytes.first != UInt8(ascii: "0") && bytes.last != UInt8(ascii: "0")
      && bytes.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The same text for equal numbers.
  package var canonicalText: String {
    if isShortWhole { return text + "e0" }
    let decimal = ExactDecimal(text)
    guard let exponent = decimal.exponent else { return text }
    let digits = decimal.digits.isEmpty ? "0" : String(decoding: decimal.digits, as: UTF8.self)
    return "\(decimal.isNegative ? "-" : "")\(digits)e\(exponent)"
  }
}

/// The value of a number: `digits` × 10 ^ `exponent`.
///
/// Where the exponent itself is beyond all use (20 digits), a number only equals one that is written
/// in the same way.
private struct ExactDecimal {
  var isNegative: Bool
  /// ASCII, without zeros at either end; none for zero.
  var digits: [UInt8]
  /// `nil` where it doesn't fit.
  var exponent: Int?
  /// How many digits there are before the point, negative for zeros after it; the greatest or least
  /// where it doesn't fit.
  var magnitude: Int

  /// - Parameter text: a JSON number.
  init(_ text: String) {
    var rest = Array(text.utf8)[...]
    let hasMinus = rest.first == UInt8(ascii: "-")
    if hasMinus { rest = rest.dropFirst() }
    let mantissa = rest.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    let written = mantissa.filter { $0 != UInt8(ascii: ".") }
    let zeros = written.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    digits = Array(written.dropLast(zeros).drop { $0 == UInt8(ascii: "0") })
    isNegative = hasMinus && !digits.isEmpty
    guard !digits.isEmpty else {
      (exponent, magnitude) = (0, 0)
      return
    }
    let power = rest.dropFirst(mantissa.count + 1)
    let shift = zeros - max(0, mantissa.endIndex - point - 1)
    let greatest = power.first == UInt8(ascii: "-") ? Int.min : Int.max
    let exponent =
      power.isEmpty ? shift : Self.sum(String(decoding: power, as: UTF8.self), shift)
    magnitude = Self.sum(exponent ?? greatest, digits.count) ?? greatest
    self.exponent = exponent
  }

  private static func sum(_ power: String, _ shift: Int) -> Int? {
    Int(power).flatMap { sum($0, shift) }
  }

  private static func sum(_ left: Int, _ right: Int) -> Int? {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? nil : sum
  }

  static func == (left: Self, right: Self) -> Bool {
    guard let exponent = left.exponent, right.exponent != nil else { return false }
    return left.isNegative == right.isNegative && exponent == right.exponent
      && left.digits == right.digits
  }

  func isLess(than other: Self) -> Bool {
    if isNegative != other.isNegative { return isNegative }
    return isNegative ? other.isSmaller(than: self) : isSmaller(than: other)
  }

  /// Whatever the signs are.
  private func isSmaller(than other: Self) -> Bool {
    if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
    if magnitude != other.magnitude { return magnitude < other.magnitude }
    return digits.lexicographicallyPrecedes(other.digits)
  }
}
