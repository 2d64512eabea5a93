/// The order of numbers as JSON writes them, by their exact values.
enum DecimalOrder {
  static func isLess(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Parts(left), Parts(right))
    if left.sign != right.sign { return left.sign < right.sign }
    if left.sign == 0 { return false }
    return left.sign > 0 ? left.isSmaller(than: right) : right.isSmaller(than: left)
  }

  private struct Parts {
    /// -1, 0 or 1.
    var sign = 0
    /// Without zeros at either end.
    var digits: [UInt8] = []
    /// The number is 0.`digits` × 10 ^ `exponent`; the greatest or least where it doesn't fit.
    var exponent = 0

    init(_ text: String) {
      let unsigned = text.utf8.drop { $0 == UInt8(ascii: "-") }
      let parts = unsigned.split(
        maxSplits: 1, omittingEmptySubsequences: false,
        whereSeparator: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") })
      let whole = parts[0].prefix { $0 != UInt8(ascii: ".") }
      let written = parts[0].filter { $0 != UInt8(ascii: ".") }
      let significant = written.drop { $0 == UInt8(ascii: "0") }
      guard !significant.isEmpty else { return }
      sign = unsigned.count < text.utf8.count ? -1 : 1
      let zeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
      digits = Array(significant.dropLast(zeros))
      let shift = whole.count - (written.count - significant.count)
      exponent = parts.count > 1 ? Self.sum(String(parts[1]) ?? "", shift) : shift
    }

    private static func sum(_ power: String, _ shift: Int) -> Int {
      let greatest = power.hasPrefix("-") ? Int.min : Int.max
      guard let power = Int(power) else { return greatest }
      let (sum, isTooLarge) = power.addingReportingOverflow(shift)
      return isTooLarge ? greatest : sum
    }

    func isSmaller(than other: Parts) -> Bool {
      if exponent != other.exponent { return exponent < other.exponent }
      return digits.lexicographicallyPrecedes(other.digits)
    }
  }
}
