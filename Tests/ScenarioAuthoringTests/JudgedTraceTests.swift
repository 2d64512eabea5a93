import HarnessProtocol
import ScenarioAuthoring
import ScenarioCore
import SourceText
import Testing

/// What `compare` and `audit` make of the traces of runs.
@Suite("Two apps are compared, and changes judged, by what was sent") struct JudgedTraceTests {
  private static let scenario = """
    {
      "decoders": {
        "track": {
          "request": { "method": "POST", "url": "https://t.example.com/events" },
          "each": "$.body.events[*]", "name": "$.name", "id": "$.id"
        }
      },
      "actions": [{ "tap": "a" }],
      "expected": [
        { "event": "Tap", "in": "track", "count": 1 },
        { "url": "https://a.example.com/seen", "count": { "atLeast": 0 } }
      ]
    }
    """

  private func scenario() throws -> Scenario {
    let output = ScenarioDecoder(files: NoFiles()).decode(
      SourceFile(path: "s.json", text: Self.scenario))
    return try #require(output.scenarios.first, "\(output.diagnostics.map(\.message))")
  }

  /// Everything is caused by the first action.
  private func trace(_ requests: RecordedRequest...) throws -> Trace {
    let scenario = try scenario()
    var verification = Verification(scenario: scenario)
    var trace = Trace(.requests)
    trace.begin(.launch, id: 0)
    for step in scenario.steps { trace.begin(.step(StepReference(step)), id: step.id) }
    for request in requests { trace.add(request, verification.observe(request)) }
    return trace
  }

  private func request(_ path: String, headers: [String: String]) -> RecordedRequest {
    RecordedRequest(
      url: "https://a.example.com/\(path)", method: "GET", headers: headers, action: 1)
  }

  private func event(
    _ event: String, endedBy status: Int = 200, overlap: Int = 0
  ) -> RecordedRequest {
    var request = RecordedRequest(
      url: "https://t.example.com/events", method: "POST",
      body: Array(#"{"events": [\#(event)]}"#.utf8), action: 1, answer: .stub,
      end: .status(status))
    request.overlap = overlap
    return request
  }

  private func differences(_ base: [Trace], _ head: [Trace]) throws -> [DraftDifference.Change] {
    let secrets = SecretFinder()
    var comparison = AppComparison()
    comparison.add(
      base: try #require(try Recording(scenario(), base[0], base[1], secrets: secrets)),
      head: try #require(try Recording(scenario(), head[0], head[1], secrets: secrets)))
    return comparison.differences.map(\.change)
  }

  @Test("Headers are compared, but for those that vary, that are derived and that are secret")
  func headers() throws {
    func run(_ headers: [String: String], nonce: Int) throws -> Trace {
      let more = [
        "X-Nonce": "\(nonce)", "Content-Length": "\(headers.count)",
        "Authorization": "Bearer \(headers.count)",
      ]
      return try trace(request("seen", headers: headers.merging(more) { old, _ in old }))
    }
    func runs(_ headers: [String: String], nonce: Int) throws -> [Trace] {
      [try run(headers, nonce: nonce), try run(headers, nonce: nonce + 1)]
    }
    let base = try runs(["Accept": "a/b"], nonce: 1)
    #expect(try differences(base, runs(["ACCEPT": "a/b"], nonce: 3)) == [])
    let changes = try differences(base, runs(["Accept": "a/c", "X-Consent": "1"], nonce: 3))
    try #require(changes.count == 1)
    guard case .changed(let old, let new) = changes[0] else {
      Issue.record("\(changes)")
      return
    }
    #expect(
      old["headers"] == ["accept": ["equalTo": "a/b"], "authorization": ["matches": ".+"]])
    #expect(
      new["headers"] == [
        "accept": ["equalTo": "a/c"], "authorization": ["matches": ".+"],
        "x-consent": ["equalTo": "1"],
      ])
  }

  @Test("Bodies that aren't text are compared by their bytes, but for those that vary")
  func binaryBodies() throws {
    func run(_ body: [UInt8]) throws -> Trace {
      try trace(
        RecordedRequest(
          url: "https://a.example.com/seen", method: "POST", body: body, action: 1))
    }
    func count(_ base: [UInt8], _ second: [UInt8], _ head: [UInt8]) throws -> Int {
      let (base, second, head) = try (run(base), run(second), run(head))
      return try differences([base, second], [head, head]).count
    }
    #expect(try count([0xFF, 1], [0xFF, 1], [0xFF, 1]) == 0)
    #expect(try count([0xFF, 1], [0xFF, 1], [0xFF, 2]) == 1)
    #expect(try count([0xFF, 1], [0xFF, 1], []) == 1)
    #expect(try count([0xFF, 1], [0xFF, 2], []) == 1)
    let varying = try [run([0xFF, 1]), run([0xFF, 2])]
    #expect(try differences(varying, [run([0xFF, 3]), run([0xFF, 4])]) == [])
  }

  @Test("Events are compared, whichever requests carry them")
  func events() throws {
    let (one, two) = (#"{"name": "Tap", "id": "1", "ad": "A"}"#, #"{"name": "Tap", "id": "2"}"#)
    let base = try trace(event(one + "," + two))
    #expect(try differences([base, base], [trace(event(two), event(one)), base]) == [])
    let head = try trace(event(one.replacing("A", with: "B") + "," + two))
    #expect(
      try differences([base, base], [head, head]) == [
        .changed(
          from: ["event": "Tap", "in": "track", "where": ["ad": "A"], "count": 1],
          to: ["event": "Tap", "in": "track", "where": ["ad": "B"], "count": 1])
      ])
  }

  @Test("A retry stays one where a request that was sent before it is taken away")
  func retries() throws {
    let tap = #"{"name": "Tap", "id": "1"}"#
    let trace = try trace(
      event(tap, endedBy: 500, overlap: 1), request("seen", headers: [:]), event(tap))
    let audit = try #require(
      ScenarioAudit(scenario(), trace, AuditedStubs { _ in nil }))
    let dropped = audit.survivors.filter { $0.kind == .dropped }.map(\.request.url)
    #expect(dropped == ["https://a.example.com/seen"])
  }
}
