import Foundation
import TestSupport
import Testing

@testable import HarnessProtocol

@Suite("A damaged store is never read in silence")
struct StoreDamageTests {
  static let whole = #"{"url":"https://a.example/"}"# + "\n"

  @Test(
    "Malformed lines",
    arguments: [
      ("{\"url\":\"u:x\"\n", RecordedLineFault.notJSON),
      ("{\"url\":\"u:x\"} x\n", .notJSON),
      ("{\"url\":\"u:x\",}\n", .notJSON),
      ("{\"url\":\"u\\q\"}\n", .notJSON),
      ("{\"url\":\"\\ud800\"}\n", .notJSON),
      ("{\"url\":\"u\u{1}\"}\n", .notJSON),
      ("{\"url\":\"u:x\",\"time\":01}\n", .notJSON),
      ("{\"url\":\"u:x\",\"x\":tru}\n", .notJSON),
      ("\n", .empty),
      ("  \n", .empty),
      ("{}\n", .missingURL),
      ("{\"url\":5}\n", .wrongValue("url")),
      ("{\"url\":\"\"}\n", .wrongValue("url")),
      ("{\"url\":\"u:x\",\"action\":1.5}\n", .wrongValue("action")),
      ("{\"url\":\"u:x\",\"action\":-1}\n", .wrongValue("action")),
      ("{\"url\":\"u:x\",\"action\":\"1\"}\n", .wrongValue("action")),
      ("{\"url\":\"u:x\",\"clock\":[1]}\n", .wrongValue("clock")),
      ("{\"url\":\"/click\"}\n", .relativeURL),
      ("{\"url\":\"a.example/x?u=https://b.example\"}\n", .relativeURL),
      ("{\"url\":\"https:\"}\n", .relativeURL),
      ("{\"url\":\"1a:x\"}\n", .relativeURL),
      ("a.example.com:8080/click\n", .relativeURL),
      ("localhost:8080/click\n", .relativeURL),
      ("{\"url\":\":x\"}\n", .relativeURL),
      ("/click\n", .relativeURL),
      ("garbage\n", .relativeURL),
      ("{\"ends\":0,\"status\":200}\n", .unfoundedEnd(0)),
      ("{\"ends\":2,\"status\":200}\n", .unfoundedEnd(2)),
      ("{\"ends\":123456789012345678,\"status\":200}\n", .unfoundedEnd(123_456_789_012_345_678)),
      ("{\"ends\":1}\n", .malformedEnd),
      ("{\"ends\":1,\"status\":\"ok\"}\n", .malformedEnd),
      ("{\"ends\":1,\"status\":99}\n", .malformedEnd),
      ("{\"ends\":1,\"status\":200,\"error\":\"timedOut\"}\n", .malformedEnd),
      ("{\"ends\":1,\"error\":\"\"}\n", .malformedEnd),
      ("{\"ends\":1,\"status\":200,\"url\":\"u:x\"}\n", .malformedEnd),
      ("{\"ends\":\"1\",\"status\":200}\n", .wrongValue("ends")),
      ("{\"ends\":1,\"ends\":1,\"status\":200}\n", .doubledKey("ends")),
      ("{\"url\":\"u:x\",\"time\":true}\n", .wrongValue("time")),
      ("{\"url\":null}\n", .wrongValue("url")),
      ("{\"url\":\"u:x\",\"action\":nul}\n", .notJSON),
      ("{\"url\":\"u:x\",\"action\":null,\"action\":1}\n", .doubledKey("action")),
      ("{\"url\":\"u:x\",\"body\":\"\",\"bodyBase64\":\"\"}\n", .wrongValue("bodyBase64")),
      ("{\"url\":\"u:x\",\"answer\":\"nobody\"}\n", .wrongValue("answer")),
      ("{\"url\":\"u:x\",\"headers\":{\"a\":1}}\n", .wrongValue("headers")),
      ("{\"url\":\"u:x\",\"headers\":{\"X\":\"1\",\"Y\":\"\",\"X\":\"2\"}}\n", .doubledKey("X")),
      ("{\"url\":\"u:x\",\"headers\":{\"A\":\"1\",\"\\u0041\":\"2\"}}\n", .doubledKey("A")),
      (
        "{\"url\":\"u:x\",\"headers\":{\"e\u{301}\":\"1\",\"\u{e9}\":\"2\"}}\n",
        .doubledKey("\u{e9}")
      ),
      ("{\"url\":\"u:x\",\"bodyBase64\":\"=\"}\n", .wrongValue("bodyBase64")),
      (
        "{\"url\":\"u:x\",\"bodyBase64\":\"\(String(repeating: "A", count: 65534))==AAAA\"}\n",
        .wrongValue("bodyBase64")
      ),
      ("{\"url\":\"u:x\",\"url\":\"v:x\"}\n", .doubledKey("url")),
      ("ders\":{\"a\":\"b\"}}\n", .notAURL),
      ("https://a.example/ x\n", .notAURL),
      ("\u{0}\u{0}\n", .notAURL),
    ])
  func malformed(line: String, fault: RecordedLineFault) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.whole + line + Self.whole, to: "storedRequests.9.jsonl")
    var read = 0
    let damage = #expect(throws: StoreDamage.self) {
      try StoreReader(folder: folder.path).forEachLine { _ in read += 1 }
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

  @Test(
    "A torn last line that is longer than a piece of the file", arguments: [0, 1, 1000, 300_000])
  func longTornLine(before: Int) throws {
    let folder = try TemporaryFolder()
    let first = #"{"url":"u:x\#(String(repeating: "x", count: before))"}"# + "\n"
    let torn = #"{"url":""# + String(repeating: "y", count: 600_000)
    try folder.write(first + torn, to: "storedRequests.jsonl")
    #expect(damage(of: folder)?.places.map(\.line) == [2])
    #expect(damage(of: folder)?.places.map(\.reason) == [.unterminated])
    #expect(damage(of: folder)?.places.map(\.byteCount) == [torn.utf8.count])
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
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hosts")
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    default: #expect(mkfifo(path, 0o600) == 0)
    }
    #expect(damage(of: folder)?.places.map(\.reason) == [.notARegularFile])
  }

  @Test("A folder that is gone is damage")
  func missingFolder() {
    let damage = #expect(throws: StoreDamage.self) {
      try StoreReader(folder: "/nonexistent/store").forEachLine { _ in }
    }
    #expect(damage?.places.map(\.reason) == [.unreadable(code: ENOENT)])
  }

  @Test("A request ends once")
  func doubledEnd() throws {
    let folder = try TemporaryFolder()
    let end = #"{"ends":1,"status":200}"# + "\n"
    try folder.write(Self.whole + end + end, to: "storedRequests.9.jsonl")
    #expect(damage(of: folder)?.places.map(\.line) == [3])
    #expect(damage(of: folder)?.places.map(\.reason) == [.malformed(.unfoundedEnd(1))])
  }

  @Test("What a reader says about a line is damage of that line")
  func refusedLine() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.whole + Self.whole, to: "storedRequests.jsonl")
    var lines = 0
    let damage = #expect(throws: StoreDamage.self) {
      try StoreReader(folder: folder.path).forEachLine { (_) throws(RecordedLineFault) in
        lines += 1
        if lines == 2 { throw .unknownAction(7) }
      }
    }
    #expect(damage?.places.map(\.line) == [2])
    #expect(damage?.places.map(\.reason) == [.malformed(.unknownAction(7))])
  }

  @Test(
    "Anything else in the folder is damage",
    arguments: [
      "storedRequests.txt", "storedRequests.jsonl.bak", "storedRequest.jsonl",
      "storedRequests..jsonl",
      "storedRequests.a.jsonl", "storedRequests.1.2.jsonl", "StoredRequests.jsonl", ".hidden",
    ])
  func misnamed(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.whole, to: "storedRequests.jsonl")
    try folder.write(Self.whole, to: name)
    #expect(damage(of: folder)?.places.map(\.file) == [name])
    #expect(damage(of: folder)?.places.map(\.reason) == [.misnamed])
  }

  private func damage(of folder: TemporaryFolder) -> StoreDamage? {
    do {
      try StoreReader(folder: folder.path).forEachLine { _ in }
      return nil
    } catch {
      return error
    }
  }
}
