import Foundation

/// Reads `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`, in UTC whatever the machine's time zone.
enum LinkExpiry {
  /// - Returns: `nil` for any other shape, also for dates that don't exist.
  static func date(from text: String) -> Date? {
    guard text.utf8.count == shape.utf8.count, zip(text.utf8, shape.utf8).allSatisfy(fits) else {
      return nil
    }
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    formatter.timeZone = .gmt
    guard let date = formatter.date(from: text), formatter.string(from: date) == text else {
      return nil
    }
    return date
  }

  /// A digit stands for any digit.
  private static let shape = "0000-00-00T00:00:00.000Z"

  private static func fits(_ character: UInt8, _ pattern: UInt8) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return digits.contains(pattern) ? digits.contains(character) : character == pattern
  }
}
