import Foundation
import ScenarioCore
import Synchronization

/// How the scenarios of a plan are run: what all of its jobs share.
package final class SuiteRun: Sendable {
  private let growing: GrowingPlan
  package let settings: RunSettings
  /// How many of its scenarios may run at a time.
  package let jobLimit: Int
  /// How often a scenario that did not pass is tried again.
  package let retries: Int
  let tables = TableDoubts()
  let decoders = ProjectDecoders()

  package init(plan: GrowingPlan, settings: RunSettings, jobLimit: Int, retries: Int = 0) {
    growing = plan
    self.settings = settings
    self.jobLimit = max(1, jobLimit)
    self.retries = max(0, retries)
    tables.expect(plan.current.entries)
  }

  package convenience init(
    plan: Plan, settings: RunSettings, jobLimit: Int, retries: Int = 0
  ) {
    self.init(
      plan: GrowingPlan(plan), settings: settings, jobLimit: jobLimit, retries: retries)
  }

  /// As far as it is known.
  package var plan: Plan { growing.current }

  /// The places of all entries; without an end while files are still to be read.
  var places: Range<Int> { 0..<(growing.total ?? .max) }

  /// - Returns: `nil` where the plan has no such place.
  func entry(_ index: Int, for job: ScenarioJob) -> PlannedScenario? {
    growing.entry(index, unless: { job.isCancelled }, told: { take($0, job.happened) })
  }

  func content(of entry: PlannedScenario) -> PlannedScenario.Content {
    growing.content(of: entry)
  }

  /// Reads the files of which nothing is to run any more: their faults are told all the same.
  fileprivate func readRest(
    unless cancellation: Cancellation, _ happened: @Sendable (RunEvent) -> Void
  ) {
    growing.readRest(
      unless: { cancellation.cancellingSignal != nil }, told: { take($0, happened) })
  }

  private func take(_ growth: GrowingPlan.Growth, _ happened: (RunEvent) -> Void) {
    tables.expect(growth.entries)
    for diagnostic in growth.diagnostics { happened(.diagnosed(diagnostic)) }
    if let total = growth.total { happened(.planned(scenarioCount: total)) }
  }
}

/// Scenarios of a plan that somebody waits for together: all of a command's, or one of a test's.
package final class ScenarioJob: Sendable {
  /// When no further scenario of a job is started.
  package struct FailureLimit: Sendable {
    /// After so many that make the run fail.
    package var count: Int?
    /// Whether a pass after a failure is one of them.
    package var includesFlaky: Bool

    package init(count: Int? = nil, includesFlaky: Bool = false) {
      self.count = count
      self.includesFlaky = includesFlaky
    }
  }

  let suite: SuiteRun
  /// Places in the suite's plan.
  let entries: Range<Int>
  let failureLimit: FailureLimit
  /// Ends what runs and keeps the rest from being started.
  package let cancellation: Cancellation
  let began: @Sendable (NetworkSeal) -> Void
  let happened: @Sendable (RunEvent) -> Void
  let ended: @Sendable (Result<ScenarioResult?, SystemError>) -> Void

  /// - Parameters:
  ///   - began: called before the first scenario, with what keeps the apps from the network.
  ///   - happened: called by several threads.
  ///   - ended: called once, with the last result, where there is one; or with why nothing could run.
  package init(
    _ suite: SuiteRun, entries: Range<Int>, failureLimit: FailureLimit = FailureLimit(),
    cancellation: Cancellation = Cancellation(),
    began: @escaping @Sendable (NetworkSeal) -> Void = { _ in },
    happened: @escaping @Sendable (RunEvent) -> Void = { _ in },
    ended: @escaping @Sendable (Result<ScenarioResult?, SystemError>) -> Void
  ) {
    self.suite = suite
    self.entries = entries
    self.failureLimit = failureLimit
    self.cancellation = cancellation
    self.began = began
    self.happened = happened
    self.ended = ended
  }

  var isCancelled: Bool { cancellation.cancellingSignal != nil }
}

extension Scheduler {
  /// Runs all of a plan and tells what happens; blocks the calling thread until the run has ended.
  ///
  /// - Parameters:
  ///   - header: which seal holds is added to it.
  ///   - happened: called by several threads.
  /// - Throws: why nothing can run; then nothing has happened either.
  package func run(
    _ suite: SuiteRun, header: RunHeader, failureLimit: ScenarioJob.FailureLimit,
    cancellation: Cancellation, happened: @escaping @Sendable (RunEvent) -> Void
  ) throws(SystemError) {
    let start = ContinuousClock.now
    let waiting = WaitingThread()
    let ends = Mutex(RunEnds())
    add(
      ScenarioJob(
        suite, entries: suite.places, failureLimit: failureLimit, cancellation: cancellation,
        began: { seal in
          var header = header
          header.seal = seal
          happened(.runStarted(header))
          for diagnostic in suite.plan.diagnostics { happened(.diagnosed(diagnostic)) }
        },
        happened: { event in
          if case .scenarioFinished(let result) = event { ends.withLock { $0.note(result) } }
          happened(event)
        }, ended: waiting.wake))
    try waiting.wait()
    suite.readRest(unless: cancellation, happened)
    if let signal = cancellation.cancellingSignal {
      if let result = ends.withLock({
        $0.interruptedResult(suite.plan, signal, isWhole: suite.places.upperBound < .max)
      }) {
        happened(.scenarioFinished(result))
      }
      happened(.interrupted(signal: signal))
    }
    // Of a part of the scenarios, or of fewer than were meant, nobody can tell.
    if cancellation.cancellingSignal == nil, failureLimit.count == nil, suite.plan.isWhole {
      for doubt in suite.decoders.doubts { happened(.diagnosed(doubt)) }
    }
    happened(.runFinished(endedAt: Date(), duration: .now - start))
  }
}

extension Scheduler {
  /// Runs all of a plan; blocks the calling thread until it has.
  ///
  /// - Returns: the results in the order of the plan; fewer where it was cancelled.
  package func results(
    of suite: SuiteRun, cancellation: Cancellation,
    began: @escaping @Sendable (NetworkSeal) -> Void
  ) throws(SystemError) -> ScenarioResults {
    let results = Mutex<ScenarioResults>([])
    let waiting = WaitingThread()
    add(
      ScenarioJob(
        suite, entries: suite.places, cancellation: cancellation, began: began,
        happened: { event in
          if case .scenarioFinished(let result) = event { results.withLock { $0.append(result) } }
        }, ended: waiting.wake))
    try waiting.wait()
    var sorted = results.withLock { $0 }
    sorted.sortAsPlanned()
    return sorted
  }
}

/// What came to its end before a signal ended the run.
struct RunEnds {
  private var finished: Set<Int> = []
  private var tellsInterruption = false

  mutating func note(_ result: ScenarioResult) {
    finished.insert(result.index)
    tellsInterruption =
      tellsInterruption
      || result.findings.contains { finding in
        if case .runError(let error) = finding { error.kind == .interrupted } else { false }
      }
  }

  /// The error that every report of an interrupted run must have: a reader that counts failures knows
  /// nothing else of it.
  ///
  /// - Parameter isWhole: whether all files have been read.
  /// - Returns: `nil` where a scenario has been interrupted, and says so itself.
  func interruptedResult(
    _ plan: Plan, _ signal: Int32, isWhole: Bool = true
  ) -> ScenarioResult? {
    guard !tellsInterruption else { return nil }
    let index = plan.entries.indices.first { !finished.contains($0) }
    let moment =
      switch (index, isWhole) {
      case (nil, true): "at its end"
      case (nil, false): "before all files were read"
      case (.some, _): "before this scenario, and maybe others, could start"
      }
    let message = "The run was interrupted by \(SignalName.of(signal)) \(moment)."
    return ScenarioResult(
      index: index ?? plan.entries.count,
      scenario: index.map { plan.entries[$0].reference } ?? .wholeRun, verdict: .errored,
      findings: [.runError(RunError(.interrupted, message))], startedAt: Date(), duration: .zero,
      repetition: index.flatMap { plan.entries[$0].repetition })
  }
}

/// A thread that waits for the end of a job.
private final class WaitingThread: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let error = Mutex<SystemError?>(nil)

  @Sendable func wake(_ ending: Result<ScenarioResult?, SystemError>) {
    if case .failure(let failure) = ending { error.withLock { $0 = failure } }
    semaphore.signal()
  }

  func wait() throws(SystemError) {
    semaphore.wait()
    if let error = error.withLock({ $0 }) { throw error }
  }
}
