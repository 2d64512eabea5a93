import Foundation

/// A file, a pipe or a descriptor that whole lines are appended to, each with one `write(2)`.
///
/// So a reader sees whole lines at any moment, and whatever ends this process leaves whole lines.
final class LineOutput {
  private let path: String
  private let descriptor: Int32
  /// The length of a regular file of our own; `nil` for what can't be cut.
  private var fileLength: off_t?
  private var isClosed = false

  /// Opens a file anew, or waits for the reader of a named pipe.
  ///
  /// - Parameter path: see `ReportPath`.
  /// - Throws: `ReportFailure`.
  init(path: String) throws {
    self.path = path
    if let number = ReportPath.descriptor(of: path) {
      descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
    } else {
      try ReportFile.makeFolder(of: path)
      descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o666)
      fileLength = Self.isRegularFile(descriptor) ? 0 : nil
    }
    guard descriptor >= 0 else { throw ReportFailure(path: path, errorNumber: errno) }
  }

  deinit {
    if !isClosed { Foundation.close(descriptor) }
  }

  /// - Parameter line: with its newline.
  /// - Throws: `ReportFailure` where the disk is full or nobody reads any more; of a line that did not
  ///   fit nothing is left in a file.
  func write(_ line: [UInt8]) throws {
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if !waitAfterError() {
        let failure = ReportFailure(path: path, errorNumber: errno)
        if let fileLength { ftruncate(descriptor, fileLength) }
        throw failure
      }
    }
    fileLength? += off_t(line.count)
  }

  /// - Throws: `ReportFailure` where the system tells only now that something was not written.
  func close() throws {
    isClosed = true
    guard Foundation.close(descriptor) == 0 || errno == EINTR else {
      throw ReportFailure(path: path, errorNumber: errno)
    }
  }

  /// - Returns: whether the write may be tried again.
  private func waitAfterError() -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&entry, 1, -1) >= 0 || errno == EINTR
  }

  private static func isRegularFile(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
