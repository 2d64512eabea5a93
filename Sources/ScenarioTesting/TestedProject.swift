import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// The folder of scenarios that a test names, with the configuration above it.
struct TestedProject {
  private let files = LocalFiles()
  private let configuration: Configuration
  /// The folder of the configuration file, or that of the package.
  private let folder: String
  /// As the test names it.
  private let name: String
  /// Where the scenarios are; absolute.
  private let path: String
  private let workingDirectory = FileManager.default.currentDirectoryPath

  init(folder name: String, sourceFile: String) throws(ScenarioSuiteError) {
    self.name = name
    let root = PackageFolder(files: files).path(
      above: FilePath.join(workingDirectory, sourceFile))
    path = FilePath.normalized(FilePath.join(root, name))
    let file = ConfigurationFinder(files: files).find(from: path, workingDirectory: root)
    folder = file.map(FilePath.folder) ?? root
    if let file {
      configuration = try Self.configuration(file, files)
    } else {
      configuration = Configuration()
    }
  }

  /// - Throws: where there is nothing to run.
  func plan(selecting selection: Selection) throws(ScenarioSuiteError) -> Plan {
    let found = try discoveredFiles()
    let plan = Planner(
      files: files, fixturesDirectory: fixturesDirectory, configuration: configuration
    )
    .plan(found, selecting: selection)
    guard plan.entries.isEmpty else { return plan }
    throw ScenarioSuiteError(
      plan.scenarioCount == 0
        ? "There are no scenarios in \"\(name)\": \(path). Name a folder that has some."
        : "None of \(plan.scenarioCount) scenarios in \"\(name)\" was selected. Correct the tags "
          + "or the filters.")
  }

  private func discoveredFiles() throws(ScenarioSuiteError) -> AnySequence<Discovery.File> {
    guard files.kind(of: path) != nil else {
      throw ScenarioSuiteError("There is no file or folder \"\(name)\": \(path).")
    }
    do {
      return try Discovery(files: files).discover([ScenarioPath(path: shownPath)])
    } catch {
      throw ScenarioSuiteError(error.description)
    }
  }

  func settings(_ overrides: LaunchOverrides) -> RunSettings {
    let environment = ProcessInfo.processInfo.environment
    return RunSettings(
      app: overrides.app.map { [$0] } ?? configuration.app,
      locator: AppLocator(
        executableFolder: ProductsFolder.path, searchPath: environment["PATH"] ?? "",
        baseFolder: folder,
        remedy: "Make it a dependency of the test target, so that it is built, or correct \"app\"."),
      fixturesDirectory: fixturesDirectory, workingDirectory: folder,
      inheritedEnvironment: environment,
      configuredEnvironment: configuration.environment.merging(overrides.environment) { $1 },
      network: configuration.network,
      timeout: configuration.timeout ?? Configuration.defaultTimeout,
      forcedTimeout: overrides.timeout)
  }

  var appLimit: Int { configuration.jobs ?? ProcessInfo.processInfo.activeProcessorCount }

  /// The same on every machine, and as long as the file and the case have their names.
  func identity(of reference: ScenarioReference) -> String {
    ProjectPaths(folder: folder, workingDirectory: workingDirectory).identity(of: reference).text
  }

  /// From the working directory where that is above it, which is how people name files there.
  private var shownPath: String {
    let prefix = workingDirectory.hasSuffix("/") ? workingDirectory : workingDirectory + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  private var fixturesDirectory: String {
    let name = configuration.fixturesDirectory ?? Configuration.defaultFixturesDirectory
    return FilePath.normalized(FilePath.join(folder, name))
  }

  private static func configuration(
    _ path: String, _ files: LocalFiles
  ) throws(ScenarioSuiteError) -> Configuration {
    let source: SourceFile
    do { source = try files.source(path) } catch {
      let reason = (error as? SystemError)?.reason ?? "\(error)"
      throw ScenarioSuiteError("The configuration \(path) can't be read: \(reason).")
    }
    let (configuration, diagnostics) = ConfigurationDecoder.decode(source)
    guard let configuration else {
      throw ScenarioSuiteError(
        "The configuration is invalid, so nothing ran.\n"
          + DiagnosticRenderer().render(diagnostics))
    }
    return configuration
  }
}

/// What a test says in place of the configuration.
struct LaunchOverrides {
  var app: String?
  var environment: [String: String]
  var timeout: Duration?
}
