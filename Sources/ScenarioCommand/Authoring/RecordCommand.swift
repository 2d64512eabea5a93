import Foundation
import HarnessProtocol
import ScenarioAuthoring
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Runs scenarios twice and drafts what they should expect.
struct RecordCommand {
  let project: CommandProject

  private var context: CommandContext { project.context }

  func run() throws(CommandFailure) -> ExitCode {
    try checkWords()
    let plan = try project.plan()
    project.print(plan.diagnostics)
    guard !plan.entries.isEmpty else { return .nothingSelected }
    let runs = RecordingRuns(project: project)
    let recorded = try runs.record(plan)
    if let signal = recorded.signal { return ExitCode(signal: signal) }
    let texts = recorded.files.map(draft)
    let lines = zip(texts, recorded.files).map { text, file in
      text ?? "\(context.outlet.line(file.path)): nothing to draft\n"
    }
    return context.answer(
      lines.joined(),
      ExitCode(
        gravestOf: plan.hasInvalidFiles ? .invalidFile : nil,
        texts.allSatisfy { $0 == nil } ? nil : .notPassed))
  }

  /// A draft is one of a file: with all of its cases.
  private func checkWords() throws(CommandFailure) {
    for word in project.options.words where ScenarioPath(word, among: project.files).line != nil {
      throw CommandFailure("record takes whole files: name \"\(word)\" without its line.")
    }
  }

  /// - Returns: what there is to say of a file; `nil` where there is nothing to draft.
  private func draft(_ file: RecordedFile) -> String? {
    let name = context.outlet.line(file.path)
    if let reason = file.skipReason { return "\(name): not recorded: \(reason)\n" }
    do {
      let source = try project.files.source(file.path)
      guard let drafting = ScenarioDrafting(source, file.recordings) else {
        return "\(name): not recorded: it is no longer a scenario.\n"
      }
      return try write(drafting, file, source)
    } catch {
      return "\(name): not recorded: \(context.outlet.line("\(error)"))\n"
    }
  }

  private func write(
    _ drafting: ScenarioDrafting, _ file: RecordedFile, _ source: SourceFile
  ) throws -> String? {
    let (name, path) = (context.outlet.line(file.path), DraftFiles.path(for: file.path))
    let existing = try DraftFiles(files: project.files).draft(for: file.path)
    if let existing, !existing.isUnchanged, !project.options.isForced {
      return
        "\(name): its draft has been changed by hand. Review it, or overwrite it with --force.\n"
    }
    guard drafting.file.bytes != source.bytes else {
      // What was drafted before isn't so any more.
      if existing != nil { try FileManager.default.removeItem(atPath: path) }
      let rest = unsaid(drafting, file)
      return rest.isEmpty ? nil : "\(name): nothing to draft\n" + rest
    }
    let secrets = SecretFinder(values: file.secrets)
    let review = try DraftReview(
      of: drafting.file, for: source, secrets: secrets, lint: project.configuration.lint)
    let bytes = PendingDraft.bytes(of: drafting.file, madeFrom: source)
    try ReportFile.replace(path, with: bytes)
    let words = DraftText(context.outlet.hiding(file.secrets), style: project.outputStyle)
    let differences = Wording.counted(review.differences.count, "difference")
    return "\(name): \(differences), drafted in \(context.outlet.line(path))\n"
      + words.text(review.differences) + unsaid(drafting, file)
      + "Continue with \(context.programName) review \(name)\n"
  }

  /// What the draft can't say, and what would fail with it all the same.
  private func unsaid(_ drafting: ScenarioDrafting, _ file: RecordedFile) -> String {
    let outlet = context.outlet.hiding(file.secrets)
    let words = DraftText(outlet)
    var lines = drafting.unshared.map { rest in
      "not in every case: \(outlet.line(rest.scenario.name)): \(words.place(rest.place)): "
        + outlet.line(JSONLayout.line(rest.expectation))
    }
    lines += drafting.omissions.map { "\(words.place($0.place)): \(words.words(for: $0.omission))" }
    let findings = project.findings(drafting.file, file.traces)
    let text = FindingText(outlet)
    lines += findings.map { "with the draft, it still fails: \(text.headline($0))" }
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }.map { "  \($0)\n" }.joined()
  }
}

extension CommandProject {
  /// What recorded requests come to, judged by a scenario that isn't written yet.
  fileprivate func findings(_ file: SourceFile, _ traces: [Trace]) -> [Finding] {
    let decoded = decoder.decode(file)
    guard !decoded.hasErrors, decoded.scenarios.count == traces.count else {
      let error = RunError(.invalidInput, "The draft is invalid.", diagnostics: decoded.diagnostics)
      return [.runError(error)]
    }
    return zip(decoded.scenarios, traces).flatMap { scenario, trace in
      var verification = Verification(scenario: scenario, times: ActionTimes(trace, of: scenario))
      for traced in trace.requests { verification.observe(traced.request) }
      return verification.outcome(completedSteps: .all).findings
    }
  }
}

/// What was recorded of a file.
struct RecordedFile: Sendable {
  var path: String
  /// One for each case.
  var recordings: [Recording] = []
  /// Of the first runs.
  var traces: [Trace] = []
  /// Why nothing can be drafted from it.
  var skipReason: String?
  /// What no draft and no output shows.
  var secrets: Set<String> = []
}

/// Runs scenarios under circumstances that differ, to find out what varies.
struct RecordingRuns {
  let project: CommandProject
  /// Whether every request counts, whatever the scenarios track.
  var tracksAll = false

  /// 397 days, 5 hours, 7 minutes and 13 seconds: another year, month, day, weekday, hour and so on.
  private static let dateOffset = Duration.seconds(34_319_233)
  private static let seedOffset: UInt64 = 7919

  struct Outcome {
    var files: [RecordedFile] = []
    var signal: Int32?
  }

  func record(_ plan: Plan) throws(CommandFailure) -> Outcome {
    let cancellation = Cancellation()
    let runner = TracedRun(project: project)
    let first = try runner.run(plan, cancellation) { _ in }
    let second = try runner.run(plan, cancellation) { settings in
      settings.seed = (settings.seed ?? 0) &+ Self.seedOffset
      settings.startDateOffset = Self.dateOffset
    }
    // Another date may change what is sent, and what is on screen.
    var recordings = plan.entries.indices.map { recording(plan, $0, first[$0], second[$0]) }
    let doubtful = recordings.indices.filter { index in
      recordings[index] == nil && first[index].map(Self.isUsable) == true
    }
    var rest = plan
    rest.entries = doubtful.map { plan.entries[$0] }
    let third =
      doubtful.isEmpty
      ? [:] : try runner.run(rest, cancellation) { $0.seed = ($0.seed ?? 0) &+ Self.seedOffset }
    for (place, index) in doubtful.enumerated() {
      recordings[index] = recording(plan, index, first[index], third[place])
    }
    var outcome = Outcome(signal: cancellation.cancellingSignal)
    for (index, entry) in plan.entries.enumerated() {
      if outcome.files.last?.path != entry.reference.path {
        outcome.files.append(RecordedFile(path: entry.reference.path))
      }
      add(
        plan, index, first[index], recordings[index],
        to: &outcome.files[outcome.files.count - 1])
    }
    return outcome
  }

  private func add(
    _ plan: Plan, _ index: Int, _ first: ScenarioResult?, _ recording: Recording?,
    to file: inout RecordedFile
  ) {
    guard let first else {
      file.skipReason = file.skipReason ?? "it did not run."
      return
    }
    file.secrets.formUnion(first.credentials)
    if let reason = reason(first) {
      file.skipReason = file.skipReason ?? reason
    } else if let recording {
      file.recordings.append(recording)
      file.traces.append(first.trace)
    } else {
      file.skipReason =
        file.skipReason
        ?? "\"\(project.context.outlet.line(first.scenario.name))\" sends other requests when only "
        + "the seed of random numbers differs. Make the app decide by the seed or by its data."
    }
  }

  private func recording(
    _ plan: Plan, _ index: Int, _ first: ScenarioResult?, _ other: ScenarioResult?
  ) -> Recording? {
    guard let first, let other, Self.isUsable(first), Self.isUsable(other),
      case .scenario(var scenario) = plan.content(of: plan.entries[index])
    else { return nil }
    if tracksAll { scenario.tracking = nil }
    let secrets = SecretFinder(
      values: first.credentials.union(other.credentials).union(
        project.context.values(of: project.options.secretNames)))
    return Recording(scenario, first.trace, other.trace, secrets: secrets)
  }

  private static func isUsable(_ result: ScenarioResult) -> Bool {
    result.verdict != .skipped && result.verdict != .errored
      && !result.findings.contains { if case .actionFailed = $0 { true } else { false } }
  }

  /// Why a scenario can't be recorded.
  private func reason(_ result: ScenarioResult) -> String? {
    if let skipReason = result.skipReason { return project.context.outlet.line(skipReason) }
    if let issue = result.knownIssue {
      return "what it does now is a known issue: \(project.context.outlet.line(issue))"
    }
    guard !Self.isUsable(result) else { return nil }
    let text = FindingText(
      project.context.outlet.hiding(credentialsOf: result), width: FindingText.unbroken)
    let lines = result.findings.filter { finding in
      switch finding {
      case .actionFailed, .runError: true
      default: false
      }
    }.prefix(1).flatMap { text.lines($0, in: result.scenario) }
    return "it can't be played to its end:\n" + lines.map { "  " + $0 }.joined(separator: "\n")
  }
}
