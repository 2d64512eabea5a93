import Foundation
import HarnessWire
import Testing

@testable import RequestStore

@Suite("A damaged store is never read in silence")
struct StoreDamageTests {
  static let whole = #"{"url":"https://a.example/"}"# + "\n"

  @Test(
    "Malformed lines",
    arguments: [
      ("{\"url\":\"u\"\n", RecordedLineFault.notJSON),
      ("{\"url\":\"u\"} x\n", .notJSON),
      ("{\"url\":\"u\",}\n", .notJSON),
      ("{\"url\":\"u\\q\"}\n", .notJSON),
      ("{\"url\":\"\\ud800\"}\n", .notJSON),
      ("{\"url\":\"u\u{1}\"}\n", .notJSON),
      ("{\"url\":\"u\",\"time\":01}\n", .notJSON),
      ("{\"url\":\"u\",\"x\":tru}\n", .notJSON),
      ("\n", .empty),
      ("  \n", .empty),
      ("{}\n", .missingURL),
      ("{\"url\":5}\n", .wrongValue("url")),
      ("{\"url\":\"\"}\n", .wrongValue("url")),
      ("{\"url\":\"u\",\"action\":1.5}\n", .wrongValue("action")),
      ("{\"url\":\"u\",\"action\":-1}\n", .wrongValue("action")),
      ("{\"url\":\"u\",\"action\":\"1\"}\n", .wrongValue("action")),
      ("{\"url\":\"u\",\"request\":[1]}\n", .wrongValue("request")),
      ("{\"url\":\"u\",\"time\":true}\n", .wrongValue("time")),
      ("{\"url\":null}\n", .wrongValue("url")),
      ("{\"url\":\"u\",\"action\":nul}\n", .notJSON),
      ("{\"url\":\"u\",\"action\":null,\"action\":1}\n", .doubledKey("action")),
      ("{\"url\":\"u\",\"body\":\"\",\"bodyBase64\":\"\"}\n", .wrongValue("bodyBase64")),
      ("{\"url\":\"u\",\"answer\":\"nobody\"}\n", .wrongValue("answer")),
      ("{\"url\":\"u\",\"headers\":{\"a\":1}}\n", .wrongValue("headers")),
      ("{\"url\":\"u\",\"bodyBase64\":\"=\"}\n", .wrongValue("bodyBase64")),
      ("{\"url\":\"u\",\"url\":\"v\"}\n", .doubledKey("url")),
      ("ders\":{\"a\":\"b\"}}\n", .notAURL),
      ("https://a.example/ x\n", .notAURL),
      ("\u{0}\u{0}\n", .notAURL),
    ])
  func malformed(line: String, fault: RecordedLineFault) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.whole + line + Self.whole, to: "storedRequests.9.jsonl")
    var read = 0
    let damage = #expect(throws: StoreDamage.self) {
      try StoreReader(folder: folder.path).forEachRequest { _ in read += 1 }
    }
    #expect(read == 2)
    #expect(damage?.places.map(\.line) == [2])
    #expect(damage?.places.map(\.reason) == [.malformed(fault)])
  }

  @Test(
    "A line that is not UTF-8",
    arguments: [[0xFF, 0x0A], Array("{\"url\":\"".utf8) + [0xC3] + Array("\"}\n".utf8)] as [[UInt8]]
  )
  func notUTF8(line: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try folder.write(line, to: "storedRequests.jsonl")
    #expect(damage(of: folder)?.places.map(\.reason) == [.malformed(.notUTF8)])
  }

  @Test("A torn last line is shown, without what a terminal would obey")
  func tornLine() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.whole + "{\"url\":\"h\u{1B}[2Jé", to: "storedRequests.9.jsonl")
    #expect(
      damage(of: folder)?.description
        == #"storedRequests.9.jsonl:2: the last line has no end, so it was not written whole: {"url":"h\x1B[2J\xC3\xA9"#
    )
  }

  @Test("Many damaged lines are counted, and the first are shown")
  func manyDamages() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "{\n", count: 1000), to: "storedRequests.jsonl")
    #expect(damage(of: folder)?.count == 1000)
    #expect(damage(of: folder)?.description.hasSuffix("\nAnd 995 more.") == true)
  }

  @Test("A link, a folder and a pipe are refused", arguments: ["link", "folder", "pipe"])
  func oddFiles(kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/storedRequests.jsonl"
    switch kind {
    case "link":
      try folder.write(Self.whole, to: "elsewhere")
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: folder.path + "/elsewhere")
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    default: #expect(mkfifo(path, 0o600) == 0)
    }
    #expect(damage(of: folder)?.places.map(\.reason) == [.notARegularFile])
  }

  @Test("A folder that is gone is damage")
  func missingFolder() {
    let damage = #expect(throws: StoreDamage.self) {
      try StoreReader(folder: "/nonexistent/store").forEachRequest { _ in }
    }
    #expect(damage?.places.map(\.reason) == [.unreadable(code: ENOENT)])
  }

  @Test("A torn note of a cancellation is damage too", arguments: ["1", "x\n"])
  func tornCancellation(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.whole, to: "storedRequests.9.jsonl")
    try folder.write(text, to: "cancelledRequests.9.jsonl")
    #expect(damage(of: folder)?.places.map(\.file) == ["cancelledRequests.9.jsonl"])
  }

  @Test("A request that could not be written is damage, and the writer goes on refusing")
  func failedWrite() throws {
    let folder = try TemporaryFolder()
    let writer = try StoreWriter(folder: folder.path, processID: 9)
    // A side file that can't be created stands for a disk that is full.
    let sideFile = folder.path + "/cancelledRequests.9.jsonl"
    try FileManager.default.createDirectory(atPath: sideFile, withIntermediateDirectories: false)
    #expect(throws: StoreWriteError.self) { try writer.noteCancellation(of: 1) }
    #expect(throws: StoreWriteError.self) { try writer.append(RecordedRequest(url: "u")) }
    #expect(damage(of: folder)?.places.map(\.reason).contains(.writerFailed) == true)
  }

  private func damage(of folder: TemporaryFolder) -> StoreDamage? {
    do {
      try StoreReader(folder: folder.path).forEachRequest { _ in }
      return nil
    } catch {
      return error as? StoreDamage
    }
  }
}
