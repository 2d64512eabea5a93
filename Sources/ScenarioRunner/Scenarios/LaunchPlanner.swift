import Foundation
import HarnessProtocol
import ScenarioCore

/// Decides what is started, with what environment.
struct LaunchPlanner {
  let execution: ScenarioExecution
  let folders: ScenarioFolders
  /// How many processes of the app there were before, and what its clock showed last.
  var earlier = (launches: 0, clock: 0.0)
  /// What decides when answers are delivered; `nil`: they come at once.
  var schedule: Schedule?
  /// Whether the device has no network.
  var isOffline = false

  private static let inheritedNames: Set<String> = ["PATH", "LANG", "TZ"]
  private static let inheritedPrefixes = ["LC_", "LD_", "DYLD_"]

  private var settings: RunSettings { execution.settings }
  private var scenario: Scenario { execution.scenario }

  func plan() throws(RunError) -> LaunchPlan {
    guard let app = scenario.app ?? settings.app, let program = app.first else {
      throw RunError(
        .cannotLaunch,
        "No app is named. Name it with \"app\" in the scenario or in .scenario-run.json, or with "
          + "--app.", location: scenario.location)
    }
    return LaunchPlan(
      program: try settings.locator.locate(program),
      arguments: app.dropFirst() + scenario.arguments,
      environment: environment, workingDirectory: settings.workingDirectory,
      marker: folders.shared, hasOwnGroup: settings.makesProcessGroups)
  }

  /// Built from nothing, so that no setting of the machine decides a verdict.
  private var environment: [String: String] {
    var environment = settings.inheritedEnvironment.filter { name, _ in
      Self.inheritedNames.contains(name) || Self.inheritedPrefixes.contains(where: name.hasPrefix)
        || settings.passedEnvironment.contains(name)
    }
    environment.merge(settings.configuredEnvironment) { _, new in new }
    environment.merge(scenario.fixtures.map { ($0.key, $0.file.path) }) { _, new in new }
    environment.merge(scenario.environment) { _, new in new }
    environment["HOME"] = folders.home
    environment["CFFIXED_USER_HOME"] = folders.home
    environment["TMPDIR"] = folders.temporary
    environment[LaunchEnvironment.sharedDirectory] = folders.shared
    let fixtures = settings.fixturesDirectory
    environment[LaunchEnvironment.fixturesDirectory] =
      settings.files.realFolder(of: fixtures) ?? fixtures
    environment[LaunchEnvironment.stubs] = scenario.stubs.map(\.path).joined(separator: ":")
    environment[LaunchEnvironment.scenarioRun] = "1"
    environment[LaunchEnvironment.startDate] = startDate
    environment[LaunchEnvironment.seed] = "\(seed)"
    environment[LaunchEnvironment.deterministicHashing] = "1"
    if earlier.launches > 0 {
      // As at the start of each action, by a moment that is nobody's.
      environment[LaunchEnvironment.clock] = "\(earlier.clock + 0.001)"
    }
    if isOffline { environment[LaunchEnvironment.network] = NetworkState.offline.rawValue }
    environment[LaunchEnvironment.schedule] = schedule?.description
    return environment
  }

  /// Another one for each launch, or a relaunch would make the ids of an earlier launch. The step isn't the one
  /// that the app's generator takes with each number: that would only skip some of them.
  private var seed: UInt64 {
    (settings.seed ?? 0) &+ UInt64(earlier.launches) &* 0xD1B5_4A32_D192_ED03
  }

  private var startDate: String {
    let text = scenario.startDate ?? StartDate.defaultText
    let style = Date.ISO8601FormatStyle()
    let offset = settings.startDateOffset
    guard offset != .zero, let date = try? style.parse(text) else { return text }
    return style.format(date.addingTimeInterval(offset / .seconds(1)))
  }
}

/// Finds the program of an app: a bare name beside the runner's executable, then in `PATH`, then where Swift
/// Package Manager builds the package of the configuration file; another relative to that file's folder.
package struct AppLocator: Sendable {
  /// The folder of the `scenario-run` executable.
  package var executableFolder: String
  /// The value of `PATH`.
  package var searchPath: String
  /// The folder of the configuration file.
  package var baseFolder: String
  /// What to do where an app is not found by its bare name.
  package var remedy: String

  package init(
    executableFolder: String, searchPath: String, baseFolder: String,
    remedy: String = "Build it, or name it with \"app\" or --app."
  ) {
    self.executableFolder = executableFolder
    self.searchPath = searchPath
    self.baseFolder = baseFolder
    self.remedy = remedy
  }

  /// - Throws: `RunError`, of kind `cannotLaunch`.
  func locate(_ program: String) throws(RunError) -> String {
    let candidates = candidates(for: program)
    if let path = candidates.first(where: isExecutableFile) { return path }
    guard let path = candidates.first(where: { access($0, F_OK) == 0 }) else {
      throw RunError(.cannotLaunch, missingMessage(program, candidates))
    }
    throw RunError(
      .cannotLaunch,
      isFolder(path)
        ? "The app \"\(program)\" is a folder: \(path). Name the program in it."
        : "The app \"\(program)\" is not executable: \(path). Allow it with chmod +x.")
  }

  private func candidates(for program: String) -> [String] {
    if program.hasPrefix("/") { return [program] }
    if program.contains("/") { return [baseFolder + "/" + program] }
    let folders = [executableFolder] + searchPath.split(separator: ":").map(String.init)
    return (folders + buildFolders).map { $0 + "/" + program }
  }

  private var buildFolders: [String] {
    ["debug", "release"].map { "\(baseFolder)/.build/\($0)" }.filter { $0 != executableFolder }
  }

  private func missingMessage(_ program: String, _ candidates: [String]) -> String {
    if program.contains("/") {
      return "The app \"\(program)\" is not there: \(candidates[0]). Build it, or correct \"app\"."
    }
    let folders = ([executableFolder, "PATH"] + buildFolders).joined(separator: ", ")
    return "The app \"\(program)\" is in none of these: \(folders). \(remedy)"
  }

  private func isExecutableFile(_ path: String) -> Bool {
    !isFolder(path) && access(path, X_OK) == 0
  }

  private func isFolder(_ path: String) -> Bool { LocalFiles().kind(of: path) == .folder }
}
