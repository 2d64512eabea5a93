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

  /// Where a path leads once links are followed, also where nothing is there yet.
  static func target(of path: String) -> String {
    var path = path
    // As many links as Linux follows.
    for _ in 0..<40 {
      if let target = realpath(path, nil) {
        defer { free(target) }
        return String(cString: target)
      }
      let folder = (path as NSString).deletingLastPathComponent
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        guard !folder.isEmpty, folder != path else { return path }
        let name = (path as NSString).lastPathComponent
        return (target(of: folder) as NSString).appendingPathComponent(name)
      }
      path = link.hasPrefix("/") ? link : (folder as NSString).appendingPathComponent(link)
    }
    return path
  }

  /// What tells the files of reports apart, however they are spelled.
  ///
  /// - Parameter path: absolute, or one of a descriptor.
  /// - Returns: `nil` for a device, which loses nothing of two.
  package static func identity(of path: String) -> String? {
    var status = stat()
    if let descriptor = descriptor(of: path) {
      let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      return isFile ? "\(status.st_dev) \(status.st_ino)" : "descriptor \(descriptor)"
    }
    // What is left of `..` follows a folder that is not there yet.
    let target = (target(of: path) as NSString).standardizingPath
    guard stat(target, &status) == 0 else { return target }
    return status.st_mode & S_IFMT == S_IFCHR ? nil : "\(status.st_dev) \(status.st_ino)"
  }

  /// Whether there is something that must be written to and not be replaced: a device, a pipe.
  static func isSpecial(_ path: String) -> Bool {
    if descriptor(of: path) != nil { return true }
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }
}
