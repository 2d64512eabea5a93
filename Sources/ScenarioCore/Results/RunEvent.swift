import Foundation
import SourceText

/// What happens during a run, in order; every report is made from these.
package enum RunEvent: Sendable {
  case runStarted(RunHeader)
  /// A fault of a file; the scenarios that it spoils follow as errored results.
  case diagnosed(Diagnostic)
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
  package var scenarioCount: Int
  package var jobs: Int
  package var shard: Shard?
  /// What the shard is a part of.
  package var whole: ShardedWhole?
  /// Who asked for the shard: an option, or a variable of the environment.
  package var shardSource: String?
  package var shuffleSeed: UInt64?
  /// Whether a pass after a failure makes the run fail.
  package var failsOnFlaky: Bool
  /// `nil` where no app is started.
  package var seal: NetworkSeal?

  package init(
    version: String, startedAt: Date, scenarioCount: Int, jobs: Int, shard: Shard? = nil,
    whole: ShardedWhole? = nil, shardSource: String? = nil, shuffleSeed: UInt64? = nil,
    failsOnFlaky: Bool = false, seal: NetworkSeal? = nil
  ) {
    self.version = version
    self.startedAt = startedAt
    self.scenarioCount = scenarioCount
    self.jobs = jobs
    self.shard = shard
    self.whole = whole
    self.shardSource = shardSource
    self.shuffleSeed = shuffleSeed
    self.failsOnFlaky = failsOnFlaky
    self.seal = seal
  }
}
