import HarnessProtocol
import ScenarioCore

/// A schedule in plain words: what came when, and what became of it.
package struct ScheduleText {
  private let outlet: Outlet

  package init(_ outlet: Outlet) { self.outlet = outlet }

  /// What a sweep came to, in one line.
  package static func line(_ counts: SweepCounts) -> String {
    let noun = String(counts.kind.rawValue.dropLast())
    let all = counts.judged == 1 ? "1 \(noun)" : "\(counts.judged) \(counts.kind.rawValue)"
    let completeness = counts.isComplete ? ", complete" : ", not complete: the budget is used up"
    guard counts.judged > 0 else {
      return counts.isComplete
        ? "there are no \(counts.kind.rawValue) to try" : "no \(noun) tried" + completeness
    }
    let verdict =
      counts.failed == 0
      ? "\(all) tried, \(counts.judged == 1 ? "it holds" : "all hold")"
      : "\(counts.failed) of \(all) \(counts.failed == 1 ? "fails" : "fail")"
    return verdict + completeness
  }

  /// What was unusual about the schedule of a result; none where no schedule was given.
  func notes(on result: ScenarioResult) -> [String] {
    guard let taken = result.trace.schedule else { return [] }
    let titles = Dictionary(
      result.trace.actions.map { ($0.id, title(of: $0)) }, uniquingKeysWith: { first, _ in first })
    let naming = ScheduleNaming(taken.requests)
    var notes = taken.events.flatMap { lines($0, naming, titles) }
    if notes.isEmpty { notes = ["each answer came when the app was idle, in order"] }
    if result.alikeSchedules > 0 {
      notes.append(
        result.alikeSchedules == 1
          ? "another schedule fails in the same way"
          : "\(result.alikeSchedules) other schedules fail in the same way")
    }
    return notes
  }

  private func title(of action: TracedAction) -> String {
    switch action.cause {
    case .launch: "the launch"
    case .step(let step): FindingText(outlet).name(of: step)
    case .shutdown: "the end"
    }
  }

  private func lines(
    _ event: TakenSchedule.Event, _ naming: ScheduleNaming, _ titles: [Int: String]
  ) -> [String] {
    func name(_ request: Int) -> String { outlet.line("\(naming.name(request))") }
    func names(_ requests: some Sequence<Int>) -> String {
      requests.map(name).joined(separator: " and ")
    }
    func title(_ action: Int) -> String { titles[action] ?? "action \(action)" }
    switch event {
    case .delivered(let delivery):
      if let fate = delivery.fate {
        return ["the answer of \(name(delivery.request)) \(words(fate))"]
      }
      let passed = delivery.held.prefix { $0 != delivery.request }
      guard !passed.isEmpty else { return [] }
      return [
        "the answer of \(name(delivery.request)) came before "
          + "\(passed.count == 1 ? "that" : "those") of \(names(passed))"
      ]
    case .deferred(let deferral):
      return ["\(title(deferral.action + 1)), came before the answer of \(names(deferral.held))"]
    case .restarted(let action, let held):
      return [
        "the app was killed and launched again after \(title(action))"
          + (held.isEmpty ? "" : " before the answer of \(names(held)) came")
      ]
    }
  }

  private func words(_ fate: String) -> String {
    switch fate {
    case "lost": "was lost on its way, though the server had got the request"
    case "timedOut": "did not come in time"
    case "offline": "did not come: the device was offline"
    default: "was a server error: \(fate)"
    }
  }
}
