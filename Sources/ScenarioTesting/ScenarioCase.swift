import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// One scenario, or one row of its cases: the argument of a parameterised test.
public struct ScenarioCase: Sendable, Identifiable {
  /// Its file, from the folder of the configuration, and its case: as stable as these names, so that
  /// a test run can choose this case alone.
  public let id: String
  /// The scenario's name, with that of the case in brackets; unique in the suite.
  public let name: String
  /// The scenario's tags.
  public let tags: [String]

  private let suite: SuiteRun
  /// The place in the suite's plan.
  private let index: Int

  static func all(of suite: SuiteRun, in project: TestedProject) -> [ScenarioCase] {
    let (names, identities) = (ResultNames(), ResultNames())
    return suite.plan.entries.enumerated().map { index, entry in
      ScenarioCase(
        id: identities.unique(project.identity(of: entry.reference)),
        name: names.unique(Outlet().line(entry.reference.name)), tags: entry.reference.tags,
        suite: suite, index: index)
    }
  }

  /// Launches the app, plays the scenario, and judges what was requested.
  ///
  /// Waits for its turn: at a time, only so many apps run in this process as it has cores, or as
  /// `jobs` in the configuration says. Cancelling the task ends the app.
  ///
  /// A scenario with `skip`, and a pass after a failure, are outcomes, and under Swift Testing, from
  /// 6.3, warnings too; the case of a parameterised test that is skipped is then cancelled, as by
  /// `Test.cancel`.
  ///
  /// - Returns: how it did not fail.
  /// - Throws: `ScenarioFailure`; `CancellationError` where the task was cancelled.
  @discardableResult
  public func run() async throws -> ScenarioOutcome {
    let result = try await ScenarioQueue.shared.result(ofEntry: index, in: suite)
    let outcome = try outcome(of: result)
    try RunningTest.tell(outcome)
    return outcome
  }

  private func outcome(of result: ScenarioResult) throws -> ScenarioOutcome {
    switch result.verdict {
    case .passed where result.isFlaky:
      let attempts = result.earlierAttempts
      let failure = attempts.first.map { ScenarioFailure($0).description } ?? ""
      return .flaky(attempts: attempts.count + 1, firstFailure: failure)
    case .passed: return .passed
    case .skipped: return .skipped(reason: Outlet().line(result.skipReason ?? ""))
    case .failed, .errored:
      if result.isInterrupted { throw CancellationError() }
      throw ScenarioFailure(result)
    }
  }
}

extension ScenarioCase: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension ScenarioResult {
  fileprivate var isInterrupted: Bool {
    findings.contains { finding in
      if case .runError(let error) = finding { error.kind == .interrupted } else { false }
    }
  }
}
