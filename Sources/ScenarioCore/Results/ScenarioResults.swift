/// The results of a run.
package typealias ScenarioResults = [ScenarioResult]

extension ScenarioResults {
  /// Brings them into the order of the plan.
  package mutating func sortAsPlanned() { sort { $0.index < $1.index } }

  /// Known issues are none of those that failed.
  package func count(_ verdict: Verdict) -> Int { count { $0.verdict == verdict && !$0.isKnown } }

  package var flakyCount: Int { count(where: \.isFlaky) }

  /// Known issues are none of those that failed.
  package func all(_ verdict: Verdict) -> [ScenarioResult] {
    filter { $0.verdict == verdict && !$0.isKnown }
  }

  /// Those that failed as they are known to.
  package var known: [ScenarioResult] { filter(\.isKnown) }

  /// Those that neither failed nor errored, and have warnings.
  package var warned: [ScenarioResult] {
    filter { !$0.verdict.isUnsuccessful && !$0.warnings.isEmpty }
  }

  /// Those that failed or errored, other than they are known to.
  package var unsuccessful: [ScenarioResult] { filter(\.isUnsuccessful) }

  /// Those that passed after a failure.
  package var flaky: [ScenarioResult] { filter(\.isFlaky) }
}
