import Foundation
import SourceText

/// What happens during a run, in order; every report is made from these.
package enum RunEvent: Sendable {
  case runStarted(RunHeader)
  /// A fault of a file; the scenarios that it spoils follow as errored results.
  case diagnosed(Diagnostic)
  /// The last file has been read, where that came after the start.
  case planned(scenarioCount: Int)
  case scenarioStarted(ScenarioReference, attempt: Int)
  case stepStarted(ScenarioReference, StepReference)
  /// A failure that will be tried again: not a result yet.
  case attemptFailed(ScenarioResult)
  case scenarioFinished(ScenarioResult)
  /// SIGINT or SIGTERM came: `signal` is its number.
  case interrupted(signal: Int32)
  case runFinished(endedAt: Date, duration: Duration)
}

/// What is known before the first scenario starts.
package struct RunHeader: Sendable {
  package var version: String
  package var startedAt: Date
  /// `nil` while files are still to be read.
  package var scenarioCount: Int?
  package var jobs: Int
  package var shard: Shard?
  /// What the shard is a part of.
  package var whole: ShardedWhole?
  /// Who asked for the shard: an option, or a variable of the environment.
  package var shardSource: String?
  /// Whether a pass after a failure makes the run fail.
  package var failsOnFlaky: Bool
  /// Whether a warning makes the run fail.
  package var isStrict: Bool
  /// `nil` where no app is started.
  package var seal: NetworkSeal?

  package init(
    version: String, startedAt: Date, scenarioCount: Int?, jobs: Int, shard: Shard? = nil,
    whole: ShardedWhole? = nil, shardSource: String? = nil,
    failsOnFlaky: Bool = false, isStrict: Bool = false, seal: NetworkSeal? = nil
  ) {
    self.version = version
    self.startedAt = startedAt
    self.scenarioCount = scenarioCount
    self.jobs = jobs
    self.shard = shard
    self.whole = whole
    self.shardSource = shardSource
    self.failsOnFlaky = failsOnFlaky
    self.isStrict = isStrict
    self.seal = seal
  }
}

/// The whole run, folded once from its events: reports of files are pure functions of it.
package struct RunResult: Sendable {
  package private(set) var header: RunHeader?
  /// In the order in which they finished, until the run has ended; then in the plan's.
  package private(set) var results: ScenarioResults = []
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var interruptingSignal: Int32?
  package private(set) var duration: Duration = .zero

  package init() {}

  package mutating func apply(_ event: RunEvent) {
    switch event {
    case .runStarted(let header): self.header = header
    case .diagnosed(let diagnostic): diagnostics.append(diagnostic)
    case .planned(let count): header?.scenarioCount = count
    case .scenarioFinished(let result): results.append(result)
    case .interrupted(let signal): interruptingSignal = signal
    case .runFinished(_, let duration):
      self.duration = duration
      results.sortAsPlanned()
    case .scenarioStarted, .stepStarted, .attemptFailed: break
    }
  }

  package func count(_ verdict: Verdict) -> Int {
    results.count(verdict)
  }
}
