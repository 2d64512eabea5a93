import Foundation
import ScenarioCore
import SourceText
import Synchronization

/// The machine's own files.
package struct LocalFiles: FileAccess {
  package init() {}

  package func bytes(ofFile path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("read") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError("read") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    while true {
      switch ReadBuffer.read(from: descriptor, { bytes += $0 }) {
      case .some: continue
      case .nothingNow: throw SystemError("read")
      case .ended(let code) where code != 0: throw SystemError("read", code: code)
      case .ended: return bytes
      }
    }
  }

  package func kind(of path: String) -> FileKind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  package func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package func names(inFolder path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  package func canList(folder path: String) -> Bool {
    // The dot, since the folder itself may be a link. Its last name may be the one that can't be read.
    FolderContents.names(in: path + "/.") != nil
  }

  /// The nearest folder that has a file of this name: the one that is given, or one above it.
  package func nearestFolder(having name: String, from folder: String) -> String? {
    var folder = folder
    while kind(of: FilePath.join(folder, name)) != .file {
      let parent = FilePath.folder(of: folder)
      guard parent != folder, !parent.isEmpty else { return nil }
      folder = parent
    }
    return folder
  }
}

extension FileAccess {
  /// A file with its text, for a decoder.
  package func source(_ path: String) throws -> SourceFile {
    SourceFile(path: path, bytes: try bytes(ofFile: path))
  }
}

/// The machine's own files as they were when they were first read: a run that reads one again must not
/// run anything else than it planned.
final class UnchangedFiles: FileAccess {
  private let files: LocalFiles
  /// By path.
  private let hashes = Mutex<[String: UInt64]>([:])

  init(_ files: LocalFiles) {
    self.files = files
  }

  /// - Throws: `FileChange` where the file has another content than before.
  func bytes(ofFile path: String) throws -> [UInt8] {
    let bytes = try files.bytes(ofFile: path)
    let hash = StableHash.of(bytes)
    let known = hashes.withLock { hashes in
      if hashes[path] == nil { hashes[path] = hash }
      return hashes[path]
    }
    guard known == hash else { throw FileChange() }
    return bytes
  }

  func kind(of path: String) -> FileKind? { files.kind(of: path) }
  func resolved(_ path: String) -> String? { files.resolved(path) }
  func names(inFolder path: String) -> [String] { files.names(inFolder: path) }
  func canList(folder path: String) -> Bool { files.canList(folder: path) }
}

/// Why a file isn't used any more.
struct FileChange: Error, CustomStringConvertible {
  let description = "it has changed since the run began. Run it again"
}
