import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Which of the scenarios are meant.
extension Project {
  func plan() throws(CommandFailure) -> Plan {
    let plan = Planner(
      files: files, fixturesDirectory: fixturesDirectory, configuration: configuration
    )
    .plan(try discoveredFiles(), selecting: try selection())
    if let unknown = plan.unknownLines.first { throw CommandFailure(unknown.description) }
    tellLastFailed(plan)
    return plan
  }

  private func selection() throws(CommandFailure) -> Selection {
    // What only looks at files looks at all that are named, whatever machine it is on.
    guard options.subcommand == .run || options.subcommand == .list else { return Selection() }
    return Selection(
      tags: options.tags, skippedTags: options.skippedTags, filters: options.filters,
      narrowing: BazelTest(environment: context.environment)?.filter, sharding: try sharding(),
      shuffleSeed: options.shuffleSeed, repetitions: options.repetitions,
      lastFailed: lastFailed, paths: paths)
  }

  /// - Returns: `nil` where nobody asks; empty where all are to be run.
  private var lastFailed: Set<ScenarioIdentity>? {
    guard options.onlyLastFailed else { return nil }
    let memory = stateFolder.failures() ?? FailureMemory()
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
    return Sharding(choice.shard, by: options.shardKind)
  }
}
