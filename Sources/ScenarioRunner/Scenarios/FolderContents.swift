import Dispatch
import Foundation
import HarnessProtocol
import Synchronization

/// What is in a folder, links at its own place not followed.
///
/// Beside Foundation's functions, because each scenario makes, looks at and removes folders, and these
/// need a tenth of the system calls.
package enum FolderContents {
  /// How deep folders are removed by these functions.
  private static let depthLimit = 64

  /// - Returns: the names, `.` and `..` left out; `nil` where it isn't a folder or can't be read.
  static func names(in path: String) -> [String]? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try? FolderListing.names(of: descriptor)
  }

  /// Removes a folder with everything in it, as far as the system lets it.
  package static func remove(_ path: String) {
    remove(path, depth: 0)
    // What is nested deeper.
    if access(path, F_OK) == 0 { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func remove(_ path: String, depth: Int) {
    guard rmdir(path) != 0, depth < depthLimit else { return }
    // A link, or a file, in its place.
    if errno == ENOTDIR { unlink(path) }
    for name in names(in: path) ?? (allow(path) ? names(in: path) : nil) ?? [] {
      let entry = path + "/" + name
      if unlink(entry) == 0 || errno == EACCES && allow(path) && unlink(entry) == 0 { continue }
      remove(entry, depth: depth + 1)
    }
    rmdir(path)
  }

  /// Lets its owner change a folder again: apps deny it to themselves, as Go does with its modules.
  private static func allow(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    return chmod(path, 0o700) == 0
  }
}

/// Removes folders while the next scenarios run: a disk takes longer for it than many an app for its
/// actions.
final class FolderRemover: Sendable {
  /// So many wait at most, so that what they hold does not fill the disk.
  private static let limit = 16

  private let queue = DispatchQueue(label: "scenario-run.folders", qos: .utility)
  private let waiting = Atomic<Int>(0)

  /// Removes a folder that nobody uses any more, at once or soon.
  func remove(_ path: String) {
    let (_, count) = waiting.wrappingAdd(1, ordering: .relaxed)
    let removeNow: @Sendable () -> Void = { [self] in
      FolderContents.remove(path)
      waiting.wrappingSubtract(1, ordering: .relaxed)
    }
    if count > Self.limit { removeNow() } else { queue.async(execute: removeNow) }
  }

  /// Waits until nothing is left to remove.
  func finish() { queue.sync {} }
}

/// Whether a disk has any room left, for bytes and for files.
enum DiskSpace {
  /// A client that only appends to the store does not hear that the disk is full: then requests would
  /// be missing in silence.
  static func isExhausted(at path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    let isRoot = geteuid() == 0
    let (blocks, files) =
      isRoot ? (status.f_bfree, status.f_ffree) : (status.f_bavail, status.f_favail)
    // A file system that counts no blocks, or no files, says nothing by having none free.
    return status.f_blocks > 0 && blocks == 0 || status.f_files > 0 && files == 0
  }
}
