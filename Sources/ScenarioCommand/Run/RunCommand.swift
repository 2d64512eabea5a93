import Dispatch
import Foundation
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
    try bazel?.announceSharding()
    let project = try Project(options, context)
    let plan = try project.plan()
    let warn = warning
    project.print(plan.diagnostics)
    // An empty shard passes, and writes its reports: there are more machines than scenarios.
    let isShard = (plan.whole?.scenarioCount ?? 0) > 0
    guard isShard || !plan.entries.isEmpty else { return try nothingSelected(plan, project) }
    let cancellation = try makeCancellation()
    let folder = try makeRunFolder()
    let pipeline = ReportingPipeline(reporters(project, warn))
    let suite = SuiteRunner(
      plan: plan, settings: settings(project),
      options: SuiteOptions(
        jobs: jobs(project), maximumFailures: maximumFailures, retries: options.retries,
        failsOnFlaky: options.flaky == .fail),
      folder: folder, cancellation: cancellation, emit: { pipeline.handle($0) })
    let signals = SignalWatch(
      cancellation: cancellation,
      tell: { warn("Interrupted: ending the apps. The same signal again ends at once.") },
      killApps: { suite.killApps() })
    let ticks = ticks(of: pipeline)
    defer {
      signals.stop()
      ticks?.cancel()
      folder.remove()
    }
    suite.run(header: try header(plan, project))
    report(pipeline.failures)
    tellFlaky(pipeline.result, warn)
    return ExitCode(outcome(plan, pipeline, ifPassed: .passed))
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
    warn(
      count == 1
        ? "A flaky scenario fails the run (--flaky fail)."
        : "\(count) flaky scenarios fail the run (--flaky fail).")
  }

  private func outcome(
    _ plan: Plan, _ pipeline: ReportingPipeline, ifPassed passed: RunOutcome
  ) -> RunOutcome {
    let result = pipeline.result
    if let signal = result.interruptingSignal { return .interrupted(signal: signal) }
    if plan.hasInvalidFiles { return .invalidFile }
    let isPassed =
      result.count(.failed) + result.count(.errored) == 0
      && (options.flaky == .pass || result.results.flakyCount == 0)
    return isPassed && pipeline.failures.isEmpty ? passed : .notPassed
  }

  private var maximumFailures: Int? {
    options.maximumFailures ?? (bazel?.stopsAtFirstFailure == true ? 1 : nil)
  }

  /// Reports are written all the same: an earlier one would be taken for this run's.
  private func nothingSelected(
    _ plan: Plan, _ project: Project
  ) throws(CommandFailure) -> ExitCode {
    let pipeline = ReportingPipeline(reporters(project) { [context] in context.complain($0) })
    let header = try header(plan, project)
    pipeline.handle(.runStarted(header))
    for diagnostic in plan.diagnostics { pipeline.handle(.diagnosed(diagnostic)) }
    pipeline.handle(.runFinished(endedAt: Date(), duration: .zero))
    report(pipeline.failures)
    let message =
      plan.scenarioCount == 0
      ? "There are no scenarios there." : "None of \(plan.scenarioCount) scenarios was selected."
    context.complain(message)
    return ExitCode(outcome(plan, pipeline, ifPassed: .nothingSelected))
  }

  private func jobs(_ project: Project) -> Int {
    options.jobs ?? project.configuration.jobs ?? context.processorCount
  }

  private func header(_ plan: Plan, _ project: Project) throws(CommandFailure) -> RunHeader {
    let choice = try project.shardChoice()
    return RunHeader(
      version: Version.text, startedAt: Date(), scenarioCount: plan.entries.count,
      jobs: jobs(project), shard: choice?.shard, whole: plan.whole, shardSource: choice?.source,
      shuffleSeed: options.shuffleSeed, failsOnFlaky: options.flaky == .fail)
  }

  private func settings(_ project: Project) -> RunSettings {
    let configuration = project.configuration
    return RunSettings(
      app: options.app ?? configuration.app,
      locator: AppLocator(
        executableFolder: context.executableFolder, searchPath: context.environment["PATH"] ?? "",
        baseFolder: options.app == nil ? project.folder : context.workingDirectory),
      fixturesDirectory: project.fixturesDirectory, workingDirectory: project.folder,
      inheritedEnvironment: context.environment, passedEnvironment: options.passedEnvironment,
      configuredEnvironment: configuration.environment,
      network: configuration.network,
      timeout: configuration.timeout ?? Configuration.defaultTimeout,
      forcedTimeout: options.timeout, keepFolder: options.keepFolder.map(absolute),
      makesProcessGroups: bazel == nil, redaction: redaction)
  }

  private var redaction: @Sendable (Set<String>) -> Redaction {
    { [context] credentials in
      let outlet = context.outlet.hiding(credentials)
      var redaction = Redaction()
      redaction.bytes = { outlet.mask.masked($0) }
      redaction.output = { outlet.masked($0) }
      return redaction
    }
  }

  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : context.workingDirectory + "/" + path
  }

  private func makeCancellation() throws(CommandFailure) -> Cancellation {
    do { return try Cancellation() } catch {
      throw CommandFailure("The run can't start: \(error).")
    }
  }

  private func makeRunFolder() throws(CommandFailure) -> RunFolder {
    do throws(SystemError) {
      return try RunFolder(in: context.temporaryDirectory)
    } catch {
      throw CommandFailure(
        "The run can't start: \(error). Set TMPDIR to a folder that can be written.")
    }
  }

  private func report(_ failures: [ReportingPipeline.Failure]) {
    for failure in failures {
      context.complain("\(failure.reporter): \(failure.reason)")
    }
  }
}
