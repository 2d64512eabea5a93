import CSupervision
import Foundation
import JSON
import ScenarioCore
import SourceText
import Synchronization

/// The machine's own files, as far as they may be read: regular ones of a stated greatest size, and where
/// they belong to a project, those of the user or root inside it.
package struct LocalFiles: FileAccess {
  private let scope: FileScope?
  private let linked: LinkedProject?
  private var history: ReadHistory?

  /// - Parameters:
  ///   - scope: where the files lie; `nil` for what a person names.
  ///   - linked: where they are links to the real ones.
  package init(inside scope: FileScope? = nil, linked: LinkedProject? = nil) {
    self.scope = scope
    self.linked = linked
  }

  /// The same files as they are when they are first read: a run that reads one again must not run anything
  /// else than it planned.
  func unchanged() -> LocalFiles {
    var files = self
    files.history = ReadHistory()
    return files
  }

  /// What was read of files that have to be unchanged.
  var readPaths: [String] { history?.paths ?? [] }

  package func bytes(ofFile path: String, limitBytes: Int) throws -> [UInt8] {
    let (descriptor, size) = try open(path, limitBytes: limitBytes)
    defer { close(descriptor) }
    return try bytes(path, descriptor, size, limitBytes)
  }

  private func bytes(
    _ path: String, _ descriptor: Int32, _ size: Int, _ limitBytes: Int
  ) throws -> [UInt8] {
    let bytes = try Self.bytes(of: descriptor, expectedBytes: size, limitBytes: limitBytes)
    try bytes.withUnsafeBytes { try history?.check(path, $0) }
    return bytes
  }

  /// A file as large as that is mapped: the system can drop what was looked at.
  private static let mappedBytes = 1 << 20

  package func withBytes(
    ofFile path: String, limitBytes: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws {
    let (descriptor, size) = try open(path, limitBytes: limitBytes)
    defer { close(descriptor) }
    guard size >= Self.mappedBytes, let start = csupervision_map(descriptor, size) else {
      return try bytes(path, descriptor, size, limitBytes).withUnsafeBufferPointer(body)
    }
    defer { csupervision_unmap(start, size) }
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    try history?.check(path, bytes)
    body(bytes.bindMemory(to: UInt8.self))
    guard try checkedSize(of: descriptor, limitBytes: limitBytes) == size else {
      throw FileChange()
    }
  }

  package func fault(ofFile path: String, limitBytes: Int) -> FileFault? {
    do {
      close(try open(path, limitBytes: limitBytes).descriptor)
      return nil
    } catch {
      return error
    }
  }

  /// Opens a file once everything about it is in order.
  ///
  /// - Returns: the descriptor, which the caller closes, and the file's size.
  func open(
    _ path: String, limitBytes: Int
  ) throws(FileFault) -> (descriptor: Int32, size: Int) {
    // Without waiting: a pipe has a reader all the same, and nobody may ever write to it.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // The system would take a name up to its first NUL for the whole.
    guard !path.utf8.contains(0) else { throw .missing }
    let descriptor: Int32
    if let scope {
      descriptor = try scope.open(path, flags: flags)
    } else {
      descriptor = try Self.open(path, flags)
    }
    do throws(FileFault) {
      return (descriptor, try checkedSize(of: descriptor, limitBytes: limitBytes))
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func open(_ path: String, _ flags: Int32) throws(FileFault) -> Int32 {
    var status = stat()
    // To open some devices already does something.
    guard stat(path, &status) == 0 else { throw FileFault(errno) }
    guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { throw .special }
    let descriptor = Foundation.open(path, flags)
    guard descriptor >= 0 else { throw FileFault(errno) }
    return descriptor
  }

  private func checkedSize(of descriptor: Int32, limitBytes: Int) throws(FileFault) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFault(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .folder
    default: throw .special
    }
    if scope != nil, !FileOwners.isTrusted(status.st_uid) { throw .foreign(owner: status.st_uid) }
    guard status.st_size <= limitBytes else { throw .tooLarge(limitBytes: limitBytes) }
    return Int(status.st_size)
  }

  /// Reads to the end.
  package static func bytes(
    of descriptor: Int32, expectedBytes: Int = 0, limitBytes: Int
  ) throws(FileFault) -> [UInt8] {
    // An array for which there is no memory ends the process.
    guard let room = malloc(expectedBytes + 1) else { throw .unreadable(ENOMEM) }
    free(room)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(expectedBytes)
    while true {
      switch ReadBuffer.read(from: descriptor, { bytes += $0 }) {
      case .some where bytes.count > limitBytes: throw .tooLarge(limitBytes: limitBytes)
      case .some: continue
      case .nothingNow:
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waited, 1, -1)
      case .ended(let code) where code != 0: throw FileFault(code)
      case .ended: return bytes
      }
    }
  }

  /// Whether a path leads to something that may be read here.
  func isInScope(_ path: String) -> Bool { scope?.contains(path) ?? true }

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

  package func realFolder(of folder: String) -> String? {
    linked?.realFolder(of: folder).flatMap(resolved)
  }

  package func names(inFolder path: String) -> [String] {
    guard isInScope(path) else { return [] }
    return FolderContents.names(in: path + "/.") ?? []
  }

  package func canList(folder path: String) -> Bool {
    // The dot, since the folder itself may be a link. Its last name may be the one that can't be read.
    isInScope(path) && FolderContents.names(in: path + "/.") != nil
  }

  /// The nearest folder that has a file of this name: the one that is given, or one above it.
  package func nearestFolder(having name: String, from folder: String) -> String? {
    FilePath.folders(from: folder).first { kind(of: FilePath.join($0, name)) == .file }
  }
}

extension FileAccess {
  /// A file with its text, for a decoder.
  package func source(_ path: String) throws -> SourceFile {
    SourceFile(path: path, bytes: try bytes(ofFile: path))
  }
}

/// What was in files when they were first read.
private final class ReadHistory: Sendable {
  /// By path.
  private let hashes = Mutex<[ByteText: Int]>([:])

  var paths: [String] { hashes.withLock { $0.keys.map(\.text) } }

  /// - Throws: `FileChange` where the file has another content than before.
  func check(_ path: String, _ bytes: UnsafeRawBufferPointer) throws(FileChange) {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    let hash = hasher.finalize()
    let known = hashes.withLock { hashes in
      let known = hashes[ByteText(path)] ?? hash
      hashes[ByteText(path)] = known
      return known
    }
    guard known == hash else { throw FileChange() }
  }
}

/// Why a file isn't used any more.
struct FileChange: Error, CustomStringConvertible {
  let description = "it has changed since the run began. Run it again"
}
