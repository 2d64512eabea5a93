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
}
