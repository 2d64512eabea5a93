import Foundation

/// Reads `startedDateTime`: ISO 8601, with or without fractions of a second.
enum HARDate {
  static func parse(_ text: String) -> Date? {
    (try? Date(
      text,
      strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true)
        .timeZone(separator: .omitted)))
      ?? (try? Date(text, strategy: .iso8601))
  }
}
