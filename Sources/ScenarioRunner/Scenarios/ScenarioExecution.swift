import HarnessProtocol
import ScenarioCore
import SourceText

/// Runs one scenario: launches the app, sends it the actions, ends it, and judges its store.
///
/// Blocks the calling thread.
struct ScenarioExecution {
  let scenario: Scenario
  /// What is doubtful in its files.
  var fileWarnings: [Diagnostic] = []
  let settings: RunSettings
  let resources: RunResources
  /// Unique in the run.
  let folderName: String
  /// The number is nobody else's meanwhile.
  let worker: Int
  let cancellation: Cancellation
  var stepStarted: (StepReference) -> Void = { _ in }

  /// When answers are delivered: the command's schedule beats the scenario's.
  var schedule: Schedule? { settings.schedule ?? scenario.schedule }

  /// The schedule where the scenario's author knows nothing of it.
  private var foreignSchedule: Schedule? {
    settings.isSweep ? scenario.schedule : settings.schedule
  }

  /// What the files that a scenario names were good for.
  struct FileUse {
    /// What a case left unused, which is judged with the other cases; `nil` where it did not run to its end.
    var unused: [FileDoubt]?
    /// By name: what each decoder found.
    var decoders: [String: DecoderUse] = [:]
  }

  /// - Parameter result: gets what came out.
  func run(_ result: inout ScenarioResult) -> FileUse {
    let folders: ScenarioFolders
    do throws(RunError) {
      folders = try makeFolders()
    } catch {
      result.verdict = .errored
      result.findings = [.runError(error)]
      return FileUse()
    }
    defer { folders.remove() }
    let use = run(in: folders, &result)
    result.warnings = fileWarnings.map { .fileWarning($0) } + result.warnings
    if !result.app.unseen.isEmpty { result.warnings.append(.unseen(result.app.unseen)) }
    if settings.isStrict {
      // What is known to fail is something else: it passes but for the warnings.
      if let reason = scenario.knownIssue, result.findings.isEmpty, !result.warnings.isEmpty {
        result.findings = [.fixedIssue(reason)]
      }
      result.findings += result.warnings
      result.warnings = []
    }
    result.verdict =
      result.findings.contains(where: \.isError)
      ? .errored : result.findings.isEmpty ? .passed : .failed
    if result.verdict != .passed || settings.keepsAll { keep(folders, &result) }
    if result.verdict == .passed, settings.trace.isEmpty, schedule == nil { slim(&result) }
    return use
  }

  /// Drops what no report shows of a scenario that passed: such are many. What happened leads to the steps, and
  /// so to the whole file.
  private func slim(_ result: inout ScenarioResult) {
    result.trace = Trace()
    (result.app.askedKeys, result.app.usedStubs) = (nil, nil)
    let isSilent = result.output.standardOutput.isEmpty && result.output.standardError.isEmpty
    // Nothing is shown that they could stand in.
    if result.warnings.isEmpty, isSilent { result.credentials = [] }
  }

  private func run(in folders: ScenarioFolders, _ result: inout ScenarioResult) -> FileUse {
    let store: StoreReader
    do throws(RunError) {
      store = try folders.openStore()
    } catch {
      result.findings.append(.runError(error))
      return FileUse()
    }
    var play = ScenarioPlay(execution: self, folders: folders, store: store)
    do throws(RunError) {
      try play.run()
    } catch {
      result.findings.append(.runError(error))
    }
    if let leftBehind = play.end() { result.findings.append(.runError(leftBehind)) }
    // First: the app may have done the rest for want of an answer.
    if let escape = play.escape { result.findings.insert(.runError(escape), at: 0) }
    if result.findings.isEmpty, let unfit = play.unfitSchedule {
      result.findings.append(.runError(unfit))
    } else if let failure = play.failure, foreignSchedule?.isDisturbing != true {
      // An app that is disturbed may well show something else; who writes the schedule into the scenario
      // knows what.
      result.findings.append(.actionFailed(failure))
    }
    result.output = play.output
    result.app = play.app
    result.trace = play.trace
    var use = FileUse()
    use.decoders = judge(store, of: play, in: folders.shared, &result)
    use.unused = addDoubts(of: play, use.decoders, to: &result)
    return use
  }

  /// Adds what the run has shown of the files that the scenario names.
  ///
  /// - Returns: what a case left unused.
  private func addDoubts(
    of play: ScenarioPlay, _ decoders: [String: DecoderUse], to result: inout ScenarioResult
  ) -> [FileDoubt]? {
    let undecodable = FileDoubt.unique(play.undecodable).map(Finding.fileDoubt)
    switch scenario.undecodable {
    case .fail: result.findings += undecodable
    case .warn: result.warnings += undecodable
    case .allow: break
    }
    // Who stopped early had no chance to use the rest.
    guard play.failure == nil, !result.findings.contains(where: \.isError) else { return nil }
    let unused = FileDoubt.unused(in: scenario, play.app, decoders)
    if scenario.reference.caseName != nil { return unused }
    result.warnings += unused.map(Finding.fileDoubt)
    return nil
  }

  func makeFolders() throws(RunError) -> ScenarioFolders {
    do throws(SystemError) {
      return try ScenarioFolders(in: resources.folder, name: folderName, worker: worker)
    } catch {
      throw RunError(
        .runner,
        "The scenario's folders could not be made: \(error). Make room there, or set TMPDIR to "
          + "another folder.")
    }
  }

  private func keep(_ folders: ScenarioFolders, _ result: inout ScenarioResult) {
    guard let parent = settings.keepFolder else { return }
    let redaction = settings.redaction(result.credentials)
    let kept = KeptFolder(parent: parent, name: folderName, redaction: redaction)
    var settings = settings
    settings.schedule = foreignSchedule
    let project = KeptProject(
      reference: scenario.reference, settings: settings, redaction: redaction)
    do throws(SystemError) {
      result.keptFolder = try kept.keep(
        folders, output: result.output, trace: result.trace, of: project)
    } catch {
      result.keepFailure = error.description
    }
  }
}

// MARK: - The store

extension ScenarioExecution {
  /// Reads the store, once the app and all that it started are gone, and judges it. A damaged store is wrong
  /// whatever else there is.
  ///
  /// - Parameters:
  ///   - shared: the folder that the store is in.
  ///   - result: gets what is wrong.
  /// - Returns: what each decoder found, by name.
  private func judge(
    _ store: StoreReader, of play: ScenarioPlay, in shared: String,
    _ result: inout ScenarioResult
  ) -> [String: DecoderUse] {
    let stubs = StubSearch(scenario, settings)
    var verification = Verification(
      scenario: scenario, times: ActionTimes(play.trace, of: scenario),
      isDisturbed: schedule?.isDisturbing ?? false, taken: play.trace.schedule,
      stubs: stubs.nearest)
    verification.shouldStop = stop(after: play.timeout)
    var credentials = Credentials()
    credentials.add(scenario)
    do throws(StoreDamage) {
      try store.forEachLine { (line) throws(RecordedLineFault) in
        credentials.add(line)
        result.trace.add(line.request, verification.observe(line), stubs: stubs.nearest)
        try check(line, play)
      }
    } catch {
      if !result.hasError(.damagedStore) {
        result.findings.append(.runError(StoreErrors.damaged(error)))
      }
    }
    if result.findings.isEmpty, DiskSpace.isExhausted(at: shared) {
      result.findings.append(.runError(StoreErrors.exhausted(shared)))
    }
    result.credentials = credentials.values
    let isErrored = result.findings.contains(where: \.isError)
    let completed = play.failure == nil ? .all : CompletedSteps.through(play.completedSteps)
    let judged = verification.outcome(completedSteps: isErrored ? .none : completed)
    result.recordedRequests = judged.recordedRequests
    // After a crash or a hang the counts say nothing: only the error is shown.
    if judged.hasStopped, !isErrored {
      result.findings.append(.runError(StoreErrors.unjudged(play.timeout, cancellation)))
    } else if !isErrored {
      result.findings += judged.findings
      result.warnings = judged.warnings
      result.unjudgedExpectations = judged.unjudgedExpectations
    }
    return verification.decoderUse
  }

  /// At the timeout, and where the run is interrupted meanwhile. What was interrupted before is judged all
  /// the same, to show what was sent, but nobody waits long for it.
  private func stop(after timeout: Duration) -> @Sendable () -> Bool {
    let wasCancelled = cancellation.cancellingSignal != nil
    let deadline = ContinuousClock.now + (wasCancelled ? min(timeout, .seconds(1)) : timeout)
    return { [cancellation] in
      ContinuousClock.now > deadline || !wasCancelled && cancellation.cancellingSignal != nil
    }
  }

  /// What a request says of itself has to be possible.
  private func check(
    _ line: RecordedRequestLine, _ play: ScenarioPlay
  ) throws(RecordedLineFault) {
    if let action = line.action, !play.sentActions.contains(action) {
      throw .unknownAction(action)
    }
    if line.answer == .stub, scenario.stubs.isEmpty { throw .answeredWithoutStubs }
  }
}
