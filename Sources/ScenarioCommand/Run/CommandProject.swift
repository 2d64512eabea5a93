import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// The scenarios and settings that the PATHs of a command line lead to: what `run`, `validate`, `list`
/// and `explain` share.
struct CommandProject {
  let context: CommandContext
  let options: CommandOptions
  private let project: Project

  /// - Throws: where there is no PATH, or the configuration is wrong.
  init(_ options: CommandOptions, _ context: CommandContext) throws(CommandFailure) {
    guard !options.words.isEmpty else {
      throw CommandFailure(
        "Name what to run: scenario files, folders, or file:line. See scenario-run --help.")
    }
    self.context = context
    self.options = options
    do throws(ProjectFault) {
      project = try Project(
        at: options.words.map { ScenarioPath($0, among: LocalFiles()).path },
        workingDirectory: context.workingDirectory, defaultFolder: context.workingDirectory,
        fixtures: options.fixtures, isLinked: BazelTest(environment: context.environment) != nil)
    } catch {
      throw CommandFailure(error, context)
    }
    for path in project.foreignConfigurations {
      context.complain("\(path) is ignored, because it belongs to another user.")
    }
  }

  var files: LocalFiles { project.files }
  var configuration: Configuration { project.configuration }
  /// The folder of the configuration file, or the working directory.
  var folder: String { project.folder }
  var paths: ProjectPaths { project.paths }

  /// - Throws: where a PATH leads nowhere.
  func plan() throws(CommandFailure) -> Plan { try growingPlan(lead: .max).current }

  /// - Parameter lead: after so many scenarios the other files are read when their turn comes.
  /// - Throws: where a PATH leads nowhere.
  func growingPlan(lead: Int = Planner.keptLimit) throws(CommandFailure) -> GrowingPlan {
    let plan: GrowingPlan
    let selection = try selection()
    do throws(ProjectFault) {
      plan = try project.growingPlan(
        options.words.map { ScenarioPath($0, among: files) }, selecting: selection, lead: lead,
        threads: jobs)
    } catch {
      var failure = CommandFailure(error, context)
      if case .wrongPath = error { failure.message += meantSubcommand }
      throw failure
    }
    tellLastFailed(plan.current)
    return plan
  }

  /// Of a first word that leads nowhere.
  private var meantSubcommand: String {
    guard options.subcommand == .run, let word = options.words.first, files.kind(of: word) == nil
    else { return "" }
    let names = CommandOptions.Subcommand.allCases.map(\.rawValue)
    let closest = Suggestions.closest(to: word, among: names, limit: 1)
    return closest.isEmpty
      ? "" : " " + Wording.didYouMean(closest.map { "scenario-run \($0)" }).capitalizedFirst
  }

  /// Decodes scenarios as a plan does.
  var decoder: ScenarioDecoder { project.decoder }

  /// The schemas of the tracking plan.
  var planFiles: Set<String> { project.configuration.trackingPlan?.files ?? [] }

  var fixtures: FixturesFolder { project.fixtures }

  var outputStyle: TextStyle { context.outputStyle(options) }

  var jobs: Int { options.jobs ?? project.configuration.jobs ?? context.processorCount }

  func settings() -> RunSettings {
    let locator = AppLocator(
      executableFolder: context.executableFolder, searchPath: context.environment["PATH"] ?? "",
      baseFolder: options.app == nil ? folder : context.workingDirectory)
    var settings = project.settings(
      app: options.app, locator: locator, environment: context.environment)
    settings.passedEnvironment = options.passedEnvironment
    settings.seed = options.seed
    settings.schedule = options.schedule
    settings.forcedTimeout = options.timeout
    settings.isStrict = options.isStrict
    settings.keepFolder = options.keepFolder.map(context.absolute)
    settings.keepsAll = options.keepsAll
    return settings
  }

  private func selection() throws(CommandFailure) -> Selection {
    // What only looks at files looks at all that are named, whatever machine it is on.
    guard [.run, .list, .audit, .compare, .sweep].contains(options.subcommand) else {
      return Selection()
    }
    return Selection(
      tags: options.tags, skippedTags: options.skippedTags, filters: options.filters,
      narrowing: BazelTest(environment: context.environment)?.filter,
      shard: try shardChoice()?.shard, repetitions: options.repetitions, lastFailed: lastFailed,
      paths: paths)
  }

  func shardChoice() throws(CommandFailure) -> ShardChoice? {
    try ShardChoice.choose(options.shard, environment: context.environment)
  }

  /// - Returns: `nil` where nobody asks; empty where all are to be run.
  private var lastFailed: Set<ScenarioIdentity>? {
    guard options.onlyLastFailed else { return nil }
    let memory: FailureMemory
    do throws(DamagedMemory) {
      memory = try stateFolder.failures()
    } catch {
      context.complain("\(error)")
      return []
    }
    guard memory.hasUnnamed else { return memory.failed }
    context.complain(
      "The name of something that did not pass last time holds a secret, so it is not remembered.")
    return []
  }

  private func tellLastFailed(_ plan: Plan) {
    guard let count = plan.lastFailedCount else { return }
    let message =
      switch count {
      case 0: "Nothing that is selected is known to have failed, so all of it is selected."
      case 1: "Only the 1 that did not pass last time is selected, of \(plan.scenarioCount)."
      default:
        "Only the \(count) that did not pass last time are selected, of \(plan.scenarioCount)."
      }
    context.complain(message)
  }

  var stateFolder: StateFolder {
    let path = options.stateFolder.map { FilePath.join(context.workingDirectory, $0) }
    guard let path else {
      return StateFolder(
        path: FilePath.join(folder, StateFolder.name), files: files, isOfProject: true)
    }
    // A person names it, so it may lie outside of the project.
    return StateFolder(path: path, files: LocalFiles(), isOfProject: false)
  }

  func print(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    let isColored = options.color.isColored(
      isTerminal: context.isErrorTerminal, environment: context.environment)
    let text = DiagnosticRenderer(context.outlet, isColored: isColored).render(diagnostics)
    // Nobody is left to tell where stderr is closed.
    try? context.standardError.write(text)
  }
}

extension CommandFailure {
  fileprivate init(_ fault: ProjectFault, _ context: CommandContext) {
    self.init(
      fault.message,
      details: DiagnosticRenderer(context.outlet).render(fault.diagnostics))
  }
}
