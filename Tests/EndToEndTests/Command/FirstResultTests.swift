import Foundation
import Testing

/// Of more scenarios than are read before the first of them runs.
@Suite("A run of very many scenarios")
struct FirstResultTests {
  /// One more than are read at first.
  private static let count = 1001

  /// Scenarios that are skipped but the first, of which an app of the shell is run; the last file is an
  /// invalid one.
  private func folder(_ script: String) throws -> FileFolder {
    let words = try String(
      decoding: JSONEncoder().encode(["sh", "-c", script]), as: UTF8.self)
    let folder = try FileFolder([
      "0.json": #"{"app": \#(words), "actions": [{"tap": "b"}]}"#,
      "S/10001.json": #"{"skip": "it is one of many", "actions": []}"#,
      "T/last.json": #"{"actions": [}"#,
    ])
    try folder.name("S/10001.json", (2..<Self.count).map { "S/\(10_000 + $0).json" })
    return folder
  }

  private func lines(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test("has the first result before the last file is read")
  func first() throws {
    let mended = #"{"skip": "mended meanwhile", "actions": []}"#
    let app = BuiltProgram.path(of: "faulty-app")
    let folder = try folder("echo '\(mended)' > T/last.json; exec '\(app)' none")
    defer { folder.remove() }
    let run = try folder.run([".", "--jobs", "1", "--events", "-"])
    #expect(run.exitCode == 0, "\(run.errors)")
    let events = try lines(run.output)
    #expect((events.first?["run"] as? [String: Any])?["scenarioCount"] == nil)
    let kinds = events.compactMap { $0["kind"] as? String }
    let planned = try #require(kinds.firstIndex(of: "planned"))
    #expect(events[planned]["scenarioCount"] as? Int == Self.count + 1)
    // All but the last.
    #expect(kinds[..<planned].count { $0 == "scenarioFinished" } == Self.count)
    #expect(events.dropLast().last?["skipReason"] as? String == "mended meanwhile")
  }

  @Test("tells an invalid file that it comes to late, by its exit code as well")
  func invalid() throws {
    let folder = try folder("exec '\(BuiltProgram.path(of: "faulty-app"))' sendRequest")
    defer { folder.remove() }
    for options in [[], ["--fail-fast"]] {
      let run = try folder.run([".", "--jobs", "1", "--quiet", "--junit", "r.xml"] + options)
      #expect(run.exitCode == 3)
      #expect(run.errors.contains("T/last.json:1:14: error: "), "\(run.errors)")
      let counts =
        options.isEmpty
        ? "1 failed, 1 errored, \(Self.count - 1) skipped" : "1 failed, \(Self.count) not run"
      #expect(run.output.contains(counts), "\(run.output)")
    }
  }

  @Test("says that not all files were read where it is interrupted before")
  func interrupted() throws {
    let folder = try folder("kill -INT $PPID; sleep 60")
    defer { folder.remove() }
    let run = try folder.run([".", "--jobs", "1", "--junit", "r.xml"])
    #expect(run.exitCode == 130)
    #expect(run.output.contains("\n1 errored, not all files read in "), "\(run.output)")
    #expect(try folder.text("r.xml").contains(#"errors="1""#))
  }
}
