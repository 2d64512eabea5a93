import ScenarioRunner

/// The scenarios of a folder, as the arguments of a parameterised test.
///
/// ```swift
/// @Test("scenarios", arguments: try ScenarioSuite(folder: "Scenarios").cases)
/// func scenario(_ scenario: ScenarioCase) async throws {
///   try await scenario.run()
/// }
/// ```
public struct ScenarioSuite: Sendable {
  /// One for each scenario and each row of its cases, in the order of the files; never empty.
  ///
  /// A file with faults is a case too, which fails and tells them.
  public let cases: [ScenarioCase]

  /// Finds and reads the scenarios; runs nothing.
  ///
  /// The settings of the nearest `.scenario-run.json`, from the folder upwards, apply as they do to
  /// the command; what is given here beats them.
  ///
  /// - Parameters:
  ///   - folder: where the scenarios are, or one file. A relative path starts at the package: the
  ///     nearest folder above the source file that has a `Package.swift`, or else that of the source
  ///     file.
  ///   - tags: only scenarios with one of these.
  ///   - skippedTags: no scenario with one of these.
  ///   - filters: only scenarios whose name or path has one of these texts in it, in any case.
  ///   - app: the program to launch. A bare name is looked up in the folder of the built products,
  ///     where the test bundle is, then in `PATH`.
  ///   - environment: added to each launch; a scenario's own values beat it.
  ///   - timeout: for each scenario, launch to exit, whatever it says itself.
  ///   - retries: how often a scenario that does not pass is tried again, each time in a new process
  ///     with empty folders.
  ///   - sourceFile: the file that calls.
  /// - Throws: `ScenarioSuiteError`, where there is nothing to run or the configuration is invalid. A
  ///   scenario file with faults is *not* an error here.
  public init(
    folder: String, tags: [String] = [], skippedTags: [String] = [], filters: [String] = [],
    app: String? = nil, environment: [String: String] = [:], timeout: Duration? = nil,
    retries: Int = 0, sourceFile: String = #filePath
  ) throws(ScenarioSuiteError) {
    let project = try TestedProject(folder: folder, sourceFile: sourceFile)
    let selection = Selection(tags: tags, skippedTags: skippedTags, filters: filters)
    let overrides = LaunchOverrides(app: app, environment: environment, timeout: timeout)
    let run = SuiteRun(
      plan: try project.plan(selecting: selection), settings: project.settings(overrides),
      retries: max(0, retries), appLimit: project.appLimit)
    cases = ScenarioCase.all(of: run, in: project)
  }
}
