import Foundation

/// A folder of a test's own, as the one above it is, removed with its owner.
final class TemporaryFolder: Sendable {
  let path: String
  private let parent: URL

  init() throws {
    parent = FileManager.default.temporaryDirectory
      .appending(path: "scenario-tests-\(UUID().uuidString)")
    path = parent.appending(path: "files").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: parent) }

  func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }

  /// Everything in the folder, at any depth.
  var contents: [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: path).sorted()) ?? []
  }
}
