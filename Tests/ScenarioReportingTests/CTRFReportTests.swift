import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import SourceText
import Testing

@testable import ScenarioReporting

@Suite("The CTRF report")
struct CTRFReportTests {
  private static func report(_ result: RunResult = Samples.run) throws -> JSONValue {
    let bytes = CTRFReport(result).bytes
    // Another parser than our own agrees that this is JSON.
    _ = try JSONSerialization.jsonObject(with: Data(bytes))
    return try JSONValue(parsing: bytes)
  }

  private static func tests(_ result: RunResult = Samples.run) throws -> [JSONValue] {
    try report(result)["results"]?["tests"]?.array ?? []
  }

  @Test("counts what errored among the failed, and says how many apart")
  func counts() throws {
    let summary = try Self.report()["results"]?["summary"]
    let counts = ["tests": 7, "passed": 2, "failed": 4, "skipped": 1, "flaky": 1, "suites": 1]
    for (name, count) in counts { #expect(summary?[name] == .integer(count), "\(name)") }
    #expect(summary?["start"] == 1_800_000_000_000)
    #expect(summary?["stop"] == 1_800_000_009_000)
    #expect(summary?["extra"] == ["errored": 1, "notRun": 0, "warned": 0])
  }

  @Test("maps each verdict, and keeps our word for it")
  func statuses() throws {
    let tests = try Self.tests()
    #expect(
      tests.map { $0["status"] } == [
        "passed", "failed", "failed", "failed", "skipped", "passed", "failed",
      ])
    #expect(tests[3]["rawStatus"] == "errored")
    #expect(tests[4]["message"]?.string?.contains("<&") == true)
  }

  @Test("says where a test stands, what went wrong, and when")
  func failure() throws {
    let test = try Self.tests()[1]
    #expect(test["filePath"] == "Scenarios/cart.json")
    #expect(test["line"] == 1)
    #expect(test["suite"] == ["Scenarios/cart.json"])
    #expect(test["tags"] == ["ads"])
    let message = "wanted 1, got 0: https://ad.example.com/click?ad=A-1&area=cart"
    #expect(test["message"] == .string(message))
    let trace = try #require(test["trace"]?.string)
    #expect(trace.hasPrefix("Scenarios/cart.json:2:3: \(message)\n"))
    #expect(test["duration"] == 1234)
    #expect(test["stop"] == 1_800_000_001_234)
    #expect(test["stderr"] == ["��", "… 5 bytes left out …", "end"])
    #expect(test["extra"]?["runAgain"] == "scenario-run Scenarios/cart.json:1")
    #expect(test["extra"]?["findings"]?.array?.map { $0["got"] } == [0, 2])
  }

  @Test("tells retries, and which passes are flaky")
  func retries() throws {
    let tests = try Self.tests()
    #expect(tests[5]["flaky"] == true)
    #expect(tests[5]["retries"] == 1)
    #expect(tests[6]["flaky"] == nil)
    let attempt = try #require(tests[6]["retryAttempts"]?.array?.first)
    #expect(attempt["attempt"] == 1)
    #expect(attempt["status"] == "failed")
    #expect(attempt["extra"]?["rawStatus"] == "errored")
    #expect(tests[0]["retries"] == nil)
  }

  @Test("has names that are unique in the run, and nothing in them that a terminal obeys")
  func names() throws {
    let names = try Self.tests().compactMap { $0["name"]?.string }
    #expect(Set(names).count == 7)
    #expect(names[3].hasPrefix(#"Crash <&">]]>'\u{1}"#))
    #expect(!names.joined().unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
  }

  @Test("says which shard it is of")
  func shard() throws {
    var header = RunHeader(version: "1", startedAt: Date(), scenarioCount: 3, jobs: 1)
    header.shard = Shard(index: 2, total: 5)
    var result = RunResult()
    result.apply(.runStarted(header))
    result.apply(.interrupted(signal: 15))
    let report = try Self.report(result)["results"]
    #expect(report?["environment"]?["shardId"] == "2/5")
    #expect(report?["environment"]?["extra"]?["shard"] == ["index": 2, "total": 5])
    #expect(report?["summary"]?["extra"]?["notRun"] == 3)
    #expect(report?["summary"]?["extra"]?["interruptingSignal"] == 15)
  }

  private static let schemaPath = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "../shared/data/ctrf.schema.json").path(percentEncoded: false)

  @Test(
    "is valid against the schema of the format",
    .enabled(
      if: FileManager.default.fileExists(atPath: schemaPath), "the schema is not here"))
  func schema() throws {
    let bytes = try Data(contentsOf: URL(filePath: Self.schemaPath))
    let file = SourceFile(path: Self.schemaPath, bytes: Array(bytes))
    let node = try #require(JSONParser.parse(file).node)
    let schema = try #require(JSONSchema(node, DiagnosticCollector()))
    #expect(try schema.accepts(Self.report()))
    #expect(try schema.accepts(Self.report(Samples.fold([]))))
    let shard = Samples.fold([], shard: Shard(index: 1, total: 2))
    #expect(try Self.report(shard)["extra"]?["run"]?["shard"]?["total"] == 2)
    #expect(try schema.accepts(Self.report(shard)))
    #expect(try !schema.accepts(["reportFormat": "CTRF", "specVersion": "0.0.0"]))
  }
}
