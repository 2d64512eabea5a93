import Foundation
import HarnessProtocol
import ScenarioCore

/// What all scenarios of a run share.
package struct RunSettings: Sendable {
  /// Program and arguments where a scenario names none.
  package var app: [String]?
  package var locator: AppLocator
  /// The project's files.
  package var files = LocalFiles()
  package var fixturesDirectory: String
  /// The fixtures folder as messages show it.
  package var shownFixturesDirectory: String
  /// The folder of the configuration file.
  package var workingDirectory: String
  /// The runner's own environment.
  package var inheritedEnvironment: [String: String]
  package var passedEnvironment: [String] = []
  package var configuredEnvironment: [String: String] = [:]
  package var network = NetworkAccess.sealed(ignoredHosts: [])
  /// What the apps' random numbers follow from.
  package var seed: UInt64?
  /// For a scenario that names none.
  package var timeout = Configuration.defaultTimeout
  /// Beats a scenario's own; for `--timeout`.
  package var forcedTimeout: Duration?
  /// From SIGTERM to SIGKILL.
  package var gracePeriod = AppTermination.gracePeriod
  /// Where the folders go that are kept of what did not pass.
  package var keepFolder: String?
  /// Whether one is kept of what passed, too.
  package var keepsAll = false
  /// Whether each app leads a process group of its own; CI that kills a test by its group needs
  /// all of it in one.
  package var makesProcessGroups = true
  /// Whether warnings make a scenario fail.
  package var isStrict = false
  /// How much later than scenarios say the apps' clocks start.
  package var startDateOffset = Duration.zero
  /// When answers are delivered, whatever the scenarios say.
  package var schedule: Schedule?
  /// Whether a sweep has put its schedules into the scenarios.
  var isSweep = false
  /// What is collected of what happens.
  package var trace: Trace.Detail = []
  /// What takes secrets out of the bytes that are kept: those that are known, and these credentials.
  package var redaction: @Sendable (_ credentials: Set<String>) -> Redaction = { _ in
    Redaction()
  }

  package init(
    app: [String]?, locator: AppLocator, fixturesDirectory: String, workingDirectory: String,
    inheritedEnvironment: [String: String]
  ) {
    self.app = app
    self.locator = locator
    self.fixturesDirectory = fixturesDirectory
    shownFixturesDirectory = fixturesDirectory
    self.workingDirectory = workingDirectory
    self.inheritedEnvironment = inheritedEnvironment
  }

  /// What may keep the apps from the network; the strongest that the system allows does.
  package var seals: Set<NetworkSeal> { network == .open ? [] : Set(NetworkSeal.allCases) }
}
