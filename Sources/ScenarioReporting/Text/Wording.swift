import SourceText

/// Words that sentences have in common.
package enum Wording {
  /// `1 scenario`, `2 scenarios`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `a`, `a and b`, `a, b and c`.
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// - Returns: nothing where there are no names.
  package static func didYouMean(_ names: [String]) -> String {
    let quoted = names.map { name in
      let shown = Sanitizer.line(name)
      return shown.hasPrefix("\"") ? shown : "\"\(shown)\""
    }
    return names.isEmpty ? "" : "did you mean \(ValueKind.alternatives(quoted))?"
  }

  static func seconds(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
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

/// Seconds, as people read them.
enum Seconds {
  static func text(_ seconds: Double) -> String {
    decimal(Int((max(0, min(seconds, 1e9)) * 1000).rounded()), places: 3) + " s"
  }

  static func text(_ duration: Duration) -> String {
    decimal(Int((duration / .milliseconds(10)).rounded()), places: 2) + " s"
  }

  /// With three decimals, whatever the locale, as reports of files have it.
  static func plain(_ duration: Duration) -> String {
    decimal(Int((duration / .milliseconds(1)).rounded()), places: 3)
  }

  /// - Parameter units: in the last place.
  private static func decimal(_ units: Int, places: Int) -> String {
    let whole = places == 2 ? 100 : 1000
    return "\(units / whole).\(String(whole + units % whole).dropFirst())"
  }
}
