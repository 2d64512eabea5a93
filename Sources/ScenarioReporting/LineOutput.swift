import Foundation
import HarnessProtocol

/// A file, a pipe or a descriptor that whole lines are appended to, each with one `write(2)`.
///
/// So a reader sees whole lines at any moment, and whatever ends this process leaves whole lines.
final class LineOutput {
  private let path: String
  private let descriptor: Int32
  /// The length of a regular file; `nil` for what can't be cut.
  private var length: off_t?
  private var isClosed = false

  /// Opens a file, or waits for the reader of a named pipe.
  ///
  /// - Parameter path: see `ReportPath`.
  /// - Throws: `ReportFailure`.
  init(path: String) throws {
    self.path = path
    if let number = ReportPath.descriptor(of: path) {
      descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    } else {
      try ReportFile.makeFolder(of: path)
      descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_TRUNC, 0o666)
    }
    guard descriptor >= 0 else { throw ReportFailure(path: path, errorNumber: errno) }
    if ReportPath.descriptor(of: path) == nil { length = Self.lengthOfFile(descriptor) }
  }

  /// Creates a file, where nothing is yet and no link is followed.
  ///
  /// - Parameter path: what messages name.
  /// - Throws: `ReportFailure`.
  init(creating file: String, for path: String) throws {
    self.path = path
    descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw ReportFailure(path: path, errorNumber: errno) }
    length = 0
  }

  /// - Parameters:
  ///   - descriptor: of an empty file; it is closed with this.
  ///   - path: what messages name.
  init(descriptor: Int32, of path: String) {
    self.path = path
    self.descriptor = descriptor
    length = 0
  }

  deinit {
    if !isClosed { Foundation.close(descriptor) }
  }

  /// - Parameter line: with its newline.
  /// - Throws: `ReportFailure` where the disk is full or nobody reads any more; of a line that did not
  ///   fit nothing is left in a file.
  func write(_ line: [UInt8]) throws {
    do throws(POSIXFailure) {
      try WholeWrite.write(line, to: descriptor)
    } catch {
      if let length { ftruncate(descriptor, length) }
      throw ReportFailure(path: path, errorNumber: error.code)
    }
    length? += off_t(line.count)
  }

  /// - Throws: `ReportFailure` where the system tells only now that something was not written.
  func close() throws {
    isClosed = true
    guard Foundation.close(descriptor) == 0 || errno == EINTR else {
      throw ReportFailure(path: path, errorNumber: errno)
    }
  }

  private static func lengthOfFile(_ descriptor: Int32) -> off_t? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return status.st_size
  }
}

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
