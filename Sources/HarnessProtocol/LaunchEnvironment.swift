/// The names in the environment that the runner gives to an app.
package enum LaunchEnvironment {
  /// The launch's own empty shared folder.
  package static let sharedDirectory = "SIMULATOR_SHARED_RESOURCES_DIRECTORY"
  /// The folder in which fixture names are looked up.
  package static let fixturesDirectory = "SCENARIO_FIXTURES_DIRECTORY"
  /// Stub files, named relative to the fixtures folder, separated by `:`.
  package static let stubs = "SCENARIO_STUBS"
  /// `1` in every app that the runner started.
  package static let scenarioRun = "SCENARIO_RUN"
  /// The date at which the app's clock starts, as ISO 8601 has it.
  package static let startDate = "SCENARIO_START_DATE"
  /// In a relaunch: where the app's clock goes on, in seconds since that date.
  package static let clock = "SCENARIO_CLOCK"
  /// `offline`: the app was killed without a network, and is launched without one.
  package static let network = "SCENARIO_NETWORK"
  /// What the app's random numbers follow from: a whole number below 2^64.
  package static let seed = "SCENARIO_SEED"
  /// When answers are delivered, and what becomes of them: the text of a `Schedule`. Absent: at once.
  package static let schedule = "SCENARIO_SCHEDULE"
  /// `1`: Swift's hash values, and so the order of its sets and dictionaries, are the same in every run.
  package static let deterministicHashing = "SWIFT_DETERMINISTIC_HASHING"
}
