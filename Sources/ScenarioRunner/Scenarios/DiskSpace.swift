import Foundation

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
