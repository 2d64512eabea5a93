import HarnessWire
import ScenarioCore

/// Builds an app's environment from nothing, so that no setting of the machine decides a verdict.
struct LaunchEnvironmentBuilder: Sendable {
  /// The runner's own environment.
  var inherited: [String: String]
  /// Names that `--pass-env` lets through.
  var passed: [String]
  /// From the configuration.
  var configured: [String: String]

  static let names: Set<String> = ["PATH", "LANG", "TZ"]
  static let prefixes = ["LC_", "LD_", "DYLD_"]

  func environment(
    for scenario: Scenario, folders: ScenarioFolders, fixturesDirectory: String
  ) -> [String: String] {
    var environment = inherited.filter { name, _ in
      Self.names.contains(name) || Self.prefixes.contains { name.hasPrefix($0) }
        || passed.contains(name)
    }
    environment.merge(configured) { _, new in new }
    environment.merge(scenario.fixtures.map { ($0.key, $0.file.path) }) { _, new in new }
    environment.merge(scenario.environment) { _, new in new }
    environment["HOME"] = folders.home
    environment["CFFIXED_USER_HOME"] = folders.home
    environment["TMPDIR"] = folders.temporary
    environment[LaunchEnvironment.sharedDirectory] = folders.shared
    environment[LaunchEnvironment.fixturesDirectory] = fixturesDirectory
    environment[LaunchEnvironment.stubs] = scenario.stubs.map(\.path).joined(separator: ":")
    environment[LaunchEnvironment.scenarioRun] = "1"
    return environment
  }
}
