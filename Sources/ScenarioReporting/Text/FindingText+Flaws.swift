import RequestMatching
import ScenarioCore

extension FindingText {
  /// What is wrong with what was sent.
  func title(_ flaw: DataFlaw) -> String {
    let times = flaw.count == 1 ? "" : ", \(flaw.count) times"
    let event = flaw.occurrences.first?.event.map { "event \"\(outlet.line($0.name))\"" }
    switch flaw.rule {
    case .unplannedEvent:
      return "\(event ?? "an event") isn't in the tracking plan\(times)"
    case .lint(let rule):
      let owner = event.map { " of \($0)" } ?? ""
      let value = rule == .http ? "" : " is \(rule == .empty ? "" : quoted(flaw.value) + ", ")"
      return "\(part(flaw.part))\(owner)\(rule == .http ? " http is " : value)\(rule.words)\(times)"
    case .plan(let violation):
      let place =
        violation.path.isEmpty
        ? event ?? "" : "\(outlet.line(violation.path)) of \(event ?? "an event")"
      return "\(place) \(words(for: violation))\(times)"
    }
  }

  private func part(_ part: Difference.Part) -> String { DifferenceText(outlet).part(part) }

  private func quoted(_ value: String?) -> String {
    let text = outlet.line(value ?? "")
    return "\"\(text.count > 120 ? text.prefix(119) + "…" : text)\""
  }

  private func words(for violation: JSONSchema.Violation) -> String {
    let got = outlet.line(violation.got ?? "nothing")
    let wanted = outlet.line(violation.wanted)
    switch violation.kind {
    case .missing: return "is missing, which the tracking plan requires"
    case .extra: return "is \(got), which the tracking plan doesn't have"
    case .mistyped, .outOfRange, .notAllowed:
      return "is \(got), but the tracking plan asks for \(wanted)"
    }
  }

  func details(_ flaw: DataFlaw) -> [String] {
    guard let first = flaw.occurrences.first else { return [] }
    let further =
      flaw.furtherCount == 0
      ? [] : ["… and \(flaw.furtherCount) more that this rule finds, which aren't told apart"]
    return requestLines(first) + flawLines(flaw)
      + sightingLines(flaw.occurrences, of: flaw.count, below: first.line) + further
  }

  /// Which rule says so, and what to do where it is wrong.
  func flawLines(_ flaw: DataFlaw) -> [String] {
    switch flaw.rule {
    case .lint(let rule):
      [
        "lint rule \"\(rule.rawValue)\"; \"lint\": {\"\(rule.rawValue)\": \"off\"} in .scenario-run.json silences it"
      ]
    case .unplannedEvent:
      ["add it to \"trackingPlan\" in .scenario-run.json"]
        + (flaw.suggestions.isEmpty
          ? []
          : [
            "did you mean "
              + flaw.suggestions.map { "\"\(outlet.line($0))\"" }.joined(separator: ", ") + "?"
          ])
    case .plan(let violation):
      ["by \"\(violation.keyword)\" in \(outlet.line(violation.location.description))"]
    }
  }
}
