/// The names in the environment that the runner gives to an app.
public enum LaunchEnvironment {
  /// The launch's own empty shared folder.
  public static let sharedDirectory = "SIMULATOR_SHARED_RESOURCES_DIRECTORY"
  /// The folder in which fixture names are looked up.
  public static let fixturesDirectory = "SCENARIO_FIXTURES_DIRECTORY"
  /// Stub files, named relative to the fixtures folder, separated by `:`.
  public static let stubs = "SCENARIO_STUBS"
  /// `1` in every app that the runner started.
  public static let scenarioRun = "SCENARIO_RUN"
  /// The date at which the app's clock starts, as ISO 8601 has it.
  public static let startDate = "SCENARIO_START_DATE"
  public static let defaultStartDate = "2026-01-01T00:00:00Z"
  /// What the app's random numbers follow from: a whole number below 2^64.
  public static let seed = "SCENARIO_SEED"
  /// `1`: Swift's hash values, and so the order of its sets and dictionaries, are the same in every run.
  public static let deterministicHashing = "SWIFT_DETERMINISTIC_HASHING"
}
