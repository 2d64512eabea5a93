import Foundation

/// A new file to which whole lines are appended, closed with the last reference to it.
final class AppendOnlyFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Creates the file; one that is there already, or a link, is an error.
  init(creating path: String) throws(StoreWriteError) {
    self.path = path
    var descriptor: Int32
    repeat {
      descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else { throw StoreWriteError(path: path, code: errno) }
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Appends with one `write`; a second one only where the system took less than all, as it does on a
  /// disk that is nearly full.
  func append(_ line: [UInt8]) throws(StoreWriteError) {
    var written = 0
    while written < line.count {
      let count = line.withUnsafeBytes { bytes in
        write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw StoreWriteError(path: path, code: count == 0 ? ENOSPC : errno)
      }
    }
  }
}
