import Dispatch
import Foundation
import HarnessProtocol
import Synchronization

/// What is in a folder, links at its own place not followed.
///
/// Beside Foundation's functions, because each scenario makes, looks at and removes folders, and these
/// need a tenth of the system calls; and because they go from descriptor to descriptor, so that no link
/// that is put there meanwhile leads elsewhere.
package enum FolderContents {
  /// How many folders are open at a time; what is nested deeper is moved up first.
  private static let depthLimit = 32

  /// - Returns: the names, `.` and `..` left out; `nil` where it isn't a folder or can't be read.
  static func names(in path: String) -> [String]? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try? FolderListing.names(of: descriptor)
  }

  /// Removes a folder with everything in it, as far as the system lets it.
  ///
  /// - Parameter path: in a folder of this user's alone.
  package static func remove(_ path: String) { remove(path, in: AT_FDCWD) }

  /// - Parameters:
  ///   - name: relative to the folder.
  ///   - folder: a descriptor.
  static func remove(_ name: String, in folder: Int32) {
    guard unlinkat(folder, name, AT_REMOVEDIR) != 0 else { return }
    // A link, or a file, in its place.
    if errno == ENOTDIR { unlinkat(folder, name, 0) }
    let descriptor = openFolder(name, in: folder)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    empty(descriptor)
    unlinkat(folder, name, AT_REMOVEDIR)
  }

  /// Removes everything in a folder.
  ///
  /// - Parameters:
  ///   - folder: its descriptor.
  ///   - kept: the name of what stays.
  static func empty(_ folder: Int32, but kept: String? = nil) {
    var hasMoved = true
    // What was moved up comes into the folder itself.
    while hasMoved {
      hasMoved = false
      empty(folder, but: kept, depth: 0, root: folder, &hasMoved)
    }
  }

  private static func empty(
    _ folder: Int32, but kept: String? = nil, depth: Int, root: Int32, _ hasMoved: inout Bool
  ) {
    let kept = kept.map { Array($0.utf8CString) }
    for name in names(of: folder) where name != kept {
      if unlinkat(folder, name, 0) == 0 { continue }
      if [EACCES, EPERM].contains(errno) {
        fchmod(folder, 0o700)
        if unlinkat(folder, name, 0) == 0 { continue }
      }
      if unlinkat(folder, name, AT_REMOVEDIR) == 0 { continue }
      if depth == depthLimit {
        let moved = "moved-\(UInt64.random(in: 0 ... .max))"
        if renameat(folder, name, root, moved) == 0 { hasMoved = true }
        continue
      }
      let inner = openFolder(name, in: folder)
      guard inner >= 0 else { continue }
      empty(inner, depth: depth + 1, root: root, &hasMoved)
      close(inner)
      unlinkat(folder, name, AT_REMOVEDIR)
    }
  }

  /// The names in a folder; one that can be read but not entered is made one that can be.
  private static func names(of folder: Int32) -> [[CChar]] {
    if let names = try? FolderListing.rawNames(of: folder) { return names }
    fchmod(folder, 0o700)
    return (try? FolderListing.rawNames(of: folder)) ?? []
  }

  /// Opens a folder; where its owner denied it to themselves, as Go does with its modules, that is taken
  /// back.
  private static func openFolder(_ name: UnsafePointer<CChar>, in folder: Int32) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = openat(folder, name, flags)
    var status = stat()
    guard descriptor < 0, errno == EACCES, fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFDIR, fchmodat(folder, name, 0o700, 0) == 0
    else { return descriptor }
    return openat(folder, name, flags)
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
