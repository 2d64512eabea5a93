import Foundation
import JSON

/// The values of `format` that are checked.
enum JSONFormat: String, Sendable {
  case dateTime = "date-time"
  case date, email, uri, uuid

  var words: String {
    switch self {
    case .dateTime: "a date and time, as 2026-01-01T00:00:00Z"
    case .date: "a date, as 2026-01-01"
    case .email: "an email address"
    case .uri: "an absolute URI"
    case .uuid: "a UUID"
    }
  }

  func isOf(_ text: String) -> Bool {
    switch self {
    // RFC 3339, section 5.6, a leap second included.
    case .dateTime:
      let pattern =
        /(.{10})[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+\-]([01][0-9]|2[0-3]):[0-5][0-9])/
      return text.wholeMatch(of: pattern).map { Self.date.isOf(String($0.1)) } ?? false
    case .date:
      let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy(Self.isDigitOrDash),
        let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
      else { return false }
      return (1...12).contains(month) && (1...Self.days(of: month, year)).contains(day)
    case .email:
      return text.wholeMatch(
        of: /[^\s@<>()\[\],;:"]+@[^\s@.<>()\[\],;:"_]+(\.[^\s@.<>()\[\],;:"_]+)*/)
        != nil && !text.hasPrefix(".") && !text.contains("..") && !text.contains(".@")
    case .uri:
      return text.wholeMatch(
        of: /[A-Za-z][A-Za-z0-9+.\-]*:([A-Za-z0-9\-._~:\/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*/)
        != nil
    case .uuid:
      return text.wholeMatch(
        of: /[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}/) != nil
    }
  }

  private static func isDigitOrDash(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

extension JSONNumber {
  /// Exact where 38 digits are enough.
  func isMultiple(of divisor: JSONNumber) -> Bool {
    guard let value = double, let step = divisor.double, step != 0 else { return false }
    guard abs(value / step) < 1e25, let exact = Decimal(string: text),
      let exactStep = Decimal(string: divisor.text)
    else { return value.truncatingRemainder(dividingBy: step) == 0 }
    var (quotient, whole) = (exact / exactStep, Decimal())
    NSDecimalRound(&whole, &quotient, 0, .plain)
    return whole * exactStep == exact
  }
}
