import Foundation

/// The folder of the files that a scenario names.
public struct FixtureFolder: Sendable {
  /// `nil` where the launch environment names none.
  let path: String?

  /// The file's bytes.
  ///
  /// - Throws: `FixtureError` where the name leads out of the folder, or the file can't be read.
  func contents(of name: String) throws -> Data {
    guard let path else { throw FixtureError.noFolder(name: name) }
    let root = URL(filePath: path, directoryHint: .isDirectory).resolvingSymlinksInPath()
    let file = root.appending(path: name).resolvingSymlinksInPath().standardizedFileURL
    guard !name.hasPrefix("/"), file.path().hasPrefix(root.standardizedFileURL.path()) else {
      throw FixtureError.leadsOut(name: name)
    }
    do {
      return try Data(contentsOf: file)
    } catch {
      throw FixtureError.unreadable(name: name, reason: error.localizedDescription)
    }
  }
}

/// Why a fixture could not be read.
public enum FixtureError: Error, Equatable, CustomStringConvertible {
  case noFolder(name: String)
  case leadsOut(name: String)
  case unreadable(name: String, reason: String)

  public var description: String {
    switch self {
    case .noFolder(let name):
      "The fixture \"\(name)\" can't be read: the launch environment names no fixtures folder."
    case .leadsOut(let name):
      "The fixture \"\(name)\" leads out of the fixtures folder. Name a file inside it."
    case .unreadable(let name, let reason):
      "The fixture \"\(name)\" can't be read: \(reason)"
    }
  }
}
