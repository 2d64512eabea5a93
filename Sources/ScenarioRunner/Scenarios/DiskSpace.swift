import Foundation

/// Whether a disk has any room left.
enum DiskSpace {
  /// A client that only appends to the store does not hear that the disk is full: then requests would
  /// be missing in silence.
  static func isExhausted(at path: String) -> Bool {
    var status = statvfs()
    // A file system that counts no blocks says nothing.
    guard statvfs(path, &status) == 0, status.f_blocks > 0 else { return false }
    return (geteuid() == 0 ? status.f_bfree : status.f_bavail) == 0
  }
}
