import Foundation
import HarnessProtocol

/// What became of a scenario.
package enum Verdict: String, Sendable, CaseIterable {
  /// The app did exactly what was expected.
  case passed
  /// The app did something else than expected.
  case failed
  /// The app crashed, hung, broke the protocol or could not be launched, or a file is invalid.
  case errored
  case skipped

  /// Whether it makes a run fail, unless it is known.
  package var isUnsuccessful: Bool { self == .failed || self == .errored }
}

/// One scenario's verdict with everything that reports show of it.
package struct ScenarioResult: Sendable {
  /// The place in the plan, from 0: reports are sorted by it.
  package var index: Int
  package var scenario: ScenarioReference
  package var verdict: Verdict
  /// In the order in which they should be read.
  package var findings: [Finding]
  /// What is doubtful and doesn't decide about the verdict.
  package var warnings: [Finding] = []
  /// Why it was known to fail, where it failed.
  package var knownIssue: String?
  /// Findings that could not be judged, because the actions stopped early.
  package var unjudgedExpectations: Int
  package var startedAt: Date
  package var duration: Duration
  package var skipReason: String?
  package var recordedRequests: Int
  package var output: AppOutput
  /// Values that no output shows: credentials of its requests and its expectations.
  package var credentials: Set<String> = []
  /// The folder that `--keep` made.
  package var keptFolder: String?
  /// Why `--keep` could not make it.
  package var keepFailure: String?
  /// Earlier attempts under `--retries`, oldest first; empty for a single run.
  package var earlierAttempts: [ScenarioResult]
  /// Which repetition under `--repeat`, from 1.
  package var repetition: Int?
  /// What the app's random numbers followed from, where somebody asked for it.
  package var seed: UInt64?
  /// Under which schedule it ran, where a sweep tried it.
  package var schedule: Schedule?
  /// What a sweep came to, where this is the result of one.
  package var sweep: SweepCounts?
  /// How many more schedules of a sweep fail in the same way.
  package var alikeSchedules = 0
  /// What the app said of itself at last.
  package var app = AppReport()
  /// What happened, as far as somebody asked for it.
  package var trace = Trace()

  package init(
    index: Int, scenario: ScenarioReference, verdict: Verdict, findings: [Finding] = [],
    unjudgedExpectations: Int = 0, startedAt: Date, duration: Duration,
    skipReason: String? = nil, recordedRequests: Int = 0, output: AppOutput = AppOutput(),
    keptFolder: String? = nil, earlierAttempts: [ScenarioResult] = [], repetition: Int? = nil
  ) {
    self.index = index
    self.scenario = scenario
    self.verdict = verdict
    self.findings = findings
    self.unjudgedExpectations = unjudgedExpectations
    self.startedAt = startedAt
    self.duration = duration
    self.skipReason = skipReason
    self.recordedRequests = recordedRequests
    self.output = output
    self.keptFolder = keptFolder
    self.earlierAttempts = earlierAttempts
    self.repetition = repetition
  }

  /// Whether it failed as it is known to.
  package var isKnown: Bool { verdict == .failed && knownIssue != nil }

  /// Whether it failed or errored, other than it is known to.
  package var isUnsuccessful: Bool { verdict.isUnsuccessful && !isKnown }

  /// Whether it is errored for a reason of this kind.
  package func hasError(_ kind: RunError.Kind) -> Bool {
    findings.contains { if case .runError(let error) = $0 { error.kind == kind } else { false } }
  }

  /// Whether it did not run, because a file of it is invalid.
  package var isOfInvalidFile: Bool { hasError(.invalidInput) }

  /// What runs it again: `file:line`; the file where that is invalid, since nobody knows its cases.
  package var selector: String {
    isOfInvalidFile && scenario.caseName == nil ? scenario.path : scenario.place
  }

  /// Whether nothing is wrong but that it is said to be.
  package var isOfFixedIssue: Bool {
    findings.contains { if case .fixedIssue = $0 { true } else { false } }
  }

  /// Whether it passed after a failure.
  package var isFlaky: Bool {
    verdict == .passed && earlierAttempts.contains { $0.verdict != .passed }
  }

  /// Whether it makes the run fail, which a flaky one does where that is asked for.
  package func failsRun(onFlaky failsOnFlaky: Bool) -> Bool {
    isUnsuccessful || failsOnFlaky && isFlaky
  }
}

/// What an app says of itself in its answers.
package struct AppReport: Sendable, Equatable {
  /// What of the app its kit can't see.
  package var unseen: [String] = []
  /// How many timers wait for the app's clock.
  package var pendingTimers = 0
  /// How many seconds the clock has to move until the first of them is due.
  package var nextTimer: Double?
  /// The launch keys that it asked for; `nil` where it says nothing of them.
  package var askedKeys: Set<String>?
  /// Those of them that nobody gave, by name.
  package var missingKeys: [String] = []
  /// The stubs that answered, as `file:line:column`, and the captures; `nil` where it says nothing.
  package var usedStubs: Set<String>?

  package init() {}
}

/// What the app wrote, cut at a stated size.
package struct AppOutput: Sendable {
  package var standardOutput: CapturedText
  package var standardError: CapturedText

  package init(
    standardOutput: CapturedText = CapturedText(), standardError: CapturedText = CapturedText()
  ) {
    self.standardOutput = standardOutput
    self.standardError = standardError
  }
}

/// The beginning and the end of a stream.
package struct CapturedText: Sendable {
  package var head: [UInt8]
  /// Bytes between head and tail that were read and thrown away.
  package var omittedBytes: Int
  package var tail: [UInt8]

  package init(head: [UInt8] = [], omittedBytes: Int = 0, tail: [UInt8] = []) {
    self.head = head
    self.omittedBytes = omittedBytes
    self.tail = tail
  }

  package var isEmpty: Bool { head.isEmpty && tail.isEmpty }
}

/// The results of a run.
package typealias ScenarioResults = [ScenarioResult]

extension ScenarioResults {
  /// Brings them into the order of the plan.
  package mutating func sortAsPlanned() { sort { $0.index < $1.index } }
}

extension Collection<ScenarioResult> {
  /// Known issues are none of those that failed.
  package func count(_ verdict: Verdict) -> Int { count { $0.verdict == verdict && !$0.isKnown } }

  package var flakyCount: Int { count(where: \.isFlaky) }

  /// Known issues are none of those that failed.
  package func all(_ verdict: Verdict) -> [ScenarioResult] {
    filter { $0.verdict == verdict && !$0.isKnown }
  }

  package var known: [ScenarioResult] { filter(\.isKnown) }

  /// Those that neither failed nor errored, and have warnings.
  package var warned: [ScenarioResult] {
    filter { !$0.verdict.isUnsuccessful && !$0.warnings.isEmpty }
  }

  package var unsuccessful: [ScenarioResult] { filter(\.isUnsuccessful) }

  package var flaky: [ScenarioResult] { filter(\.isFlaky) }
}
