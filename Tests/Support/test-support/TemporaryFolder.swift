import Foundation

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
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  /// Everything in the folder, at any depth.
  package var contents: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: path).sorted()) ?? []
  }
}
