import HarnessProtocol
import ScenarioCore

/// Whether an app does the same in two runs of one schedule: else no schedule shows anything.
enum Determinism {
  /// What is different in two runs of a schedule.
  static func difference(
    _ one: ScenarioResult, _ other: ScenarioResult, _ signature: (ScenarioResult) -> String
  ) -> RunError? {
    guard let first = one.trace.schedule, let second = other.trace.schedule else { return nil }
    for (left, right) in zip(words(first), words(second)) where left != right {
      return error("one run \(left), another one \(right)")
    }
    if first.events.count != second.events.count || first.requests.count != second.requests.count {
      return error(
        "one run made \(first.requests.count) requests, another one \(second.requests.count)")
    }
    let (left, right) = (signature(one), signature(other))
    return left == right ? nil : error("one run came to \"\(left)\", another one to \"\(right)\"")
  }

  /// What is different from the run that a schedule was made of.
  static func difference(
    _ result: ScenarioResult, _ candidate: ScheduleCandidate
  ) -> RunError? {
    guard let taken = result.trace.schedule else { return nil }
    for (wanted, got) in zip(candidate.expected, taken.events) where wanted != got {
      return error(
        "under \"\(candidate.schedule)\" a run \(words(got, taken)), where it should have "
          + words(wanted, taken))
    }
    return result.hasError(.unfitSchedule)
      ? error("what the schedule \"\(candidate.schedule)\" was made of did not occur again")
      : nil
  }

  /// - Parameter results: what each of two runs came to.
  static func unrepeatable(_ schedule: Schedule, _ results: (String, String)) -> RunError {
    func words(_ result: String) -> String { result.isEmpty ? "passed" : "came to \"\(result)\"" }
    return error(
      "under \"\(schedule)\" one run \(words(results.0)), another one \(words(results.1))")
  }

  private static func error(_ difference: String) -> RunError {
    RunError(
      .unfitSchedule,
      "The app isn't deterministic, so no schedule shows anything: \(difference). Take times and random "
        + "numbers from the system, where the kit makes them the same in each run.")
  }

  private static func words(_ taken: TakenSchedule) -> [String] {
    taken.requests.map { "made the request \($0.method) \($0.url)" }
      + taken.events.map { words($0, taken) }
  }

  private static func words(_ event: TakenSchedule.Event, _ taken: TakenSchedule) -> String {
    func name(_ request: Int) -> String {
      guard taken.requests.indices.contains(request) else { return "another request" }
      return "\(taken.requests[request].method) \(taken.requests[request].url)"
    }
    switch event {
    case .delivered(let delivery): return "answered \(name(delivery.request))"
    case .deferred(let deferral):
      return "kept back " + deferral.held.map(name).joined(separator: ", ")
    case .restarted(let action, _): return "was killed after action \(action)"
    }
  }
}
