import HarnessProtocol
import JSON
import ScenarioAuthoring
import ScenarioCore
import SourceText

/// What an audit found, for people and for scripts.
package struct AuditText {
  let outlet: Outlet
  let style: TextStyle
  private static let listLimit = 50

  package init(_ outlet: Outlet, style: TextStyle) {
    self.outlet = outlet
    self.style = style
  }

  /// How many of the changes were noticed.
  package static func percentage(_ survivors: Int, of changes: Int) -> Double {
    changes == 0 ? 100 : 100 * Double(changes - survivors) / Double(changes)
  }

  package func summary(scenarios: Int, survivors: Int, changes: Int) -> String {
    let scenarios = Wording.counted(scenarios, "scenario")
    if changes == 0 {
      return "nothing was judged: \(scenarios), and none of what was sent is asked about"
    }
    let rate = Self.percentage(survivors, of: changes)
    // Rounded down: 100 % means all.
    let shown = (rate * 10).rounded(.down) / 10
    return style.paint(
      "\(changes - survivors) of \(changes) changes noticed (\(shown) %), in \(scenarios)",
      survivors == 0 ? .green : .bold)
  }

  // MARK: - Survivors

  /// What isn't noticed, by place; equal things, as those of the cases of a table, once.
  package func lines(_ survivors: [ScenarioAudit.Survivor]) -> [String] {
    survivors.grouped(by: title).flatMap { title, survivors in
      [title]
        + survivors.grouped { "  " + outlet.line(words($0)) }.map { text, same in
          let cases = same.compactMap(\.caseName).grouped { outlet.line($0) }.map(\.key)
          return cases.isEmpty ? text : "\(text) [\(cases.joined(separator: ", "))]"
        }
    }
  }

  private func title(_ survivor: ScenarioAudit.Survivor) -> String {
    let place = style.paint(outlet.line(survivor.location.description), .dim)
    let subject = survivor.event.map { "event \"\($0)\"" } ?? url(survivor.request)
    return "\(place) \(outlet.line(subject))"
  }

  private func url(_ request: RecordedRequest) -> String {
    "\(request.method ?? "GET") \(request.url)"
  }

  private func words(_ survivor: ScenarioAudit.Survivor) -> String {
    guard survivor.isExpected else { return "\(subject(survivor.kind)): no expectation names it" }
    return "\(subject(survivor.kind)): \(remedy(survivor))"
  }

  private func subject(_ kind: SentChange.Kind) -> String {
    switch kind {
    case .dropped: "not sent"
    case .doubled: "sent twice"
    case .moved: "sent by another action"
    case .parameterChanged(let name): "another value of parameter \"\(name)\""
    case .parameterLost(let name): "without parameter \"\(name)\""
    case .headerChanged(let name): "another value of header \"\(name)\""
    case .memberChanged(let path): "another value of \(path)"
    case .memberLost(let path): "without \(path)"
    case .bodyChanged: "another body"
    }
  }

  private func remedy(_ survivor: ScenarioAudit.Survivor) -> String {
    let matcher = "{\"equalTo\": …}"
    switch survivor.kind {
    case .dropped, .doubled: return "give it an exact \"count\""
    case .moved:
      let action = survivor.cause?.step.map { "\"sends\" of \($0.title)" }
      return "list it in the \(action ?? "\"sends\" of the launch")"
    case .parameterChanged(let name), .parameterLost(let name):
      return "add \"queryParameters\": {\"\(name)\": \(matcher)}, or write the whole \"url\""
    case .headerChanged(let name): return "add \"headers\": {\"\(name)\": \(matcher)}"
    case .memberChanged(let path), .memberLost(let path):
      if survivor.event != nil { return "add \"where\": {\"\(path.dropFirst(2))\": …}" }
      return "add \"bodyPatterns\": [{\"matchesJsonPath\": {\"expression\": \"\(path)\", "
        + "\"equalTo\": …}}]"
    case .bodyChanged: return "add \"bodyPatterns\": [\(matcher)]"
    }
  }

  // MARK: - What nobody asks about

  package func lines(_ parts: UnaskedParts, unasked: [RecordedRequest]) -> [String] {
    let requests = Set(unasked.map(url)).sorted()
    return section("URLs in fixtures that no scenario expects", parts.urls.map { "\($0): \($1)" })
      + section("stubs that never answered", parts.stubs)
      + section("elements that no action names", parts.elements)
      + section("requests that are stubbed, not tracked, and that no expectation names", requests)
  }

  private func section(_ title: String, _ items: [String]) -> [String] {
    guard !items.isEmpty else { return [] }
    let more = items.count - Self.listLimit
    return [style.paint("\(title):", .bold)]
      + items.prefix(Self.listLimit).map { "  " + outlet.line($0) }
      + (more > 0 ? ["  … and \(more) more"] : [])
  }

  // MARK: - For scripts

  package func json(
    scenarios: Int, survivors: [ScenarioAudit.Survivor], changes: Int, _ parts: UnaskedParts,
    unasked: [RecordedRequest]
  ) -> String {
    let found = survivors.map { survivor -> JSONValue in
      [
        "place": .string(survivor.location.description), "request": .string(url(survivor.request)),
        "event": survivor.event.map(JSONValue.string),
        "case": survivor.caseName.map(JSONValue.string),
        "change": .string(subject(survivor.kind)),
        "remedy": survivor.isExpected ? .string(remedy(survivor)) : nil,
      ]
    }
    let value: JSONValue = [
      "scenarios": .integer(scenarios), "changes": .integer(changes),
      "noticed": .integer(changes - survivors.count), "survivors": .array(found),
      "unexpectedURLs": .strings(parts.urls.map { "\($0): \($1)" }),
      "unusedStubs": .strings(parts.stubs), "unnamedElements": .strings(parts.elements),
      "unnamedRequests": .strings(Set(unasked.map(url)).sorted()),
    ]
    return value.text(through: outlet)
  }
}
