import Foundation

/// Writes a report so that a reader never sees half of it: to a temporary file, then renamed.
package enum ReportFile {
  /// - Throws: what the system says, with the path.
  package static func write(_ text: String, to path: String) throws {
    try write(bytes: Array(text.utf8), to: path)
  }

  /// - Throws: what the system says, with the path.
  package static func write(bytes: [UInt8], to path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
      }
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw ReportFailure(path: path, reason: error.localizedDescription)
    }
  }
}

/// A report that could not be written.
package struct ReportFailure: Error, CustomStringConvertible {
  package var path: String
  package var reason: String

  package var description: String { "\(path) can't be written: \(reason)" }
}
