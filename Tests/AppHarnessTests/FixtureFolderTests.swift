import Foundation
import Testing

@testable import AppHarness

@Suite("Files of the fixtures folder")
struct FixtureFolderTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  /// The bytes of a file as they are mapped, or what is wrong.
  private func mapped(_ name: String) -> Result<[UInt8], FixtureError> {
    Result { () throws(FixtureError) in
      var bytes: [UInt8] = []
      let folder = FixtureFolder(path: root.appending(path: "Fixtures").path(percentEncoded: false))
      try folder.withContents(of: name) { bytes = Array($0) }
      return bytes
    }
  }

  @Test("A file is mapped whole, an empty one too; what isn't a file of the folder is told")
  func mapping() throws {
    let folder = root.appending(path: "Fixtures/a b")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    let large = [UInt8](repeating: 7, count: 100_000)
    try Data(large).write(to: folder.appending(path: "large.har"))
    try Data().write(to: folder.appending(path: "empty.har"))
    try Data("secret".utf8).write(to: root.appending(path: "outside.har"))
    #expect(mapped("a b/large.har") == .success(large))
    #expect(mapped("a b/empty.har") == .success([]))
    #expect(mapped("../outside.har") == .failure(.leadsOut(name: "../outside.har")))
    #expect(
      mapped("none.har")
        == .failure(.unreadable(name: "none.har", reason: "No such file or directory")))
    #expect(mapped("a b") == .failure(.unreadable(name: "a b", reason: "No such device")))
  }
}
