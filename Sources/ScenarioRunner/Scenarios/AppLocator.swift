import Foundation

/// Finds the program of an app: a bare name beside the runner's executable, then in `PATH`; another
/// relative to the folder of the configuration file.
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

  enum Outcome: Equatable {
    case found(String)
    /// What is wrong and what to do.
    case missing(String)
  }

  func locate(_ program: String) -> Outcome {
    let candidates = candidates(for: program)
    if let path = candidates.first(where: isExecutableFile) { return .found(path) }
    if let path = candidates.first(where: { access($0, F_OK) == 0 }) {
      return .missing(
        isFolder(path)
          ? "The app \"\(program)\" is a folder: \(path). Name the program in it."
          : "The app \"\(program)\" is not executable: \(path). Allow it with chmod +x.")
    }
    return .missing(missingMessage(program, candidates))
  }

  private func candidates(for program: String) -> [String] {
    if program.hasPrefix("/") { return [program] }
    if program.contains("/") { return [baseFolder + "/" + program] }
    let folders = [executableFolder] + searchPath.split(separator: ":").map(String.init)
    return folders.map { $0 + "/" + program }
  }

  private func missingMessage(_ program: String, _ candidates: [String]) -> String {
    if program.contains("/") {
      return "The app \"\(program)\" is not there: \(candidates[0]). Build it, or correct \"app\"."
    }
    return "The app \"\(program)\" is neither in \(executableFolder) nor in PATH. \(remedy)"
  }

  private func isExecutableFile(_ path: String) -> Bool {
    !isFolder(path) && access(path, X_OK) == 0
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
