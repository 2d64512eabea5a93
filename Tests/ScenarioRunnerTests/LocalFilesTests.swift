import Foundation
import ScenarioCore
import Testing

@testable import ScenarioRunner

@Suite("Files of a project")
struct LocalFilesTests {
  @Test("a large file that is cut while it is looked at is told, and ends nothing")
  func cut() throws {
    let path = NSTemporaryDirectory() + "cut-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(
      FileManager.default.createFile(atPath: path, contents: Data(repeating: 7, count: 4 << 20)))
    var sums: [Int] = []
    let files = LocalFiles()
    #expect(throws: FileChange.self) {
      try files.withBytes(ofFile: path, limitBytes: FileLimits.fixtureBytes) { bytes in
        truncate(path, 8)
        sums.append(bytes.reduce(0) { $0 + Int($1) })
      }
    }
    // What is gone are zeros.
    #expect(sums == [8 * 7])
    // The next one is told from it.
    try Data(repeating: 1, count: 2 << 20).write(to: URL(filePath: path))
    try files.withBytes(ofFile: path, limitBytes: FileLimits.fixtureBytes) { bytes in
      sums.append(bytes.reduce(0) { $0 + Int($1) })
    }
    #expect(sums == [8 * 7, 2 << 20])
  }
}
