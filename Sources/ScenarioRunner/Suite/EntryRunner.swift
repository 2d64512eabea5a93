import Foundation
import ScenarioCore

/// Runs one scenario of a job, and again where it did not pass and there are retries.
///
/// Blocks the calling thread.
struct EntryRunner {
  let job: ScenarioJob
  let resources: RunResources
  /// Unique among those that share the resources.
  let folderName: String
  /// The number is nobody else's meanwhile.
  let worker: Int

  private var suite: SuiteRun { job.suite }

  /// - Parameter index: the entry's place in the plan.
  func run(_ entry: PlannedScenario, at index: Int) -> ScenarioResult {
    var attempts: [ScenarioResult] = []
    while true {
      job.happened(.scenarioStarted(entry.reference, attempt: attempts.count + 1))
      var (result, unused) = attempt(entry, index: index, number: attempts.count + 1)
      guard shouldRetry(result, after: attempts.count) else {
        if entry.reference.caseName != nil {
          add(suite.tables.add(unused, of: entry.reference), to: &result)
        }
        result.earlierAttempts = attempts
        return result
      }
      job.happened(.attemptFailed(result))
      attempts.append(result)
    }
  }

  /// Adds what no case of the table used.
  private func add(_ doubts: [FileDoubt], to result: inout ScenarioResult) {
    let findings = doubts.map(Finding.fileDoubt)
    guard suite.settings.isStrict, !findings.isEmpty, result.verdict == .passed || result.isKnown
    else {
      result.warnings += findings
      return
    }
    result.findings += findings
    // They are of all cases: that this one is known to fail is no reason for them.
    (result.verdict, result.knownIssue) = (.failed, nil)
  }

  private func shouldRetry(_ result: ScenarioResult, after attempts: Int) -> Bool {
    result.isUnsuccessful && attempts < suite.retries && !job.isCancelled
      && !result.isOfInvalidFile && !result.isOfFixedIssue
  }

  /// - Returns: with the result, what a case left unused.
  private func attempt(
    _ entry: PlannedScenario, index: Int, number: Int
  ) -> (result: ScenarioResult, unused: [FileDoubt]?) {
    let startedAt = Date()
    let start = ContinuousClock.now
    var result = ScenarioResult(
      index: index, scenario: entry.reference, verdict: .errored, startedAt: startedAt,
      duration: .zero, repetition: entry.repetition)
    result.seed = suite.settings.seed
    result.schedule = suite.settings.schedule
    var unused: [FileDoubt]?
    switch suite.content(of: entry) {
    case .invalid(let diagnostics):
      let message = "The scenario is invalid, so it was not run."
      result.findings = [.runError(RunError(.invalidInput, message, diagnostics: diagnostics))]
    case .scenario(let scenario) where scenario.skipReason != nil:
      result.verdict = .skipped
      result.skipReason = scenario.skipReason
    case .scenario(let scenario):
      unused = run(scenario, of: entry, attempt: number, into: &result)
    }
    result.duration = .now - start
    return (result, unused)
  }

  /// - Returns: what a case left unused.
  private func run(
    _ scenario: Scenario, of entry: PlannedScenario, attempt: Int, into result: inout ScenarioResult
  ) -> [FileDoubt]? {
    let reference = scenario.reference
    let use = ScenarioExecution(
      scenario: scenario, fileWarnings: entry.warnings, settings: suite.settings,
      resources: resources,
      folderName: attempt == 1 ? folderName : "\(folderName)-retry\(attempt - 1)",
      worker: worker,
      cancellation: job.cancellation,
      stepStarted: { [job] in job.happened(.stepStarted(reference, $0)) }
    ).run(&result)
    suite.decoders.note(use.decoders, in: scenario, isErrored: result.verdict == .errored)
    if let reason = scenario.knownIssue { Self.judge(&result, knowing: reason) }
    return use.unused
  }

  /// A failure that is known is none; that there is none any more has to be told.
  private static func judge(_ result: inout ScenarioResult, knowing reason: String) {
    switch result.verdict {
    case .failed where result.isOfFixedIssue: break
    case .failed: result.knownIssue = reason
    case .passed:
      result.verdict = .failed
      result.findings = [.fixedIssue(reason)]
    case .errored, .skipped: break
    }
  }
}
