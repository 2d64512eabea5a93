import ScenarioCore

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
  ///   - folder: the folder of the configuration file; an absolute path.
  ///   - workingDirectory: what relative paths start from.
  package init(folder: String, workingDirectory: String) {
    self.workingDirectory = workingDirectory
    let normalized = FilePath.normalized(folder)
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
