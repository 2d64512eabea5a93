import Foundation
import HarnessProtocol
import ScenarioCore
import SourceText

/// Runs one scenario: launches the app, sends it the actions, ends it, and judges its store.
///
/// Blocks the calling thread.
struct ScenarioExecution {
  let scenario: Scenario
  /// What is doubtful in its files.
  let fileWarnings: [Diagnostic]
  let settings: RunSettings
  let runFolder: String
  /// Unique in the run.
  let folderName: String
  let homes: HomeFolders
  let hunter: any LeftoverHunting
  /// `nil` where the app may reach the network.
  let seal: Seal?
  let cancellation: Cancellation
  let stepStarted: (StepReference) -> Void

  /// When answers are delivered: the command's schedule beats the scenario's.
  var schedule: Schedule? { settings.schedule ?? scenario.schedule }

  /// The schedule where the scenario's author knows nothing of it.
  private var foreignSchedule: Schedule? {
    settings.isSweep ? scenario.schedule : settings.schedule
  }

  /// What came out, before it becomes a result.
  struct Outcome {
    var findings: [Finding] = []
    var warnings: [Finding] = []
    /// What a case left unused, which is judged with the other cases; `nil` where it did not run to its end.
    var unused: [FileDoubt]?
    var unjudgedExpectations = 0
    var recordedRequests = 0
    var output = AppOutput()
    var app = AppReport()
    var trace = Trace()
    /// By name: what each decoder found.
    var decoders: [String: DecoderUse] = [:]
    /// What no output shows.
    var credentials: Set<String> = []
    var keptFolder: String?
    var keepFailure: String?

    var verdict: Verdict {
      if findings.contains(where: \.isError) { return .errored }
      return findings.isEmpty ? .passed : .failed
    }
  }

  func run() -> Outcome {
    var outcome = Outcome()
    do throws(RunError) {
      let folders = try makeFolders()
      defer { folders.remove() }
      run(in: folders, &outcome)
      outcome.warnings = fileWarnings.map { .fileWarning($0) } + outcome.warnings
      if !outcome.app.unseen.isEmpty { outcome.warnings.append(.unseen(outcome.app.unseen)) }
      if settings.isStrict {
        outcome.findings += outcome.warnings
        outcome.warnings = []
      }
      if outcome.verdict != .passed || settings.keepsAll { keep(folders, &outcome) }
      let isSilent =
        outcome.output.standardOutput.isEmpty && outcome.output.standardError.isEmpty
      // Nothing is shown that they could stand in, and such scenarios are many.
      if outcome.verdict == .passed, outcome.warnings.isEmpty, isSilent, settings.trace.isEmpty {
        outcome.credentials = []
      }
    } catch {
      outcome.findings = [.runError(error)]
    }
    return outcome
  }

  private func run(in folders: ScenarioFolders, _ outcome: inout Outcome) {
    let store: StoreReader
    do throws(RunError) {
      store = try folders.openStore()
    } catch {
      outcome.findings.append(.runError(error))
      return
    }
    var play = ScenarioPlay(execution: self, folders: folders, store: store)
    do throws(RunError) {
      try play.run()
    } catch {
      outcome.findings.append(.runError(error))
    }
    if let leftBehind = play.end() { outcome.findings.append(.runError(leftBehind)) }
    // First: the app may have done the rest for want of an answer.
    if let escape = play.escape { outcome.findings.insert(.runError(escape), at: 0) }
    if outcome.findings.isEmpty, let unfit = play.unfitSchedule {
      outcome.findings.append(.runError(unfit))
    } else if let failure = play.failure, foreignSchedule?.isDisturbing != true {
      // An app that is disturbed may well show something else; who writes the schedule into the scenario
      // knows what.
      outcome.findings.append(.actionFailed(failure))
    }
    outcome.output = play.output
    outcome.app = play.app
    outcome.trace = play.trace
    StoreJudgement(
      scenario: scenario, store: store, shared: folders.shared, sentActions: play.sentActions,
      times: ActionTimes(play.trace, of: scenario), stubs: StubSearch(scenario, settings),
      timeout: play.timeout, cancellation: cancellation,
      isDisturbed: schedule?.isDisturbing ?? false
    ).judge(play.failure == nil ? .all : .through(play.completedSteps), &outcome)
    addDoubts(of: play, to: &outcome)
  }

  /// What the run has shown of the files that the scenario names.
  private func addDoubts(of play: ScenarioPlay, to outcome: inout Outcome) {
    let undecodable = FileDoubt.unique(play.undecodable).map(Finding.fileDoubt)
    switch scenario.undecodable {
    case .fail: outcome.findings += undecodable
    case .warn: outcome.warnings += undecodable
    case .allow: break
    }
    // Who stopped early had no chance to use the rest.
    guard play.failure == nil, outcome.verdict != .errored else { return }
    let unused = UnusedFiles(scenario, play.app, outcome.decoders).doubts
    if scenario.reference.caseName == nil {
      outcome.warnings += unused.map(Finding.fileDoubt)
    } else {
      outcome.unused = unused
    }
  }

  func makeFolders() throws(RunError) -> ScenarioFolders {
    do throws(SystemError) {
      return try ScenarioFolders(creatingIn: runFolder, name: folderName, homes: homes)
    } catch {
      throw RunError(
        .runner,
        "The scenario's folders could not be made: \(error). Make room there, or set TMPDIR to "
          + "another folder.")
    }
  }

  private func keep(_ folders: ScenarioFolders, _ outcome: inout Outcome) {
    guard let parent = settings.keepFolder else { return }
    let redaction = settings.redaction(outcome.credentials)
    let kept = KeptFolder(parent: parent, name: folderName, redaction: redaction)
    var settings = settings
    settings.schedule = foreignSchedule
    let project = KeptProject(
      reference: scenario.reference, settings: settings, redaction: redaction)
    do throws(SystemError) {
      outcome.keptFolder = try kept.keep(
        folders, output: outcome.output, trace: outcome.trace, of: project)
    } catch {
      outcome.keepFailure = error.description
    }
  }
}

/// Reads the store, once the app and all that it started are gone, and judges it.
struct StoreJudgement {
  let scenario: Scenario
  let store: StoreReader
  let shared: String
  /// The ids that a request can be caused by.
  let sentActions: Set<Int>
  /// When the actions ran; `nil` where the app doesn't tell its clock.
  let times: ActionTimes?
  let stubs: StubSearch
  /// How long it may take.
  let timeout: Duration
  let cancellation: Cancellation
  /// Whether the schedule lets answers fail, or kills the app: then only what arrives is judged.
  let isDisturbed: Bool

  /// Adds what is wrong to the outcome; a damaged store is wrong whatever else there is.
  func judge(_ completedSteps: CompletedSteps, _ outcome: inout ScenarioExecution.Outcome) {
    var verification = Verification(
      scenario: scenario, times: times, isDisturbed: isDisturbed, taken: outcome.trace.schedule,
      stubs: stubs.nearest)
    verification.shouldStop = stop
    var credentials = Credentials()
    credentials.add(scenario)
    do throws(StoreDamage) {
      try store.forEachLine { (line) throws(RecordedLineFault) in
        credentials.add(line)
        outcome.trace.add(line.request, verification.observe(line), stubs: stubs.nearest)
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
    outcome.decoders = verification.decoderUse
    // After a crash or a hang the counts say nothing: only the error is shown.
    guard !isErrored else { return }
    guard !judged.hasStopped else {
      outcome.findings.append(.runError(StoreErrors.unjudged(timeout, cancellation)))
      return
    }
    outcome.findings += judged.findings
    outcome.warnings = judged.warnings
    outcome.unjudgedExpectations = judged.unjudgedExpectations
  }

  /// At the timeout, and where the run is interrupted meanwhile. What was interrupted before is judged all
  /// the same, to show what was sent, but nobody waits long for it.
  private var stop: @Sendable () -> Bool {
    let wasCancelled = cancellation.cancellingSignal != nil
    let deadline = ContinuousClock.now + (wasCancelled ? min(timeout, .seconds(1)) : timeout)
    return { [cancellation] in
      ContinuousClock.now > deadline || !wasCancelled && cancellation.cancellingSignal != nil
    }
  }

  /// What a request says of itself has to be possible.
  private func check(_ line: RecordedRequestLine) throws(RecordedLineFault) {
    if let action = line.action, !sentActions.contains(action) { throw .unknownAction(action) }
    if line.answer == .stub, scenario.stubs.isEmpty { throw .answeredWithoutStubs }
  }
}

extension Finding {
  fileprivate var isDamagedStore: Bool {
    if case .runError(let error) = self { error.kind == .damagedStore } else { false }
  }
}
