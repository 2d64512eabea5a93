import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// The files and settings that the PATHs of a command line lead to: what `run`, `validate`, `list`
/// and `explain` share.
struct Project {
  let files = LocalFiles()
  let context: CommandContext
  let options: CommandOptions
  let configuration: Configuration
  /// The folder of the configuration file, or the working directory.
  let folder: String

  /// - Throws: where there is no PATH, or the configuration is wrong.
  init(_ options: CommandOptions, _ context: CommandContext) throws(CommandFailure) {
    guard let first = options.words.first else {
      throw CommandFailure(
        "Name what to run: scenario files, folders, or file:line. See scenario-run --help.")
    }
    self.context = context
    self.options = options
    let path = ConfigurationFinder(files: files)
      .find(from: ScenarioPath(first).path, workingDirectory: context.workingDirectory)
    folder = path.map { ($0 as NSString).deletingLastPathComponent } ?? context.workingDirectory
    if let path {
      configuration = try Self.configuration(path, files, context)
    } else {
      configuration = Configuration()
    }
  }

  var fixturesDirectory: String {
    if let fixtures = options.fixtures { return absolute(fixtures, in: context.workingDirectory) }
    let name = configuration.fixturesDirectory ?? Configuration.defaultFixturesDirectory
    return absolute(name, in: folder)
  }

  var paths: ProjectPaths {
    ProjectPaths(folder: folder, workingDirectory: context.workingDirectory)
  }

  var stateFolder: StateFolder {
    let path = options.stateFolder.map { absolute($0, in: context.workingDirectory) }
    return StateFolder(path: path ?? folder + "/" + StateFolder.name, files: files)
  }

  func shardChoice() throws(CommandFailure) -> ShardChoice? {
    try ShardChoice.choose(options.shard, environment: context.environment)
  }

  private func sharding() throws(CommandFailure) -> Sharding? {
    guard let choice = try shardChoice() else { return nil }
    let timings = try timings()
    let kind = options.shardKind == .time && timings == nil ? .slice : options.shardKind
    return Sharding(choice.shard, by: kind, timings: kind == .time ? timings : nil)
  }

  /// - Returns: `nil` where the file is missing, which is said: the first run has no earlier one.
  private func timings() throws(CommandFailure) -> ScenarioTimings? {
    guard options.shardKind == .time else { return nil }
    guard let name = options.timings else {
      throw CommandFailure(
        "--shard-by time needs the JUnit report of an earlier run: --timings FILE.")
    }
    let path = absolute(name, in: context.workingDirectory)
    guard files.kind(of: path) != nil else {
      let message = "There is no file \"\(name)\", so scenarios are sharded by slice."
      context.complain(message)
      return nil
    }
    do {
      let report = try JUnitFile(path: name, bytes: try files.bytes(ofFile: path))
      let entries = report.timings.map {
        ScenarioTimings.Entry(path: $0.suite, name: $0.name, milliseconds: $0.milliseconds)
      }
      return ScenarioTimings(entries, paths)
    } catch {
      throw CommandFailure("The timings can't be read: \(error)")
    }
  }

  /// - Throws: where a PATH leads nowhere.
  func discoveredFiles() throws(CommandFailure) -> [Discovery.File] {
    do {
      return try Discovery(files: files).discover(options.words.map(ScenarioPath.init))
    } catch {
      throw CommandFailure(error.description)
    }
  }

  func plan() throws(CommandFailure) -> Plan {
    let bazel = BazelTest(environment: context.environment)
    let selection = Selection(
      tags: options.tags, skippedTags: options.skippedTags, filters: options.filters,
      narrowing: bazel?.filter, sharding: try sharding(), shuffleSeed: options.shuffleSeed,
      repetitions: options.repetitions,
      lastFailed: options.onlyLastFailed ? stateFolder.failures()?.failed ?? [] : nil, paths: paths)
    let plan = Planner(files: files, fixturesDirectory: fixturesDirectory)
      .plan(try discoveredFiles(), selecting: selection)
    tellLastFailed(plan)
    return plan
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

  func print(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    let isColored = options.color.isColored(
      isTerminal: context.isErrorTerminal, environment: context.environment)
    let text = DiagnosticRenderer(isColored: isColored)
      .render(diagnostics.map(context.masking.masked))
    // Nobody is left to tell where stderr is closed.
    try? context.standardError.write(text + (text.hasSuffix("\n") ? "" : "\n"))
  }

  private func absolute(_ path: String, in folder: String) -> String {
    let absolute = path.hasPrefix("/") ? path : folder + "/" + path
    return (absolute as NSString).standardizingPath
  }

  private static func configuration(
    _ path: String, _ files: LocalFiles, _ context: CommandContext
  ) throws(CommandFailure) -> Configuration {
    guard let source = try? files.source(path) else {
      throw CommandFailure("The configuration \(path) can't be read.")
    }
    let (configuration, diagnostics) = ConfigurationDecoder.decode(source)
    guard let configuration else {
      throw CommandFailure(
        "The configuration is invalid, so nothing ran.",
        details: DiagnosticRenderer().render(diagnostics.map(context.masking.masked)))
    }
    return configuration
  }
}
