import Foundation

/// Files as tests write them.
package enum TestFile {
  /// Unlike `Data.write`, doesn't wait until it is on the disk.
  package static func write(_ bytes: some Collection<UInt8>, to path: String) throws {
    guard let file = fopen(path, "w") else { throw failure }
    let count = fwrite(Array(bytes), 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count else { throw failure }
  }

  private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// A folder of a test's own, as the one above it is, removed with its owner.
package final class TemporaryFolder: Sendable {
  package let path: String
  private let parent: URL

  package init() throws {
    parent = FileManager.default.temporaryDirectory
      .appending(path: "scenario-tests-\(UUID().uuidString)")
    path = parent.appending(path: "files").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: parent) }

  /// - Returns: the file's path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try TestFile.write(bytes, to: file)
    return file
  }

  /// Everything in the folder, at any depth.
  package var contents: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: path).sorted()) ?? []
  }
}
