import SourceText

/// The folder under which fixtures are named.
package struct FixturesFolder: Sendable {
  package var path: String
  package var files: any FileAccess

  package init(path: String, files: any FileAccess) {
    self.path = path
    self.files = files
  }

  /// What is wrong with the name of a fixture, and names that may have been meant.
  package struct Problem: Sendable {
    package var message: String
    package var suggestions: [String] = []
  }

  /// Looks whether a name leads to a file in the folder; links must not lead out of it.
  package func problem(with name: String) -> Problem? {
    if name.hasPrefix("/") || FilePath.normalized(name).hasPrefix("..") {
      return Problem(
        message: "The fixture \"\(name)\" leads out of the fixtures folder. Name a file inside it.")
    }
    let whole = FilePath.join(path, name)
    switch files.kind(of: whole) {
    case nil: return missing(name)
    case .folder, .other:
      return Problem(
        message: "The fixture \"\(name)\" isn't a file. Name a file inside \"\(path)\".")
    case .file: return isInside(whole) ? nil : linked(name)
    }
  }

  private func missing(_ name: String) -> Problem {
    let folder = FilePath.folder(of: name)
    let names = files.names(inFolder: FilePath.join(path, folder.isEmpty ? "." : folder))
    let close = Suggestions.closest(to: FilePath.lastComponent(name), among: names)
    return Problem(
      message: "The fixture \"\(name)\" does not exist in \"\(path)\".",
      suggestions: close.map { folder.isEmpty ? $0 : "\(folder)/\($0)" })
  }

  private func isInside(_ whole: String) -> Bool {
    guard let folder = files.resolved(path), let file = files.resolved(whole) else { return false }
    return file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private func linked(_ name: String) -> Problem {
    Problem(
      message: "The fixture \"\(name)\" is a link that leads out of the fixtures folder."
        + " Put the file itself there.")
  }
}
