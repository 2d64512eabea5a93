import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// The files and settings that the PATHs of a command line lead to: what `run`, `validate`, `list`
/// and `explain` share.
struct Project {
  let files = LocalFiles()
  let context: CommandContext
  let options: CommandOptions
  let configuration: Configuration
  /// The folder of the configuration file, or the working directory.
  let folder: String

  /// - Throws: where there is no PATH, or the configuration is wrong.
  init(_ options: CommandOptions, _ context: CommandContext) throws(CommandFailure) {
    guard let first = options.words.first else {
      throw CommandFailure(
        "Name what to run: scenario files, folders, or file:line. See scenario-run --help.")
    }
    self.context = context
    self.options = options
    let path = ConfigurationFinder(files: files)
      .find(
        from: ScenarioPath(first, among: files).path, workingDirectory: context.workingDirectory)
    folder = path.map { ($0 as NSString).deletingLastPathComponent } ?? context.workingDirectory
    if let path {
      configuration = try Self.configuration(path, files, context)
    } else {
      configuration = Configuration()
    }
  }

  var fixturesDirectory: String {
    if let fixtures = options.fixtures { return absolute(fixtures, in: context.workingDirectory) }
    let name = configuration.fixturesDirectory ?? Configuration.defaultFixturesDirectory
    return absolute(name, in: folder)
  }

  /// - Throws: where a PATH leads nowhere.
  func discoveredFiles() throws(CommandFailure) -> AnySequence<Discovery.File> {
    do {
      return try Discovery(files: files).discover(
        options.words.map { ScenarioPath($0, among: files) })
    } catch {
      throw CommandFailure(error.description)
    }
  }

  func print(_ diagnostics: [Diagnostic]) {
    guard !diagnostics.isEmpty else { return }
    let isColored = options.color.isColored(
      isTerminal: context.isErrorTerminal, environment: context.environment)
    let text = DiagnosticRenderer(context.outlet, isColored: isColored).render(diagnostics)
    // Nobody is left to tell where stderr is closed.
    try? context.standardError.write(text + (text.hasSuffix("\n") ? "" : "\n"))
  }

  func absolute(_ path: String, in folder: String) -> String {
    let absolute = path.hasPrefix("/") ? path : folder + "/" + path
    return (absolute as NSString).standardizingPath
  }

  private static func configuration(
    _ path: String, _ files: LocalFiles, _ context: CommandContext
  ) throws(CommandFailure) -> Configuration {
    let source: SourceFile
    do { source = try files.source(path) } catch {
      let reason = (error as? SystemError)?.reason ?? "\(error)"
      throw CommandFailure("The configuration \(path) can't be read: \(reason).")
    }
    let (configuration, diagnostics) = ConfigurationDecoder.decode(source)
    guard let configuration else {
      throw CommandFailure(
        "The configuration is invalid, so nothing ran.",
        details: DiagnosticRenderer(context.outlet).render(diagnostics))
    }
    return configuration
  }
}
