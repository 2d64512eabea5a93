import Foundation

/// What FILE of a report's option may be beside a file.
package enum ReportPath {
  /// The descriptor that is meant; `nil` for a path.
  ///
  /// `-` and `/dev/stdout` are what stdout is already: to open it once more would cut a file that
  /// others write to as well.
  package static func descriptor(of path: String) -> Int32? {
    switch path {
    case "-", "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let prefix = "/dev/fd/"
      guard path.hasPrefix(prefix) else { return nil }
      return Int32(path.dropFirst(prefix.count)).flatMap { $0 >= 0 ? $0 : nil }
    }
  }

  /// Whether there is something that must be written to and not be replaced: a device, a pipe.
  static func isSpecial(_ path: String) -> Bool {
    if descriptor(of: path) != nil { return true }
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }
}
