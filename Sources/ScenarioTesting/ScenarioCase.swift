import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import Synchronization

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

  static func all(of suite: SuiteRun, _ paths: ProjectPaths) -> [ScenarioCase] {
    let (names, identities) = (ResultNames(), ResultNames())
    return suite.plan.entries.enumerated().map { index, entry in
      ScenarioCase(
        // The same on every machine, and as long as the file and the case have their names.
        id: identities.unique(paths.identity(of: entry.reference).text),
        name: names.unique(Outlet().line(entry.reference.name)), tags: entry.reference.tags,
        suite: suite, index: index)
    }
  }

  /// Launches the app, plays the scenario, and judges what was requested.
  ///
  /// Waits for its turn: at a time, only so many apps run in this process as it has cores, or as
  /// `jobs` in the configuration says. Cancelling the task ends the app.
  ///
  /// A scenario with `skip`, a pass after a failure or with warnings, and a failure with `knownIssue` are
  /// outcomes. Swift Testing is told the last as a known issue and, from 6.3, the others as warnings; the
  /// case of a parameterised test that is skipped is then cancelled, as by `Test.cancel`. From 6.2 the trace
  /// of what did not plainly pass is attached to the test.
  ///
  /// - Returns: how it did not fail.
  /// - Throws: `ScenarioFailure`; `CancellationError` where the task was cancelled.
  @discardableResult
  public func run() async throws -> ScenarioOutcome {
    let result = try await Scheduler.ofTests.result(ofEntry: index, in: suite)
    RunningTest.attachTraces(of: result)
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
    case .passed where !result.warnings.isEmpty:
      return .warned(ScenarioFailure(result).description)
    case .passed: return .passed
    case .skipped: return .skipped(reason: Outlet().line(result.skipReason ?? ""))
    case .failed where result.isKnown:
      return .knownIssue(
        reason: Outlet().line(result.knownIssue ?? ""),
        failure: ScenarioFailure(result).description)
    case .failed, .errored:
      if result.hasError(.interrupted) { throw CancellationError() }
      throw ScenarioFailure(result)
    }
  }
}

extension ScenarioCase: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension Scheduler {
  /// One for the process, because cores are.
  fileprivate static let ofTests: Scheduler = {
    let environment = ProcessInfo.processInfo.environment
    let path = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return Scheduler(
      limit: ProcessInfo.processInfo.activeProcessorCount,
      temporaryDirectory: FilePath.normalized(path))
  }()

  /// - Throws: `CancellationError` where the task was cancelled before the scenario began;
  ///   `ScenarioSuiteError` where nothing can run.
  fileprivate func result(ofEntry entry: Int, in suite: SuiteRun) async throws -> ScenarioResult {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let job = ScenarioJob(
          suite, entries: entry..<entry + 1, cancellation: cancellation,
          began: SealNotice.ofProcess.tell,
          ended: { continuation.resume(with: Self.ending($0)) })
        add(job)
        // The handler may have come before.
        if Task.isCancelled { cancel(cancellation) }
      }
    } onCancel: {
      cancel(cancellation)
    }
  }

  private static func ending(
    _ ending: Result<ScenarioResult?, SystemError>
  ) -> Result<ScenarioResult, any Error> {
    switch ending {
    case .success(let result?): .success(result)
    case .success(nil): .failure(CancellationError())
    case .failure(let error):
      .failure(ScenarioSuiteError(error.message(whereStarting: "The scenario")))
    }
  }
}

/// Says once what keeps the apps of the tests from the network, where it is less than it should be.
final class SealNotice: Sendable {
  static let ofProcess = SealNotice {
    // Nobody is left to tell where stderr is closed.
    try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
  }

  private let isTold = Mutex(false)
  private let write: @Sendable (String) -> Void

  init(write: @escaping @Sendable (String) -> Void) {
    self.write = write
  }

  @Sendable func tell(_ seal: NetworkSeal) {
    guard SealText.isImportant(seal) else { return }
    let isFirst = isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    if isFirst { write("scenario-run: \(SealText.line(seal))\n") }
  }
}
