import Foundation
import ScenarioCore
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
    let folder = try TestedFolder(folder, sourceFile: sourceFile)
    let plan = try folder.plan(
      selecting: Selection(tags: tags, skippedTags: skippedTags, filters: filters))
    var settings = folder.settings(app: app)
    settings.configuredEnvironment.merge(environment) { $1 }
    settings.forcedTimeout = timeout
    settings.trace = .all
    let run = SuiteRun(
      plan: GrowingPlan(plan), settings: settings, jobLimit: folder.jobLimit, retries: retries)
    cases = ScenarioCase.all(of: run, folder.paths)
  }
}

/// The folder of scenarios that a test names, in its project.
private struct TestedFolder {
  private let project: Project
  /// As the test names it.
  private let name: String
  /// Absolute.
  private let path: String
  private let workingDirectory = FileManager.default.currentDirectoryPath

  init(_ name: String, sourceFile: String) throws(ScenarioSuiteError) {
    self.name = name
    let root = Self.package(of: FilePath.join(workingDirectory, sourceFile))
    path = FilePath.join(root, name)
    do throws(ProjectFault) {
      project = try Project(at: [path], workingDirectory: workingDirectory, defaultFolder: root)
    } catch {
      throw ScenarioSuiteError(error)
    }
  }

  /// The nearest folder above a source file that has a `Package.swift`; that of the file where none
  /// has.
  private static func package(of sourceFile: String) -> String {
    let folder = FilePath.folder(of: sourceFile)
    return LocalFiles().nearestFolder(having: "Package.swift", from: folder) ?? folder
  }

  /// - Throws: where there is nothing to run.
  func plan(selecting selection: Selection) throws(ScenarioSuiteError) -> Plan {
    guard project.files.kind(of: path) != nil else {
      throw ScenarioSuiteError("There is no file or folder \"\(name)\": \(path).")
    }
    let plan: Plan
    do throws(ProjectFault) {
      plan = try project.plan([ScenarioPath(path: shownPath)], selecting: selection)
    } catch {
      throw ScenarioSuiteError(error)
    }
    guard plan.entries.isEmpty else { return plan }
    let message =
      switch plan.scenarioCount {
      case 0: "There are no scenarios in \"\(name)\": \(path). Name a folder that has some."
      case 1: "The only scenario in \"\(name)\" was not selected. Correct the tags or the filters."
      default:
        "None of \(plan.scenarioCount) scenarios in \"\(name)\" was selected. Correct the tags "
          + "or the filters."
      }
    throw ScenarioSuiteError(message)
  }

  func settings(app: String?) -> RunSettings {
    let environment = ProcessInfo.processInfo.environment
    let locator = AppLocator(
      executableFolder: ProductsFolder.path, searchPath: environment["PATH"] ?? "",
      baseFolder: project.folder,
      remedy: "Make it a dependency of the test target, so that it is built, or correct \"app\".")
    return project.settings(app: app.map { [$0] }, locator: locator, environment: environment)
  }

  var jobLimit: Int {
    project.configuration.jobs ?? ProcessInfo.processInfo.activeProcessorCount
  }

  var paths: ProjectPaths { project.paths }

  /// From the working directory where that is above it, which is how people name files there.
  private var shownPath: String {
    ProjectPaths(workingDirectory: workingDirectory).relative(path)
  }
}
