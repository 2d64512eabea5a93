import Foundation
import ScenarioCore
import SourceText
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
    growing.readRest(unless: { cancellation.cancellingSignal != nil }, told: { take($0, happened) })
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
  private let began: @Sendable (NetworkSeal) -> Void
  private let hasBegun = Mutex(false)
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

  /// To be called before each scenario: whoever comes while it begins waits.
  func begin(_ resources: RunResources) throws(SystemError) {
    try hasBegun.withLock { hasBegun throws(SystemError) in
      guard !hasBegun else { return }
      try cancellation.open()
      began(resources.seal(suite.settings)?.kind ?? .open)
      hasBegun = true
    }
  }
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
    let account = RunAccount(header, cancellation, happened)
    try runAll(
      of: suite, failureLimit: failureLimit, cancellation: cancellation,
      began: { account.begin($0, suite.plan) }, happened: account.tell)
    suite.readRest(unless: cancellation, happened)
    // Of a part of the scenarios, or of fewer than were meant, nobody can tell what was of no use.
    let isComplete =
      cancellation.cancellingSignal == nil && failureLimit.count == nil && suite.plan.isWhole
    account.end(
      suite.plan, isWhole: suite.places.upperBound < .max,
      doubts: isComplete ? suite.decoders.doubts : [])
  }

  /// Runs all of a plan; blocks the calling thread until it has.
  ///
  /// - Returns: the results in the order of the plan; fewer where it was cancelled.
  package func results(
    of suite: SuiteRun, cancellation: Cancellation,
    began: @escaping @Sendable (NetworkSeal) -> Void = { _ in }
  ) throws(SystemError) -> ScenarioResults {
    let results = Mutex<ScenarioResults>([])
    try runAll(of: suite, cancellation: cancellation, began: began) { event in
      if case .scenarioFinished(let result) = event { results.withLock { $0.append(result) } }
    }
    var sorted = results.withLock { $0 }
    sorted.sortAsPlanned()
    return sorted
  }

  private func runAll(
    of suite: SuiteRun, failureLimit: ScenarioJob.FailureLimit = .init(),
    cancellation: Cancellation, began: @escaping @Sendable (NetworkSeal) -> Void,
    happened: @escaping @Sendable (RunEvent) -> Void
  ) throws(SystemError) {
    let hasEnded = DispatchSemaphore(value: 0)
    let failure = Mutex<SystemError?>(nil)
    add(
      ScenarioJob(
        suite, entries: suite.places, failureLimit: failureLimit, cancellation: cancellation,
        began: began, happened: happened
      ) { ending in
        if case .failure(let error) = ending { failure.withLock { $0 = error } }
        hasEnded.signal()
      })
    hasEnded.wait()
    if let error = failure.withLock({ $0 }) { throw error }
  }
}

/// Tells of a run from its first scenario to its end, whatever it runs.
final class RunAccount: Sendable {
  private struct State {
    var hasBegun = false
    /// Places in the plan.
    var finished: Set<Int> = []
    var tellsInterruption = false
  }

  private let start = ContinuousClock.now
  private let header: RunHeader
  private let cancellation: Cancellation
  private let happened: @Sendable (RunEvent) -> Void
  private let state = Mutex(State())

  init(
    _ header: RunHeader, _ cancellation: Cancellation,
    _ happened: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.header = header
    self.cancellation = cancellation
    self.happened = happened
  }

  /// Only the first call counts.
  func begin(_ seal: NetworkSeal, _ plan: Plan) {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    var header = header
    header.seal = seal
    happened(.runStarted(header))
    for diagnostic in plan.diagnostics { happened(.diagnosed(diagnostic)) }
  }

  @Sendable func tell(_ event: RunEvent) {
    if case .scenarioFinished(let result) = event {
      state.withLock { state in
        state.finished.insert(result.index)
        state.tellsInterruption = state.tellsInterruption || result.hasError(.interrupted)
      }
    }
    happened(event)
  }

  /// - Parameters:
  ///   - isWhole: whether all files have been read.
  ///   - doubts: what only a run as a whole has shown.
  func end(_ plan: Plan, isWhole: Bool = true, doubts: [Diagnostic] = []) {
    if let signal = cancellation.cancellingSignal {
      if let result = interruptedResult(plan, signal, isWhole: isWhole) {
        happened(.scenarioFinished(result))
      }
      happened(.interrupted(signal: signal))
    }
    for doubt in doubts { happened(.diagnosed(doubt)) }
    happened(.runFinished(endedAt: Date(), duration: .now - start))
  }

  /// The error that every report of an interrupted run must have: a reader that counts failures knows
  /// nothing else of it.
  ///
  /// - Returns: `nil` where a scenario has been interrupted, and says so itself.
  private func interruptedResult(
    _ plan: Plan, _ signal: Int32, isWhole: Bool
  ) -> ScenarioResult? {
    let (finished, isTold) = state.withLock { ($0.finished, $0.tellsInterruption) }
    guard !isTold else { return nil }
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
