import Foundation
import Testing

/// Compares with a file of expected text; with `UPDATE_GOLDENS=1`, outside CI, writes it instead.
struct Golden {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Goldens")

  static var isUpdating: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["UPDATE_GOLDENS"] == "1" && environment["CI"] == nil
  }

  static func check(_ actual: String, _ path: String) throws {
    try check(actual, at: folder.appending(path: path))
  }

  static func check(_ actual: String, at file: URL) throws {
    if isUpdating {
      try Data(actual.utf8).write(to: file)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(actual == expected, "Expected the text of \(file.lastPathComponent).")
  }
}
