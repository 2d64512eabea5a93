import Foundation

/// Paths as GitHub's annotations want them: relative to the checked-out repository.
package struct WorkspacePath: Sendable {
  private let workspace: String?
  private let workingDirectory: String

  /// - Parameter workspace: the value of `GITHUB_WORKSPACE`.
  package init(workspace: String?, workingDirectory: String) {
    self.workspace = workspace
    self.workingDirectory = workingDirectory
  }

  /// - Parameter path: as the user's PATH led to it.
  /// - Returns: an absolute path where the file is not in the workspace.
  func relative(_ path: String) -> String {
    let absolute = path.hasPrefix("/") ? path : workingDirectory + "/" + path
    let file = Self.standardized(absolute)
    guard let workspace, !workspace.isEmpty else { return file }
    let folder = Self.standardized(workspace)
    for prefix in [folder, Self.resolved(folder)] {
      for path in [file, Self.resolved(file)] where path.hasPrefix(prefix + "/") {
        return String(path.dropFirst(prefix.count + 1))
      }
    }
    return file
  }

  private static func standardized(_ path: String) -> String {
    (path as NSString).standardizingPath
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
  }
}
