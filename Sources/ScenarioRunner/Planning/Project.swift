import Foundation
import ScenarioCore
import SourceText

/// The configuration that is found from a path upwards, and what it says of where things are.
package struct Project: Sendable {
  package let files = LocalFiles()
  package let configuration: Configuration
  /// The folder of the configuration file, or what stands in for it.
  package let folder: String
  package let fixturesDirectory: String
  private let workingDirectory: String

  /// - Parameters:
  ///   - path: where the search for the configuration begins; a file or a folder.
  ///   - workingDirectory: where relative paths begin.
  ///   - defaultFolder: the project's folder where there is no configuration.
  ///   - fixtures: the fixtures folder, in place of the configuration's.
  package init(
    at path: String, workingDirectory: String, defaultFolder: String, fixtures: String? = nil
  ) throws(ProjectFault) {
    self.workingDirectory = workingDirectory
    let absolute = FilePath.join(workingDirectory, path)
    let start = files.kind(of: absolute) == .folder ? absolute : FilePath.folder(of: absolute)
    if let found = files.nearestFolder(having: Configuration.fileName, from: start) {
      folder = found
      configuration = try Self.configuration(
        FilePath.join(found, Configuration.fileName), files,
        fixtures: fixtures.map { FilePath.join(workingDirectory, $0) })
    } else {
      folder = defaultFolder
      configuration = Configuration()
    }
    let configured = configuration.fixturesDirectory ?? Configuration.defaultFixturesDirectory
    fixturesDirectory =
      fixtures.map { FilePath.join(workingDirectory, $0) } ?? FilePath.join(folder, configured)
  }

  private static func configuration(
    _ path: String, _ files: LocalFiles, fixtures: String?
  ) throws(ProjectFault) -> Configuration {
    let source: SourceFile
    do { source = try files.source(path) } catch {
      throw .unreadableConfiguration(path: path, reason: SystemError.reason(of: error))
    }
    let (configuration, diagnostics) = ConfigurationDecoder.decode(
      source, files: files, fixtures: fixtures)
    guard let configuration else { throw .invalidConfiguration(diagnostics) }
    return configuration
  }

  /// What the scenarios are that these PATHs lead to.
  package func plan(
    _ paths: [ScenarioPath], selecting selection: Selection
  ) throws(ProjectFault) -> Plan {
    let found: AnySequence<Discovery.File>
    do {
      found = try Discovery(files: files).discover(paths)
    } catch {
      throw .wrongPath(error)
    }
    let planner = Planner(
      files: files, fixturesDirectory: fixturesDirectory,
      shownFixturesDirectory: shownFixturesDirectory, configuration: configuration)
    let plan = planner.plan(found, selecting: selection)
    if let unknown = plan.unknownLines.first { throw .unknownLine(unknown) }
    return plan
  }

  /// Decodes scenarios as a plan does.
  package var decoder: ScenarioDecoder {
    var decoder = ScenarioDecoder(
      files: files, fixturesDirectory: fixturesDirectory, configuration: configuration)
    decoder.shownFixturesDirectory = shownFixturesDirectory
    return decoder
  }

  /// As messages show it.
  private var shownFixturesDirectory: String {
    ProjectPaths(workingDirectory: workingDirectory).relative(fixturesDirectory)
  }

  /// Names files and scenarios alike wherever the project lies.
  package var paths: ProjectPaths {
    ProjectPaths(folder: folder, workingDirectory: workingDirectory)
  }

  /// What all scenarios share, as the configuration has it.
  ///
  /// - Parameters:
  ///   - app: in place of the configuration's.
  ///   - environment: the runner's own.
  package func settings(
    app: [String]?, locator: AppLocator, environment: [String: String]
  ) -> RunSettings {
    var settings = RunSettings(
      app: app ?? configuration.app, locator: locator, fixturesDirectory: fixturesDirectory,
      workingDirectory: folder, inheritedEnvironment: environment,
      configuredEnvironment: configuration.environment, network: configuration.network,
      timeout: configuration.timeout ?? Configuration.defaultTimeout)
    settings.shownFixturesDirectory = shownFixturesDirectory
    return settings
  }
}

/// Why nothing of a project can run.
package enum ProjectFault: Error {
  /// With the system's reason.
  case unreadableConfiguration(path: String, reason: String)
  case invalidConfiguration([Diagnostic])
  case wrongPath(Discovery.Failure)
  case unknownLine(Plan.UnknownLine)

  package var message: String {
    switch self {
    case .unreadableConfiguration(let path, let reason):
      "The configuration \(path) can't be read: \(reason)."
    case .invalidConfiguration: "The configuration is invalid, so nothing ran."
    case .wrongPath(let failure): failure.description
    case .unknownLine(let line): line.description
    }
  }

  /// Of the configuration.
  package var diagnostics: [Diagnostic] {
    if case .invalidConfiguration(let diagnostics) = self { diagnostics } else { [] }
  }
}

/// Names files and scenarios alike wherever the project lies, and whatever PATH led to them.
package struct ProjectPaths: Sendable {
  private let workingDirectory: String
  /// With a slash at its end; `nil`: paths stay as they are.
  private let prefix: String?

  /// Paths stay as they are.
  package init() {
    workingDirectory = ""
    prefix = nil
  }

  /// - Parameters:
  ///   - folder: the folder of the configuration file, an absolute path; else that of relative paths.
  ///   - workingDirectory: what relative paths start from.
  package init(folder: String? = nil, workingDirectory: String) {
    self.workingDirectory = workingDirectory
    let normalized = FilePath.normalized(folder ?? workingDirectory)
    prefix = normalized.hasSuffix("/") ? normalized : normalized + "/"
  }

  /// The path from the project's folder; absolute where the file lies outside of it.
  package func relative(_ path: String) -> String {
    guard let prefix else { return FilePath.normalized(path) }
    let absolute = FilePath.join(workingDirectory, path)
    return absolute.hasPrefix(prefix) ? String(absolute.dropFirst(prefix.count)) : absolute
  }

  package func identity(of reference: ScenarioReference) -> ScenarioIdentity {
    ScenarioIdentity(path: relative(reference.path), caseName: reference.caseName)
  }
}
