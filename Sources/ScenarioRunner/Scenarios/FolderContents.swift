import Foundation
import RequestStore

/// What is in a folder, links at its own place not followed.
///
/// Beside Foundation's functions, because each scenario makes, looks at and removes folders, and these
/// need a tenth of the system calls.
package enum FolderContents {
  /// How deep folders are removed by these functions.
  private static let depthLimit = 64

  /// - Returns: the names, `.` and `..` left out; `nil` where it is no folder or can't be read.
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
