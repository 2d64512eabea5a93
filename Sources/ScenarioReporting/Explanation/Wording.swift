/// Words that sentences about scenarios have in common.
enum Wording {
  /// `a`, `a and b`, `a, b and c`.
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  static func seconds(_ seconds: Double) -> String {
    if seconds == 1 { return "1 second" }
    return (Int(exactly: seconds).map(String.init) ?? String(seconds)) + " seconds"
  }

  static func ordinal(_ number: Int) -> String {
    let suffix =
      switch (number % 100, number % 10) {
      case (11...13, _): "th"
      case (_, 1): "st"
      case (_, 2): "nd"
      case (_, 3): "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
  }
}
