import Foundation
import ScenarioCore

/// Runs a scenario of a plan, and again where it did not pass and there are retries.
///
/// Blocks the calling thread.
package struct EntryRunner: Sendable {
  private let plan: Plan
  private let settings: RunSettings
  private let retries: Int
  private let folder: RunFolder
  private let supervision: AppSupervision
  private let cancellation: Cancellation
  private let emit: @Sendable (RunEvent) -> Void

  package init(
    plan: Plan, settings: RunSettings, retries: Int, folder: RunFolder,
    supervision: AppSupervision, cancellation: Cancellation,
    emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.settings = settings
    self.retries = retries
    self.folder = folder
    self.supervision = supervision
    self.cancellation = cancellation
    self.emit = emit
  }

  /// - Parameters:
  ///   - index: unique among those that share the folder.
  ///   - homes: nobody else's meanwhile.
  package func run(
    _ entry: PlannedScenario, index: Int, _ homes: HomeFolders
  ) -> ScenarioResult {
    var attempts: [ScenarioResult] = []
    while true {
      emit(.scenarioStarted(entry.reference, attempt: attempts.count + 1))
      var result = attempt(entry, index: index, number: attempts.count + 1, homes)
      guard shouldRetry(result, after: attempts.count) else {
        result.earlierAttempts = attempts
        return result
      }
      emit(.attemptFailed(result))
      attempts.append(result)
    }
  }

  private func shouldRetry(_ result: ScenarioResult, after attempts: Int) -> Bool {
    result.isUnsuccessful && attempts < retries && cancellation.cancellingSignal == nil
      && !result.isOfInvalidFile
  }

  private func attempt(
    _ entry: PlannedScenario, index: Int, number: Int, _ homes: HomeFolders
  ) -> ScenarioResult {
    let startedAt = Date()
    let start = ContinuousClock.now
    var result = ScenarioResult(
      index: index, scenario: entry.reference, verdict: .errored, startedAt: startedAt,
      duration: .zero, repetition: entry.repetition)
    switch plan.content(of: entry) {
    case .invalid(let diagnostics):
      let message = "The scenario is invalid, so it was not run."
      result.findings = [.runError(RunError(.invalidInput, message, diagnostics: diagnostics))]
    case .scenario(let scenario) where scenario.skipReason != nil:
      result.verdict = .skipped
      result.skipReason = scenario.skipReason
    case .scenario(let scenario):
      run(scenario, folderName: folderName(index, number), homes, into: &result)
    }
    result.duration = .now - start
    return result
  }

  private func folderName(_ index: Int, _ attempt: Int) -> String {
    attempt == 1 ? "\(index + 1)" : "\(index + 1)-retry\(attempt - 1)"
  }

  private func run(
    _ scenario: Scenario, folderName: String, _ homes: HomeFolders,
    into result: inout ScenarioResult
  ) {
    let reference = scenario.reference
    let outcome = ScenarioExecution(
      scenario: scenario, settings: settings, runFolder: folder.path, folderName: folderName,
      homes: homes, hunter: supervision.hunter,
      seal: settings.network == .open ? nil : supervision.seal, cancellation: cancellation,
      stepStarted: { [emit] in emit(.stepStarted(reference, $0)) }
    ).run()
    result.verdict = outcome.verdict
    result.findings = outcome.findings
    result.unjudgedExpectations = outcome.unjudgedExpectations
    result.recordedRequests = outcome.recordedRequests
    result.output = outcome.output
    result.credentials = outcome.credentials
    result.keptFolder = outcome.keptFolder
    result.keepFailure = outcome.keepFailure
  }
}
