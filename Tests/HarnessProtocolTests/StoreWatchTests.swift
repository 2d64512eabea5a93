import Foundation
import TestSupport
import Testing

@testable import HarnessProtocol

@Suite("A store only grows")
struct StoreWatchTests {
  private static let line = "https://a.example/1\n"

  /// What somebody does to the store between two looks.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var reasons: [StoreDamage.Reason] = []
    var change: @Sendable (TemporaryFolder, _ file: String) throws -> Void
  }

  static let changes = [
    Change(testDescription: "nothing") { _, _ in },
    Change(testDescription: "another file") { folder, _ in
      try folder.write("https://a.example/2\n", to: "storedRequests.5.jsonl")
    },
    Change(testDescription: "an appended line") { _, file in try append(line, to: file) },
    Change(testDescription: "touch") { _, file in #expect(utimes(file, nil) == 0) },
    Change(testDescription: "cut", reasons: [.shrank(from: 40, to: 20)]) { _, file in
      #expect(truncate(file, 20) == 0)
    },
    Change(testDescription: "emptied", reasons: [.shrank(from: 40, to: 0)]) { _, file in
      #expect(truncate(file, 0) == 0)
    },
    Change(testDescription: "emptied and written again", reasons: [.rewritten]) { _, file in
      #expect(truncate(file, 0) == 0)
      try append(line + line, to: file)
    },
    Change(testDescription: "emptied and written anew, longer", reasons: [.rewritten]) { _, file in
      #expect(truncate(file, 0) == 0)
      try append("https://a.example/2\n" + line + line, to: file)
    },
    Change(testDescription: "removed", reasons: [.vanished]) { _, file in
      #expect(unlink(file) == 0)
    },
    Change(testDescription: "renamed", reasons: [.vanished]) { folder, file in
      #expect(rename(file, folder.path + "/storedRequests.5.jsonl") == 0)
    },
    Change(testDescription: "replaced by the same", reasons: [.replaced]) { _, file in
      #expect(unlink(file) == 0)
      try append(line + line, to: file)
    },
    Change(testDescription: "written atomically", reasons: [.replaced]) { _, file in
      try Data((line + line + line).utf8).write(to: URL(filePath: file), options: .atomic)
    },
    Change(testDescription: "replaced by a link", reasons: [.replaced]) { folder, file in
      let aside = folder.path + "-aside"
      #expect(rename(file, aside) == 0)
      #expect(symlink(aside, file) == 0)
    },
    Change(testDescription: "a folder replaced by a link to it", reasons: [.folderReplaced]) {
      folder, _ in
      let aside = folder.path + "-aside"
      #expect(rename(folder.path, aside) == 0)
      #expect(symlink(aside, folder.path) == 0)
    },
    Change(testDescription: "a folder renamed", reasons: [.folderVanished]) { folder, _ in
      #expect(rename(folder.path, folder.path + "-aside") == 0)
    },
  ]

  @Test("What else happens to it is noticed", arguments: changes, [true, false])
  func change(_ example: Change, hasLookAfterwards: Bool) throws {
    let folder = try TemporaryFolder()
    defer { _ = try? FileManager.default.removeItem(atPath: folder.path + "-aside") }
    let reader = try StoreReader(folder: folder.path)
    let file = folder.path + "/storedRequests.jsonl"
    try Self.append(Self.line, to: file)
    try reader.look(after: 1)
    try Self.append(Self.line, to: file)
    try reader.look(after: 1)
    try example.change(folder, file)
    var damage: StoreDamage?
    do throws(StoreDamage) {
      if hasLookAfterwards { try reader.look(after: 1) }
      try reader.forEachLine { _ in }
    } catch {
      damage = error
    }
    // What is read afterwards may be damaged, too.
    #expect(Array(damage.map { $0.places.map(\.reason).prefix(1) } ?? []) == example.reasons)
  }

  @Test("A terabyte of nothing is damage at once, with or without a look")
  func gap() throws {
    for hasLook in [true, false] {
      let folder = try TemporaryFolder()
      let reader = try StoreReader(folder: folder.path)
      let file = folder.path + "/storedRequests.jsonl"
      try Self.append(Self.line, to: file)
      try reader.look(after: 1)
      #expect(truncate(file, 1 << 40) == 0)
      let damage = #expect(throws: StoreDamage.self) {
        if hasLook { try reader.look(after: 1) } else { try reader.forEachLine { _ in } }
      }
      #expect(damage?.places.map(\.reason) == [hasLook ? .gap(20) : .lineTooLong(2)])
    }
  }

  @Test(
    "A request names no action that came only after it",
    arguments: [
      ([0], []), ([0, 0], []), ([0, 1, 2], []), ([0, 0, 1, 2], []), ([1], [1]), ([0, 2], [2]),
      ([0, 1, 3, 2], []), ([1, 2, 3], [1, 2]),
    ])
  func laterAction(named: [Int], lines: [Int]) throws {
    let folder = try TemporaryFolder()
    let reader = try StoreReader(folder: folder.path)
    let file = folder.path + "/storedRequests.jsonl"
    // The launch is in hand, then action 1, and 2 at the end.
    for (inHand, action) in named.enumerated() {
      try Self.append(
        #"{"url": "https://a.example/", "action": \#(action)}"# + "\n", to: file)
      if inHand < 2 { try reader.look(after: inHand) }
    }
    var damage: StoreDamage?
    do throws(StoreDamage) { try reader.forEachLine { _ in } } catch { damage = error }
    #expect(damage?.places.compactMap(\.line) ?? [] == lines)
  }

  @Test("Many files are watched, though not all are held open")
  func manyFiles() throws {
    let folder = try TemporaryFolder()
    let reader = try StoreReader(folder: folder.path)
    for number in 1...100 {
      try Self.append(Self.line, to: folder.path + "/storedRequests.\(number).jsonl")
    }
    try reader.look(after: 1)
    for number in [7, 100] {
      let file = folder.path + "/storedRequests.\(number).jsonl"
      #expect(truncate(file, 0) == 0)
      try Self.append(Self.line, to: file)
    }
    let damage = #expect(throws: StoreDamage.self) { try reader.look(after: 1) }
    #expect(
      damage?.places.map(\.file) == ["storedRequests.100.jsonl", "storedRequests.7.jsonl"])
  }

  @Test(
    "Its writer notices who else changes it, and goes on refusing",
    arguments: ["append", "cut", "remove", "rename", "replace", "folder"])
  func writer(change: String) throws {
    let folder = try TemporaryFolder()
    defer { _ = try? FileManager.default.removeItem(atPath: folder.path + "-aside") }
    let writer = try StoreWriter(folder: folder.path, processID: 7)
    let file = folder.path + "/storedRequests.7.jsonl"
    try writer.append(RecordedRequest(url: "https://a.example/1"))
    try writer.check()
    switch change {
    case "append": try Self.append(Self.line, to: file)
    case "cut": #expect(truncate(file, 3) == 0)
    case "remove": #expect(unlink(file) == 0)
    case "rename": #expect(rename(file, folder.path + "/other") == 0)
    case "replace":
      try Data(contentsOf: URL(filePath: file)).write(
        to: URL(filePath: file), options: .atomic)
    default: #expect(rename(folder.path, folder.path + "-aside") == 0)
    }
    for _ in 1...2 {
      #expect(throws: StoreWriteError(path: file, problem: .changed)) { try writer.check() }
    }
    #expect(throws: StoreWriteError(path: file, problem: .changed)) {
      try writer.append(RecordedRequest(url: "https://a.example/2"))
    }
  }

  private static func append(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    defer { close(file) }
    try #require(write(file, text, text.utf8.count) == text.utf8.count)
  }
}
