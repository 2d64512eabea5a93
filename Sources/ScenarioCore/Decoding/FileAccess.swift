import SourceText

/// What decoding may ask of the file system; injected, so that the core stays pure.
package protocol FileAccess: Sendable {
  /// - Throws: an error whose description says why the file can't be read.
  func bytes(ofFile path: String) throws -> [UInt8]
  /// What stands at a path, links followed; `nil` where there is nothing.
  func kind(of path: String) -> FileKind?
  /// The path with every link followed; `nil` where there is nothing.
  func resolved(_ path: String) -> String?
  /// The names in a folder, in no order; empty where it can't be read.
  func names(inFolder path: String) -> [String]
  /// Whether the names in a folder can be read.
  func canList(folder path: String) -> Bool
}

extension FileAccess {
  package func canList(folder path: String) -> Bool { true }
}

package enum FileKind: Sendable {
  case file, folder, other
}

/// Paths as text: nothing here looks at the disk.
package enum FilePath {
  /// The path of a file that is named relative to a folder.
  package static func join(_ folder: String, _ name: String) -> String {
    if name.hasPrefix("/") { return normalized(name) }
    return normalized(folder.isEmpty ? name : folder + "/" + name)
  }

  /// The folder that a path stands in; empty for a bare name.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func lastComponent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path without `.` and, where that is possible, without `..`.
  package static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !path.hasPrefix("/") {
        parts.append(part)
      }
    }
    let joined = parts.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + joined }
    return joined.isEmpty ? "." : joined
  }
}

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
