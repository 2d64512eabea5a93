import Foundation
import HarnessWire
import RequestStore
import ScenarioCore

/// Reads the store, once the app and all that it started are gone, and judges it.
struct StoreJudgement {
  let scenario: Scenario
  let store: StoreReader
  let shared: String
  /// The ids that a request can be caused by.
  let sentActions: Set<Int>

  /// Adds what is wrong to the outcome; a damaged store is wrong whatever else there is.
  func judge(_ completedSteps: CompletedSteps, _ outcome: inout ScenarioExecution.Outcome) {
    var verification = Verification(scenario: scenario)
    var credentials = Credentials()
    credentials.add(scenario)
    do throws(StoreDamage) {
      try store.forEachLine { (line) throws(RecordedLineFault) in
        credentials.add(line)
        verification.observe(line)
        try check(line)
      }
    } catch {
      if !outcome.findings.contains(where: \.isDamagedStore) {
        outcome.findings.append(.runError(StoreErrors.damaged(error)))
      }
    }
    if outcome.findings.isEmpty, DiskSpace.isExhausted(at: shared) {
      outcome.findings.append(.runError(StoreErrors.exhausted(shared)))
    }
    outcome.credentials = credentials.values
    let isErrored = outcome.findings.contains(where: \.isError)
    let judged = verification.outcome(completedSteps: isErrored ? .none : completedSteps)
    outcome.recordedRequests = judged.recordedRequests
    // After a crash or a hang the counts say nothing: only the error is shown.
    guard !isErrored else { return }
    outcome.findings += judged.findings
    outcome.unjudgedExpectations = judged.unjudgedExpectations
  }

  /// What a request says of itself has to be possible.
  private func check(_ line: RecordedRequestLine) throws(RecordedLineFault) {
    if let action = line.action, !sentActions.contains(action) { throw .unknownAction(action) }
    if line.isStubbed, scenario.stubs.isEmpty { throw .answeredWithoutStubs }
  }
}

/// Words why nothing can be said about the requests of an app.
enum StoreErrors {
  static func damaged(_ damage: StoreDamage, _ step: StepReference? = nil) -> RunError {
    RunError(
      .damagedStore,
      "The store of recorded requests is damaged, so nothing can be said about them: \(damage)",
      step: step)
  }

  static func exhausted(_ folder: String, _ step: StepReference? = nil) -> RunError {
    RunError(
      .damagedStore,
      "The disk of the shared folder \(folder) is full, so recorded requests may be missing. Make "
        + "room there, or set TMPDIR to a folder of another disk.", step: step)
  }
}

extension Finding {
  fileprivate var isDamagedStore: Bool {
    if case .runError(let error) = self { error.kind == .damagedStore } else { false }
  }
}
