import Foundation

/// Reads `startedDateTime`, which exporters write with offsets and fractions of all lengths.
enum CaptureDate {
  /// Since 1970; what can't be read comes first, in the file's order.
  static func milliseconds(_ text: String) -> Double {
    guard let seconds = seconds(text) else { return 0 }
    return (seconds + fraction(text)) * 1000
  }

  private static func seconds(_ text: String) -> Double? {
    // Fractions of any length are cut out, and read by themselves.
    let whole = text.replacing(/[.,][0-9]+/, with: "", maxReplacements: 1)
    return (try? Date.ISO8601FormatStyle().parse(String(whole)))?.timeIntervalSince1970
  }

  private static func fraction(_ text: String) -> Double {
    guard let match = text.firstMatch(of: /[.,]([0-9]+)/) else { return 0 }
    return Double("0." + match.1) ?? 0
  }
}
