import Foundation
import ScenarioCore
import Synchronization

/// Runs the scenarios of a plan, several at a time, and tells what happens.
package final class SuiteRunner: Sendable {
  private let plan: Plan
  private let settings: RunSettings
  private let options: SuiteOptions
  private let folder: RunFolder
  private let cancellation: Cancellation
  private let emit: @Sendable (RunEvent) -> Void
  private let watchdog: Watchdog
  private let hunter: LeftoverHunter

  private struct Progress {
    var next = 0
    var failures = 0
  }

  private let progress = Mutex(Progress())

  /// - Parameter emit: called by one worker at a time.
  package init(
    plan: Plan, settings: RunSettings, options: SuiteOptions, folder: RunFolder,
    cancellation: Cancellation, emit: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.settings = settings
    self.options = options
    self.folder = folder
    self.cancellation = cancellation
    watchdog = Watchdog(capacity: max(1, options.jobs), marker: folder.path + "/")
    hunter = LeftoverHunter(watchdog: watchdog)
    let serial = NSLock()
    self.emit = { event in serial.withLock { emit(event) } }
  }

  /// Blocks the calling thread until the run has ended.
  package func run(header: RunHeader) {
    signal(SIGPIPE, SIG_IGN)
    let start = ContinuousClock.now
    emit(.runStarted(header))
    for diagnostic in plan.diagnostics { emit(.diagnosed(diagnostic)) }
    work()
    watchdog.stop()
    if let signal = cancellation.cancellingSignal { emit(.interrupted(signal: signal)) }
    emit(.runFinished(endedAt: Date(), duration: .now - start))
  }

  /// Ends every app without grace; what they said is lost.
  package func killApps() { hunter.killAll() }

  /// Plain threads: they block, which Swift concurrency's must not.
  private func work() {
    let workers = DispatchGroup()
    for worker in 1...max(1, min(options.jobs, plan.entries.count)) {
      workers.enter()
      Thread.detachNewThread {
        let homes = HomeFolders(in: self.folder.path, worker: worker)
        while let index = self.takeNext() { self.runEntry(at: index, homes) }
        workers.leave()
      }
    }
    workers.wait()
  }

  private func takeNext() -> Int? {
    progress.withLock { progress in
      let isFull = options.maximumFailures.map { progress.failures >= $0 } ?? false
      guard !isFull, cancellation.cancellingSignal == nil, progress.next < plan.entries.count else {
        return nil
      }
      defer { progress.next += 1 }
      return progress.next
    }
  }

  private func runEntry(at index: Int, _ homes: HomeFolders) {
    let entry = plan.entries[index]
    var attempts: [ScenarioResult] = []
    while true {
      emit(.scenarioStarted(entry.reference, attempt: attempts.count + 1))
      var result = attempt(entry, index: index, number: attempts.count + 1, homes)
      guard shouldRetry(result, after: attempts.count) else {
        result.earlierAttempts = attempts
        return finish(result)
      }
      emit(.attemptFailed(result))
      attempts.append(result)
    }
  }

  private func shouldRetry(_ result: ScenarioResult, after attempts: Int) -> Bool {
    result.isUnsuccessful && attempts < options.retries && cancellation.cancellingSignal == nil
      && !result.isOfInvalidFile
  }

  private func finish(_ result: ScenarioResult) {
    if result.isUnsuccessful { progress.withLock { $0.failures += 1 } }
    emit(.scenarioFinished(result))
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
    var scenario = scenario
    scenario.volatileParameters += settings.volatileParameters
    let reference = scenario.reference
    let outcome = ScenarioExecution(
      scenario: scenario, settings: settings, runFolder: folder.path, folderName: folderName,
      homes: homes, hunter: hunter, cancellation: cancellation,
      stepStarted: { [emit] in emit(.stepStarted(reference, $0)) }
    ).run()
    result.verdict = outcome.verdict
    result.findings = outcome.findings
    result.unjudgedExpectations = outcome.unjudgedExpectations
    result.recordedRequests = outcome.recordedRequests
    result.output = outcome.output
    result.keptFolder = outcome.keptFolder
    result.keepFailure = outcome.keepFailure
  }
}
