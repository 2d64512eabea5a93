import Foundation
import ScenarioCore
import SourceText

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

  /// A file with its text, for a decoder.
  package func source(_ path: String) throws -> SourceFile {
    SourceFile(path: path, bytes: try bytes(ofFile: path))
  }
}
