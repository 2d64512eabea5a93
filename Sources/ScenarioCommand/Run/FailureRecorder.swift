import Foundation
import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Remembers what did not pass, for `--last-failed`, at the end of a run, also of an interrupted one.
///
/// Where it can't, it warns: the run is none the worse for it.
final class FailureRecorder: Reporter {
  let name = "the memory of what did not pass"
  private let project: CommandProject
  private let folder: StateFolder
  private let paths: ProjectPaths
  private let warn: (String) -> Void
  private var memory: FailureMemory

  init(project: CommandProject, folder: StateFolder, warn: @escaping (String) -> Void) {
    self.project = project
    self.folder = folder
    self.warn = warn
    paths = project.paths
    do throws(DamagedMemory) {
      memory = try folder.failures()
    } catch {
      memory = FailureMemory()
      // The choice has said it.
      if !project.options.onlyLastFailed { warn("\(error)") }
    }
  }

  private func identity(of result: ScenarioResult) -> ScenarioIdentity {
    let (identity, outlet) = (paths.identity(of: result.scenario), project.context.outlet)
    return ScenarioIdentity(
      path: outlet.masked(identity.path), caseName: identity.caseName.map(outlet.masked))
  }

  func handle(_ event: RunEvent, _ result: RunResult) {
    switch event {
    // What is skipped says nothing.
    case .scenarioFinished(let finished) where finished.verdict != .skipped:
      let passed = !finished.failsRun(onFlaky: project.options.flaky == .fail)
      // Of most scenarios there is nothing to note, and they are many.
      if passed, memory.failed.isEmpty { return }
      memory.note(identity(of: finished), passed: passed)
    case .runFinished:
      do {
        try folder.save(memory, from: project.folder)
      } catch {
        warn(
          "What did not pass is not remembered for --last-failed: \(error) Name another folder "
            + "with --state.")
      }
    default: break
    }
  }
}

/// A file that should say what did not pass, and doesn't.
struct DamagedMemory: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "What did not pass last time isn't known: \(path) is damaged, or of another version. "
      + "A run writes it anew."
  }
}

/// The folder in which a run leaves what the next one may want to know.
struct StateFolder {
  static let name = ".scenario-run"
  private static let fileName = "last-failed.json"

  /// An absolute path.
  let path: String
  let files: LocalFiles
  /// Whether it is the one of the project, which nobody named.
  let isOfProject: Bool

  private var file: String { path + "/" + Self.fileName }

  /// - Returns: an empty one where no run has left anything, or something else is in its place.
  func failures() throws(DamagedMemory) -> FailureMemory {
    guard files.kind(of: file) == .file, let bytes = try? files.bytes(ofFile: file) else {
      return FailureMemory()
    }
    do { return try FailureMemory(bytes: bytes) } catch { throw DamagedMemory(path: file) }
  }

  /// Adds what a run noted; writes nothing where there is nothing to remember and nothing to correct.
  ///
  /// - Throws: where the folder can't be written.
  func save(_ noted: FailureMemory, from project: String) throws {
    let memory = noted.added(to: (try? failures()) ?? FailureMemory())
    guard !memory.failed.isEmpty || files.kind(of: file) != nil else { return }
    let bytes = memory.bytes { path in
      files.kind(of: path.hasPrefix("/") ? path : project + "/" + path) != nil
    }
    if isOfProject, (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil {
      throw ReportFailure(path: path, reason: "it is a link, which may lead anywhere.")
    }
    try ReportFile.replace(file, with: bytes)
    // Nobody wants it in a repository, and nobody has to say so.
    let ignoring = path + "/.gitignore"
    if files.kind(of: ignoring) == nil { try ReportFile.replace(ignoring, with: "*\n".utf8) }
  }
}
