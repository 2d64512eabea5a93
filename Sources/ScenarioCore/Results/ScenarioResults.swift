/// The results of a run.
package typealias ScenarioResults = [ScenarioResult]

extension ScenarioResults {
  /// Brings them into the order of the plan.
  package mutating func sortAsPlanned() { sort { $0.index < $1.index } }

  package func count(_ verdict: Verdict) -> Int { count { $0.verdict == verdict } }

  package var flakyCount: Int { count(where: \.isFlaky) }

  package func all(_ verdict: Verdict) -> [ScenarioResult] { filter { $0.verdict == verdict } }

  /// Those that failed or errored.
  package var unsuccessful: [ScenarioResult] { filter(\.isUnsuccessful) }

  /// Those that passed after a failure.
  package var flaky: [ScenarioResult] { filter(\.isFlaky) }
}
