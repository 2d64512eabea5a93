import Foundation
import SourceText

/// What decoding may ask of the file system; injected, so that the core stays pure.
package protocol FileAccess: Sendable {
  /// The content of a file, where the file may be read.
  ///
  /// - Throws: `FileFault`, or another error whose description says why the file isn't read.
  func bytes(ofFile path: String, limitBytes: Int) throws -> [UInt8]
  /// Hands over the content of a file that can be larger than what should be held, for as long as `body`
  /// takes.
  ///
  /// - Throws: as `bytes(ofFile:limitBytes:)`, and where the file changes meanwhile: then what `body` made
  ///   of it is worth nothing.
  func withBytes(
    ofFile path: String, limitBytes: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) throws
  /// Why a file can't be read; its content isn't looked at.
  func fault(ofFile path: String, limitBytes: Int) -> FileFault?
  /// What stands at a path, links followed; `nil` where there is nothing.
  func kind(of path: String) -> FileKind?
  /// The path with every link followed; `nil` where there is nothing.
  func resolved(_ path: String) -> String?
  /// The folder with the files themselves, where those in this one are links that a sandbox made; `nil`
  /// elsewhere.
  func realFolder(of folder: String) -> String?
  /// The names in a folder, in no order; empty where it can't be read.
  func names(inFolder path: String) -> [String]
  /// Whether the names in a folder can be read.
  func canList(folder path: String) -> Bool
}

extension FileAccess {
  package func withBytes(
    ofFile path: String, limitBytes: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws {
    try bytes(ofFile: path, limitBytes: limitBytes).withUnsafeBufferPointer(body)
  }

  package func canList(folder path: String) -> Bool { true }
  package func realFolder(of folder: String) -> String? { nil }

  package func fault(ofFile path: String, limitBytes: Int) -> FileFault? {
    switch kind(of: path) {
    case nil: .missing
    case .folder: .folder
    case .other: .special
    case .file: nil
    }
  }

  /// The content of a file that people write.
  package func bytes(ofFile path: String) throws -> [UInt8] {
    try bytes(ofFile: path, limitBytes: FileLimits.writtenBytes)
  }
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
  /// The same as messages show it.
  package var shownPath: String
  package var files: any FileAccess

  /// - Parameter shownPath: the path where absent.
  package init(path: String, shownPath: String? = nil, files: any FileAccess) {
    self.path = path
    self.shownPath = shownPath ?? path
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
    if files.kind(of: whole) != nil, !isInside(whole, name) { return linked(name) }
    switch files.fault(ofFile: whole, limitBytes: FileLimits.fixtureBytes) {
    case nil: return nil
    case .missing: return missing(name)
    case .folder:
      return Problem(
        message: "The fixture \"\(name)\" is a folder. Name a file inside \"\(shownPath)\".")
    case let fault?: return Problem(message: "The fixture \"\(name)\" can't be read: \(fault).")
    }
  }

  private func missing(_ name: String) -> Problem {
    let folder = FilePath.folder(of: name)
    let names = files.names(inFolder: FilePath.join(path, folder.isEmpty ? "." : folder))
    let close = Suggestions.closest(to: FilePath.lastComponent(name), among: names)
    return Problem(
      message: "The fixture \"\(name)\" does not exist in \"\(shownPath)\".",
      suggestions: close.map { folder.isEmpty ? $0 : "\(folder)/\($0)" })
  }

  private func isInside(_ whole: String, _ name: String) -> Bool {
    guard let file = files.resolved(whole) else { return false }
    if let real = files.realFolder(of: path) {
      // The app is told the real folder: there it must find the same file by this name.
      return Self.isInside(file, real) && files.resolved(FilePath.join(real, name)) == file
    }
    return files.resolved(path).map { Self.isInside(file, $0) } ?? false
  }

  private static func isInside(_ file: String, _ folder: String) -> Bool {
    file.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private func linked(_ name: String) -> Problem {
    Problem(
      message: "The fixture \"\(name)\" is a link that leads out of the fixtures folder."
        + " Put the file itself there.")
  }
}
