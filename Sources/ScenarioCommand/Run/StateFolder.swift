import Foundation
import ScenarioReporting
import ScenarioRunner

/// The folder in which a run leaves what the next one may want to know.
struct StateFolder {
  static let name = ".scenario-run"
  private static let fileName = "last-failed.json"

  /// An absolute path.
  let path: String
  let files: LocalFiles

  private var file: String { path + "/" + Self.fileName }

  /// - Returns: `nil` where no run has left anything, or what it left can't be read.
  func failures() -> FailureMemory? {
    guard files.kind(of: file) == .file, let bytes = try? files.bytes(ofFile: file) else {
      return nil
    }
    return try? FailureMemory(bytes: bytes)
  }

  /// Adds what a run noted; writes nothing where there is nothing to remember and nothing to correct.
  ///
  /// - Throws: where the folder can't be written.
  func save(_ noted: FailureMemory, from project: String) throws {
    let memory = noted.added(to: failures() ?? FailureMemory())
    guard !memory.failed.isEmpty || files.kind(of: file) != nil else { return }
    let bytes = try memory.bytes { path in
      files.kind(of: path.hasPrefix("/") ? path : project + "/" + path) != nil
    }
    try ReportFile.write(bytes: bytes, to: file)
    // Nobody wants it in a repository, and nobody has to say so.
    let ignoring = path + "/.gitignore"
    if files.kind(of: ignoring) == nil { try ReportFile.write("*\n", to: ignoring) }
  }
}
