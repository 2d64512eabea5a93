import Foundation
import HarnessProtocol
import JSON
import SourceText
import Testing

@testable import ScenarioCore
@testable import ScenarioReporting

@Suite("The event stream")
struct EventStreamTests {
  private static let document = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/ScenarioReporting/ScenarioReporting.docc/TheEventStream.md")

  /// The lines of events, each a hundredth of a second after the one before.
  private func lines(_ events: [RunEvent]) throws -> [String] {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    var now = ContinuousClock.now
    let reporter = EventsReporter(path: file.path(percentEncoded: false)) {
      defer { now += .milliseconds(10) }
      return now
    }
    let pipeline = ReportingPipeline([reporter])
    for event in events { pipeline.handle(event) }
    #expect(pipeline.failures.isEmpty)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasSuffix("\n"))
    return text.split(separator: "\n").map(String.init)
  }

  /// Every kind of event, with every key.
  private static var everyEvent: [RunEvent] {
    var all = Samples.events(Array(Samples.run.results))
    var result = Samples.result(8, caseName: "x", verdict: .errored, output: Samples.output)
    result.scenario.caseFile = "Scenarios/cases.csv"
    result.repetition = 2
    result.keptFolder = "kept/9"
    result.trace = Samples.trace
    var count = WrongCount(
      scope: .expected, pattern: "https://ad.example.com/", wanted: .init(least: 1, most: 2),
      got: 0, location: Samples.location)
    count.related = [
      RelatedExpectation(
        scope: .sends(Samples.step), wanted: .exactly(1), got: 0, location: Samples.location)
    ]
    count.elsewhere = [RequestOccurrence(url: "https://ad.example.com/", answer: .fault)]
    result.findings = [.wrongCount(count)]
    let diagnostic = Diagnostic(
      .warning, "\"tpa\" isn't a verb.", at: Samples.location, suggestions: ["tap"],
      notes: [Diagnostic.Note("It is here.", at: Samples.location)])
    var header = RunHeader(
      version: "1", startedAt: Date(timeIntervalSince1970: 1_800_000_000), scenarioCount: 9,
      jobs: 2)
    header.shard = Shard(index: 2, total: 5)
    all[0] = .runStarted(header)
    all.insert(
      contentsOf: [
        .diagnosed(diagnostic), .stepStarted(result.scenario, Samples.step),
        .attemptFailed(result), .scenarioFinished(result), .interrupted(signal: 2),
      ], at: 1)
    return all
  }

  @Test("is a JSON object in each line, with its version, its kind and a time that grows")
  func lines() throws {
    var time = -1.0
    var kinds: Set<String> = []
    for line in try lines(Self.everyEvent) {
      let value = try JSONValue(parsing: line.utf8)
      #expect(value["version"] == 1)
      kinds.insert(try #require(value["kind"]?.string))
      let next = try #require(value["time"]?.double)
      #expect(next > time)
      time = next
    }
    #expect(
      kinds == [
        "runStarted", "diagnosed", "scenarioStarted", "actionStarted", "attemptFailed",
        "scenarioFinished", "interrupted", "runFinished",
      ])
  }

  @Test("says findings as data")
  func findings() throws {
    let result = Samples.result(0, verdict: .failed, findings: [Samples.wrongCount])
    let line = try #require(try lines(Samples.events([result])).first { $0.contains("findings") })
    let finding = try #require(try JSONValue(parsing: line.utf8)["findings"]?.array?.first)
    #expect(finding["kind"] == "wrongCount")
    #expect(finding["url"] == "https://ad.example.com/click?ad=A-1&area=cart")
    #expect(finding["wanted"] == ["atLeast": 1, "atMost": 1])
    #expect(finding["got"] == 0)
    #expect(finding["location"] == ["path": "Scenarios/cart.json", "line": 2, "column": 3])
    #expect(finding["action"]?["id"] == 2)
    let miss = finding["nearMisses"]?.array?.first
    #expect(miss?["request"]?["time"] == 0.0314)
    #expect(
      miss?["differences"] == [
        [
          "part": "queryParameter", "name": "area", "wanted": "cart", "got": "item",
          "isCondition": false,
        ]
      ])
  }

  @Test("gives hostile text back as it was, and no raw character of it moves a cursor")
  func hostile() throws {
    let results = Samples.run.results
    let all = try lines(Self.everyEvent)
    let raw = all.joined().unicodeScalars
    #expect(!raw.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    let names = try all.compactMap { try JSONValue(parsing: $0.utf8)["scenario"]?["name"] }
    #expect(names.contains(.string(results[3].scenario.name)))
  }

  @Test("tells a trace: requests whole, the screen, the clock; masked and cut")
  func trace() throws {
    let outlet = Outlet(secrets: ["s3cret-token"])
    let trace = try #require(TraceVersion1.value(Samples.trace, outlet))
    let actions = try #require(trace["actions"]?.array)
    #expect(actions.map { $0["cause"] } == ["launch", "action", "shutdown"])
    #expect(actions[1]["action"]?["title"] == "tap cartButton")
    #expect(actions[1]["clock"] == 1.5)
    #expect(actions[1]["screen"]?["elements"]?.array?.first?["label"] == "for ***")
    let requests = try #require(actions[1]["requests"]?.array)
    #expect(requests.map { $0["number"] } == [1, 2, 3, 4])
    #expect(requests[1]["body"] == ["bytes": 22, "json": ["who": "***"]])
    #expect(requests[2]["body"]?["text"]?.string?.hasSuffix("aaa***") == true)
    #expect(requests[2]["body"]?["omittedBytes"] == 13)
    #expect(requests[3]["body"] == ["bytes": 2])
    #expect(requests[0]["body"] == nil)
    #expect(requests[1]["headers"] == ["Authorization": "Bearer ***"])
    #expect(requests[0]["status"] == 503)
    #expect(TraceVersion1.value(Trace(), outlet) == nil)
  }

  @Test("is documented: every kind, every key")
  func documented() throws {
    let document = try String(contentsOf: Self.document, encoding: .utf8)
    func check(_ value: JSONValue) {
      for member in value.object?.members ?? [] {
        let key = member.key
        #expect(document.contains("`\(key)`"), "TheEventStream.md lacks `\(key)`.")
        // What an app sends is its own.
        if !["data", "headers", "json"].contains(key) { check(member.value) }
      }
      for element in value.array ?? [] { check(element) }
      if let kind = value["kind"]?.string { #expect(document.contains("`\(kind)`")) }
    }
    for line in try lines(Self.everyEvent) { check(try JSONValue(parsing: line.utf8)) }
  }

  @Test("is what the example in its description shows")
  func example() throws {
    let result = Samples.result(0, verdict: .failed, findings: [Samples.wrongCount])
    var events = Samples.events([result])
    events.insert(.stepStarted(result.scenario, Samples.step), at: 2)
    let example = try lines(events).map { $0 + "\n" }.joined()
    let document = try String(contentsOf: Self.document, encoding: .utf8)
    let start = try #require(document.range(of: "```json\n"))
    let end = try #require(document.range(of: "```\n", range: start.upperBound..<document.endIndex))
    let shown = start.upperBound..<end.lowerBound
    let environment = ProcessInfo.processInfo.environment
    if environment["UPDATE_GOLDENS"] == "1", environment["CI"] == nil {
      try Data(document.replacingCharacters(in: shown, with: example).utf8).write(to: Self.document)
    } else {
      #expect(document[shown] == example)
    }
  }
}
