import Foundation
import ScenarioCore
import SourceText

/// The configuration that is found from a path upwards, and what it says of where things are.
package struct Project: Sendable {
  package let files: LocalFiles
  package let configuration: Configuration
  /// The folder of the configuration file, or what stands in for it.
  package let folder: String
  package let fixturesDirectory: String
  /// Configurations that aren't obeyed, because they belong to other users.
  package let foreignConfigurations: [String]
  private let workingDirectory: String

  /// - Parameters:
  ///   - paths: the files and folders that a person named. The search for the configuration begins at the
  ///     first.
  ///   - workingDirectory: where relative paths begin.
  ///   - defaultFolder: the project's folder where there is no configuration.
  ///   - fixtures: the fixtures folder, in place of the configuration's.
  ///   - isLinked: whether the files are links that lead to the real project, as Bazel makes them.
  package init(
    at paths: [String], workingDirectory: String, defaultFolder: String, fixtures: String? = nil,
    isLinked: Bool = false
  ) throws(ProjectFault) {
    self.workingDirectory = workingDirectory
    let named = paths.map { FilePath.join(workingDirectory, $0) }
    let first = named.first ?? workingDirectory
    let start = LocalFiles().kind(of: first) == .folder ? first : FilePath.folder(of: first)
    let search = Self.searchConfiguration(from: start)
    foreignConfigurations = search.foreign
    folder = search.folder ?? defaultFolder
    let path = FilePath.join(folder, Configuration.fileName)
    // Of a tree of links the real project is named as well.
    let real = isLinked ? FilePath.folder(of: FilePath.target(of: path)) : nil
    let namedFixtures = fixtures.map { FilePath.join(workingDirectory, $0) }
    files = LocalFiles(
      inside: FileScope(project: folder, named: named + [real, namedFixtures].compactMap(\.self)),
      linked: LinkedProject(folder: folder, real: real))
    configuration =
      search.folder == nil
      ? Configuration() : try Self.configuration(path, files, fixtures: namedFixtures)
    let configured = configuration.fixturesDirectory
    fixturesDirectory =
      namedFixtures
      ?? FilePath.join(folder, configured ?? Configuration.defaultFixturesDirectory)
    if let configured, !files.isInScope(fixturesDirectory) {
      throw .outsideFixtures(configured, configuration: path)
    }
  }

  /// The nearest folder with a configuration, from one upwards; and, until there, the configurations of other
  /// users, who must not decide what runs here.
  private static func searchConfiguration(
    from start: String
  ) -> (folder: String?, foreign: [String]) {
    var foreign: [String] = []
    for folder in FilePath.folders(from: start) {
      let path = FilePath.join(folder, Configuration.fileName)
      var status = stat()
      // A link that leads nowhere is a fault to be told.
      guard lstat(path, &status) == 0 else { continue }
      if FileOwners.isTrusted(status.st_uid) { return (folder, foreign) }
      foreign.append(path)
    }
    return (nil, foreign)
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

  /// More readers would only take more memory.
  private static let readerLimit = 8

  /// What the scenarios are that these PATHs lead to.
  package func plan(
    _ paths: [ScenarioPath], selecting selection: Selection
  ) throws(ProjectFault) -> Plan {
    try growingPlan(paths, selecting: selection, lead: .max).current
  }

  /// The same, of which the first scenarios can run before the last files are read.
  ///
  /// - Parameters:
  ///   - lead: see `Planner`.
  ///   - threads: how many read files at a time.
  package func growingPlan(
    _ paths: [ScenarioPath], selecting selection: Selection, lead: Int = Planner.keptLimit,
    threads: Int = 1
  ) throws(ProjectFault) -> GrowingPlan {
    let found: AnySequence<Discovery.File>
    do {
      found = try Discovery(files: files).discover(paths)
    } catch {
      throw .wrongPath(error)
    }
    var planner = Planner(
      files: files, fixturesDirectory: fixturesDirectory,
      shownFixturesDirectory: shownFixturesDirectory, configuration: configuration)
    planner.threads = min(threads, Self.readerLimit)
    // Nothing may run where a line is wrong.
    let hasLines = paths.contains { $0.line != nil }
    let plan = GrowingPlan(
      planner, found, selecting: selection, lead: hasLines ? .max : lead,
      isOfFolders: paths.allSatisfy { files.kind(of: $0.path) == .folder })
    if let unknown = plan.current.unknownLines.first { throw .unknownLine(unknown) }
    return plan
  }

  /// Decodes scenarios as a plan does.
  package var decoder: ScenarioDecoder {
    var decoder = ScenarioDecoder(
      files: files, fixturesDirectory: fixturesDirectory, configuration: configuration)
    decoder.shownFixturesDirectory = shownFixturesDirectory
    return decoder
  }

  package var fixtures: FixturesFolder {
    FixturesFolder(path: fixturesDirectory, shownPath: shownFixturesDirectory, files: files)
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
      workingDirectory: folder, inheritedEnvironment: environment)
    settings.configuredEnvironment = configuration.environment
    settings.network = configuration.network
    settings.timeout = configuration.timeout ?? settings.timeout
    settings.shownFixturesDirectory = shownFixturesDirectory
    settings.files = files
    return settings
  }
}

/// Why nothing of a project can run.
package enum ProjectFault: Error {
  /// With the system's reason.
  case unreadableConfiguration(path: String, reason: String)
  case invalidConfiguration([Diagnostic])
  /// With the value of `fixturesDirectory`.
  case outsideFixtures(String, configuration: String)
  case wrongPath(Discovery.Failure)
  case unknownLine(Plan.UnknownLine)

  package var message: String {
    switch self {
    case .unreadableConfiguration(let path, let reason):
      "The configuration \(path) can't be read: \(reason)."
    case .outsideFixtures(let folder, let configuration):
      "\"fixturesDirectory\": \"\(folder)\" leads out of the project in \(configuration). Name a folder "
        + "inside it, or name another one with --fixtures."
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
