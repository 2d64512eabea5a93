import Foundation

/// The names in a folder.
package enum FolderListing {
  /// - Parameter descriptor: of the folder; it stays open.
  /// - Returns: all names, `.` and `..` left out, in the system's order.
  /// - Throws: the system's error, also where it came after the first names: half of a folder would
  ///   pass for the whole.
  package static func names(of descriptor: Int32) throws(POSIXFailure) -> [String] {
    try names(of: descriptor) { String(cString: $0) }
  }

  /// The same for further calls, each with its NUL: as a `String`, a name that isn't valid UTF-8 is another
  /// one.
  package static func rawNames(of descriptor: Int32) throws(POSIXFailure) -> [[CChar]] {
    try names(of: descriptor) { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
  }

  private static func names<Name>(
    of descriptor: Int32, _ read: (UnsafePointer<CChar>) -> Name
  ) throws(POSIXFailure) -> [Name] {
    // A descriptor of its own, which begins with the first name.
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0, let stream = fdopendir(own) else {
      let failure = POSIXFailure(code: errno)
      if own >= 0 { close(own) }
      throw failure
    }
    defer { closedir(stream) }
    var names: [Name] = []
    while true {
      // The end and an error look alike but for this.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw POSIXFailure(code: errno) }
        return names
      }
      withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          if strcmp(name, ".") != 0, strcmp(name, "..") != 0 { names.append(read(name)) }
        }
      }
    }
  }
}

/// An error of the system by its number.
package struct POSIXFailure: Error, Sendable {
  package var code: Int32
}

/// Writes all of some bytes, however many calls that takes.
package enum WholeWrite {
  /// Waits where the descriptor takes nothing now.
  ///
  /// - Throws: the system's error; some of the bytes may have been written before it.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(POSIXFailure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        throw POSIXFailure(code: EIO)
      } else if errno == EAGAIN {
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&waited, 1, -1)
      } else if errno != EINTR {
        throw POSIXFailure(code: errno)
      }
    }
  }
}
