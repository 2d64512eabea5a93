import Dispatch
import Foundation
import HarnessProtocol
import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Runs scenarios and reports.
struct RunCommand {
  let options: CommandOptions
  let context: CommandContext
  let bazel: BazelTest?

  init(options: CommandOptions, context: CommandContext) {
    self.options = options
    self.context = context
    bazel = BazelTest(environment: context.environment)
  }

  func run() throws(CommandFailure) -> ExitCode {
    try checkReportPaths()
    if options.keepsAll, options.keepFolder == nil {
      throw CommandFailure("--keep-all needs a folder. Name it with --keep DIR.")
    }
    try bazel?.announceSharding()
    let project = try CommandProject(options, context)
    let needsAll = options.forbidsPending || options.sweepKind != nil
    let plan = try project.growingPlan(lead: needsAll ? .max : Planner.keptLimit)
    let diagnostics = plan.current.diagnostics
    project.print(diagnostics)
    let pending = options.forbidsPending ? project.tellDrafts(of: plan.current.draftedPaths) : nil
    // An empty shard passes: there are more machines than scenarios.
    let isNothing = !plan.current.isShard && plan.current.entries.isEmpty
    let warn = warning
    // Reports are written all the same: an earlier one would be taken for this run's.
    let pipeline = ReportingPipeline(reporters(project, warn))
    if isNothing {
      try tellNothing(plan, project, pipeline)
    } else {
      try run(plan, project, pipeline, warn)
    }
    // What only the run has shown.
    project.print(Array(pipeline.result.diagnostics.dropFirst(diagnostics.count)))
    for failure in pipeline.failures { context.complain("\(failure.reporter): \(failure.reason)") }
    tellFlaky(pipeline.result, warn)
    return ExitCode(gravestOf: outcome(plan, pipeline), pending, isNothing ? .nothingSelected : nil)
  }

  private func run(
    _ plan: GrowingPlan, _ project: CommandProject, _ pipeline: ReportingPipeline,
    _ warn: @escaping @Sendable (String) -> Void
  ) throws(CommandFailure) {
    let settings = settings(project)
    let scheduler = Scheduler(
      limit: project.jobs, temporaryDirectory: context.temporaryDirectory,
      seals: settings.seals)
    let cancellation = Cancellation()
    let signals = try SignalWatch(
      cancellation: cancellation, workers: min(project.jobs, plan.current.entries.count),
      tell: { warn("Interrupted: ending the apps. The same signal again ends at once.") },
      killApps: { scheduler.killApps() })
    let ticks = ticks(of: pipeline)
    defer {
      signals.stop()
      ticks?.cancel()
    }
    let header = try header(plan, project)
    do throws(SystemError) {
      if let kind = options.sweepKind {
        return try sweep(kind, of: plan.current, settings, project.jobs).run(
          by: scheduler, header: header, cancellation: cancellation,
          happened: { pipeline.handle($0) })
      }
      try scheduler.run(
        SuiteRun(plan: plan, settings: settings, jobLimit: project.jobs, retries: options.retries),
        header: header, failureLimit: failureLimit, cancellation: cancellation,
        happened: { pipeline.handle($0) })
    } catch {
      throw CommandFailure(error.message(whereStarting: "The run"))
    }
  }

  private func sweep(
    _ kind: SweepKind, of plan: Plan, _ settings: RunSettings, _ jobs: Int
  ) -> Sweep {
    Sweep(
      kind, of: plan, settings: settings, jobLimit: jobs, budget: options.budget,
      hasPairs: options.hasPairs
    ) { [context] result in
      guard let finding = result.findings.first else { return "" }
      let words = FindingText(context.outlet)
      return "\(words.place(finding, in: result.scenario)): \(words.headline(finding))"
    }
  }

  /// What is said during the run, in place of the live line; the next event draws it again.
  private var warning: @Sendable (String) -> Void {
    let erasure = context.isErrorTerminal ? consoleOptions.erasure : ""
    return { [context] in context.complain($0, erasing: erasure) }
  }

  /// Keeps the time on the live line going.
  private func ticks(of pipeline: ReportingPipeline) -> (any DispatchSourceTimer)? {
    guard consoleOptions.isLive else { return nil }
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
    timer.schedule(deadline: .now(), repeating: .milliseconds(100))
    timer.setEventHandler { pipeline.tick() }
    timer.activate()
    return timer
  }

  private func tellFlaky(_ result: RunResult, _ warn: (String) -> Void) {
    let count = result.results.flakyCount
    guard options.flaky == .fail, count > 0 else { return }
    let verb = count == 1 ? "fails" : "fail"
    warn("\(Wording.counted(count, "flaky scenario")) \(verb) the run (--flaky fail).")
  }

  private func outcome(_ plan: GrowingPlan, _ pipeline: ReportingPipeline) -> ExitCode {
    let result = pipeline.result
    let isPassed =
      result.count(.failed) + result.count(.errored) == 0
      && (options.flaky == .pass || result.results.flakyCount == 0)
      && !(options.isStrict && result.diagnostics.contains { $0.severity == .warning })
    return ExitCode(
      gravestOf: result.interruptingSignal.map(ExitCode.init(signal:)),
      plan.current.hasInvalidFiles ? .invalidFile : nil,
      isPassed && pipeline.failures.isEmpty ? nil : .notPassed)
  }

  private var failureLimit: ScenarioJob.FailureLimit {
    ScenarioJob.FailureLimit(
      count: options.maximumFailures ?? (bazel?.stopsAtFirstFailure == true ? 1 : nil),
      includesFlaky: options.flaky == .fail)
  }

  private func tellNothing(
    _ plan: GrowingPlan, _ project: CommandProject, _ pipeline: ReportingPipeline
  ) throws(CommandFailure) {
    pipeline.handle(.runStarted(try header(plan, project)))
    for diagnostic in plan.current.diagnostics { pipeline.handle(.diagnosed(diagnostic)) }
    pipeline.handle(.runFinished(endedAt: Date(), duration: .zero))
    let message =
      switch plan.current.scenarioCount {
      case 0: "There are no scenarios there."
      case 1: "The only scenario was not selected."
      default: "None of \(plan.current.scenarioCount) scenarios was selected."
      }
    context.complain(message)
  }

  private func header(
    _ plan: GrowingPlan, _ project: CommandProject
  ) throws(CommandFailure) -> RunHeader {
    let choice = try project.shardChoice()
    return RunHeader(
      version: Version.text, startedAt: Date(), scenarioCount: plan.total,
      jobs: project.jobs, shard: choice?.shard, whole: plan.current.whole,
      shardSource: choice?.source, failsOnFlaky: options.flaky == .fail,
      isStrict: options.isStrict)
  }

  private func settings(_ project: CommandProject) -> RunSettings {
    var settings = project.settings()
    settings.makesProcessGroups = bazel == nil
    settings.redaction = redaction
    settings.trace = traceDetail
    return settings
  }

  /// What is only shown on demand is only collected on demand.
  private var traceDetail: Trace.Detail {
    if options.html != nil || options.events != nil || options.keepFolder != nil { return .all }
    return options.detail == .verbose ? .requests : []
  }

  private var redaction: @Sendable (Set<String>) -> Redaction {
    { [context] credentials in
      let outlet = context.outlet.hiding(credentials)
      var redaction = Redaction()
      redaction.bytes = { outlet.mask.masked($0) }
      redaction.output = { outlet.masked($0) }
      redaction.trace = { TraceVersion1.document($0, of: $1, outlet) }
      return redaction
    }
  }
}

/// Turns SIGINT and SIGTERM into the end of a run; a second one ends at once.
final class SignalWatch {
  private let signals: [Int32]
  private let queue = DispatchQueue(label: "signals")
  private let source: any DispatchSourceRead

  /// - Parameters:
  ///   - workers: how many threads run scenarios.
  ///   - signals: those that end it.
  ///   - tell: called at the first signal, once the apps are being ended.
  ///   - killApps: ends every app without grace.
  /// - Throws: where the system allows too little for a run.
  init(
    cancellation: Cancellation, workers: Int = 1, signals: [Int32] = [SIGINT, SIGTERM],
    tell: @escaping @Sendable () -> Void,
    killApps: @escaping @Sendable () -> Void
  ) throws(CommandFailure) {
    self.signals = signals
    let descriptor: Int32
    do throws(SystemError) {
      try ProcessLimits.check(workers: workers)
      descriptor = try Cancellation.watch(signals)
    } catch {
      throw CommandFailure(error.message(whereStarting: "The run"))
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      var number: UInt8 = 0
      while read(descriptor, &number, 1) == 1 {
        guard cancellation.cancellingSignal != nil else {
          cancellation.cancel(signal: Int32(number))
          tell()
          continue
        }
        killApps()
        _exit(128 + Int32(number))
      }
    }
    source.activate()
  }

  /// What comes from now on is ignored: the reports are being written.
  func stop() {
    for number in signals { signal(number, SIG_IGN) }
    source.cancel()
    // A handler that still reads would take the first signal of the next watch for its own second one.
    queue.sync {}
  }
}
