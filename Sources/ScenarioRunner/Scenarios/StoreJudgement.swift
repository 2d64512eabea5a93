import Foundation
import RequestStore
import ScenarioCore

/// Reads the store, once the app and all that it started are gone, and judges it.
struct StoreJudgement {
  let scenario: Scenario
  let shared: String

  /// Adds what is wrong to the outcome; a damaged store is wrong whatever else there is.
  func judge(_ completedSteps: CompletedSteps, _ outcome: inout ScenarioExecution.Outcome) {
    var verification = Verification(scenario: scenario)
    do {
      try StoreReader(folder: shared).forEachLine { verification.observe($0) }
    } catch {
      outcome.findings.append(.runError(damaged(error)))
    }
    if outcome.findings.isEmpty, DiskSpace.isExhausted(at: shared) {
      outcome.findings.append(.runError(exhausted))
    }
    let isErrored = outcome.findings.contains(where: \.isError)
    let judged = verification.outcome(completedSteps: isErrored ? .none : completedSteps)
    outcome.recordedRequests = judged.recordedRequests
    // After a crash or a hang the counts say nothing: only the error is shown.
    guard !isErrored else { return }
    outcome.findings += judged.findings
    outcome.unjudgedExpectations = judged.unjudgedExpectations
  }

  private var exhausted: RunError {
    RunError(
      .damagedStore,
      "The disk of the shared folder \(shared) is full, so recorded requests may be missing. Make "
        + "room there, or set TMPDIR to a folder of another disk.")
  }

  private func damaged(_ error: any Error) -> RunError {
    RunError(
      .damagedStore,
      "The store of recorded requests is damaged, so nothing can be said about them: \(error)")
  }
}
