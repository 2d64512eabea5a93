import Foundation

/// Writes a report so that a reader never sees half of it: to a temporary file, then renamed.
///
/// A device or a pipe is written to as it is; it must not be replaced by a file.
package enum ReportFile {
  /// - Throws: `ReportFailure`.
  package static func write(_ text: String, to path: String) throws {
    try write(bytes: Array(text.utf8), to: path)
  }

  /// - Throws: `ReportFailure`.
  package static func write(bytes: [UInt8], to path: String) throws {
    guard !ReportPath.isSpecial(path) else {
      let output = try LineOutput(path: path)
      try output.write(bytes)
      return try output.close()
    }
    try makeFolder(of: path)
    do {
      // A link stays one: what it leads to is written anew.
      let file = URL(filePath: path).resolvingSymlinksInPath()
      try Data(bytes).write(to: file, options: .atomic)
    } catch {
      throw ReportFailure(path: path, error: error)
    }
  }

  /// Makes the folder that a report goes to.
  ///
  /// - Throws: `ReportFailure`.
  static func makeFolder(of path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    guard !folder.isEmpty else { return }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw ReportFailure(path: path, error: error)
    }
  }
}

/// A report that could not be written.
package struct ReportFailure: Error, CustomStringConvertible {
  package var path: String
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// - Parameter errorNumber: what the system said.
  init(path: String, errorNumber: Int32) {
    self.init(path: path, reason: String(cString: strerror(errorNumber)))
    switch errorNumber {
    case ENOSPC, EDQUOT, EFBIG: reason += ". Make room there, or name another file."
    case EROFS, EACCES, EPERM: reason += ". Name a file in a folder that can be written."
    default: break
    }
  }

  /// - Parameter error: Foundation's, which says less than the system's behind it.
  init(path: String, error: any Error) {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey]
    if let underlying = underlying as? POSIXError {
      self.init(path: path, errorNumber: underlying.code.rawValue)
    } else if let underlying = underlying as? NSError, underlying.domain == NSPOSIXErrorDomain {
      self.init(path: path, errorNumber: Int32(clamping: underlying.code))
    } else {
      self.init(path: path, reason: error.localizedDescription)
    }
  }

  package var description: String { "\(path) can't be written: \(reason)" }
}
