import ScenarioCore

/// Shows in which parts a request differs from the wanted one: what is wanted above what was sent.
struct DifferenceText {
  let style: TextStyle
  let width: Int

  func lines(_ differences: [Difference]) -> [String] {
    differences.flatMap(lines)
  }

  private func lines(_ difference: Difference) -> [String] {
    [
      part(difference.part),
      style.paint("  - wanted \(wanted(difference))", .green),
      style.paint("  + got    \(got(difference))", .red),
    ]
  }

  /// What differs, in words.
  func part(_ part: Difference.Part) -> String {
    switch part {
    case .method: "method"
    case .scheme: "scheme"
    case .host: "host"
    case .port: "port"
    case .path: "path"
    case .url: "URL"
    case .fragment: "fragment"
    case .queryParameter(let name): "parameter \(Sanitizer.line(name))"
    case .header(let name): "header \(Sanitizer.line(name))"
    case .cookie(let name): "cookie \(Sanitizer.line(name))"
    case .body(let path): "body \(Sanitizer.line(path))"
    }
  }

  func got(_ difference: Difference) -> String {
    value(difference.got, in: difference.part)
  }

  func wanted(_ difference: Difference) -> String {
    guard difference.isCondition, let condition = difference.wanted else {
      return value(difference.wanted, in: difference.part)
    }
    return Sanitizer.line(condition)
  }

  private func value(_ value: String?, in part: Difference.Part) -> String {
    guard let value else { return "nothing" }
    let text = Sanitizer.line(value)
    let room = max(20, width - 12)
    // A part of a body is JSON already, its strings in quotes.
    let quote = if case .body = part { "" } else { "\"" }
    guard text.count > room else { return quote + text + quote }
    return "\(quote)\(text.prefix(room))…\(quote) (\(text.count) characters)"
  }
}
