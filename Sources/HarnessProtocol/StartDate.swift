import Foundation

/// The date at which an app's clock starts.
package enum StartDate {
  /// Where a scenario names none.
  package static let defaultText = "2026-01-01T00:00:00Z"

  /// - Parameter text: ISO 8601.
  /// - Returns: `nil` where it isn't a date.
  package static func date(_ text: String) -> Date? {
    plainDate(Array(text.utf8)) ?? (try? Date.ISO8601FormatStyle().parse(text))
  }

  /// A date that is written like `2026-01-01T00:00:00Z`, as nearly all are: Foundation's parser takes half a
  /// millisecond to get ready, in each launch.
  ///
  /// - Returns: `nil` where it is written in another way, or isn't in the calendar.
  static func plainDate(_ text: [UInt8]) -> Date? {
    guard text.count == 20, text[4] == dash, text[7] == dash, text[10] == UInt8(ascii: "T"),
      text[13] == colon, text[16] == colon, text[19] == UInt8(ascii: "Z"),
      let year = number(text[0..<4]), let month = number(text[5..<7]),
      let day = number(text[8..<10]), let hour = number(text[11..<13]),
      let minute = number(text[14..<16]), let second = number(text[17..<19])
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
    (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
    let seconds = timegm(&time)
    // What isn't in the calendar has become another date.
    let isSame =
      time.tm_year == year - 1900 && time.tm_mon == month - 1 && time.tm_mday == day
      && time.tm_hour == hour && time.tm_min == minute && time.tm_sec == second
    // Before, Foundation counts by the Julian calendar.
    return isSame && year > 1582 ? Date(timeIntervalSince1970: Double(seconds)) : nil
  }

  private static let dash = UInt8(ascii: "-")
  private static let colon = UInt8(ascii: ":")

  /// - Returns: `nil` where one isn't a digit.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int32? {
    var number: Int32 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int32(digit - 0x30)
    }
    return number
  }
}
