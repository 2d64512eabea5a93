import Foundation
import JSON
import RequestMatching
import Testing

@Suite("An event decoder")
struct EventDecoderTests {
  private static func decoder(_ change: (inout EventLayout) throws -> Void = { _ in }) throws
    -> EventDecoder
  {
    var layout = EventLayout(name: [try JSONPath("$.name")])
    layout.events = .path(try JSONPath("$.body.events[*]"))
    layout.id = try JSONPath("$.id")
    layout.time = [try JSONPath("$.sentAt")]
    try change(&layout)
    return EventDecoder(
      name: "ours", request: RequestPattern(method: "POST", target: .urlPath("/events")),
      layout: layout)
  }

  private static func request(_ body: String, _ headers: [String: String] = [:]) -> MatchableRequest
  {
    MatchableRequest(
      method: "POST", url: "https://t.example/events", headers: headers, body: Array(body.utf8))
  }

  private static let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
  private static let tooDeep = "is JSON nested deeper than 256 levels"

  @Test("finds the events of all lists where the key of a list is there twice")
  func doubledList() throws {
    let body = #"{"events": [{"name": "a"}], "events": [{"name": "b"}]}"#
    #expect(try Self.decoder().events(in: Self.request(body)).map(\.name) == ["a", "b"])
  }

  @Test(
    "that is built in doesn't choose one of two members of a key",
    arguments: [
      ("segment", "https://t.example/v1/batch", #"{"batch": [], "batch": [{"type": "track"}]}"#),
      (
        "segment", "https://t.example/v1/batch",
        #"{"batch": [{"type": "track", "event": "a", "event": "b"}]}"#
      ),
      ("ga4", "https://t.example/mp/collect", #"{"events": [{"name": "a", "name": "b"}]}"#),
      (
        "snowplow", "https://t.example/com.snowplowanalytics.snowplow/tp2",
        #"{"data": [{"e": "se", "se_ac": "a", "se_ac": "b"}]}"#
      ),
      ("matomo", "https://t.example/matomo.php", #"{"requests": ["?a=1"], "requests": []}"#),
    ])
  func doubledInBuiltIn(name: String, url: String, body: String) throws {
    let decoder = try #require(EventDecoder.builtIn(name))
    let request = MatchableRequest(method: "POST", url: url, body: Array(body.utf8))
    #expect(try decoder.request.matches(request))
    let fault = #expect(throws: EventFault.self) { try decoder.events(in: request) }
    #expect(fault.map { "\($0)".hasPrefix("doubled") } == true)
  }

  @Test("doesn't take Base64 of JSON that is nested too deeply for a text")
  func deepBase64() throws {
    let decoder = try #require(EventDecoder.builtIn("mixpanel"))
    let data = Data(Self.deep.utf8).base64EncodedString()
    let request = MatchableRequest(method: "GET", url: "https://t.example/track?data=\(data)")
    #expect(throws: EventFault.undecodableBody(problem: Self.tooDeep)) {
      try decoder.events(in: request)
    }
  }

  @Test("reads names, ids and times, and numbers the events")
  func events() throws {
    let events = try Self.decoder().events(
      in: Self.request(
        """
        {"events": [{"name": "a", "id": 7, "sentAt": 1767225600.25}, {"name": "b"}]}
        """))
    #expect(events.map(\.name) == ["a", "b"])
    #expect(events.map(\.id) == ["7", nil])
    #expect(events[0].time == EventTime(seconds: 1_767_225_600.25, resolution: 0.01))
    #expect(events.map(\.number) == [1, 2])
    #expect(events.map(\.count) == [2, 2])
  }

  @Test(
    "a time is as fine as it is written",
    arguments: [
      ("1767225600", 1_767_225_600, 1), ("1767225600.25", 1_767_225_600.25, 0.01),
      ("1767225600250", 1_767_225_600.25, 0.001), ("1.76722560025E9", 1_767_225_600.25, 0.01),
      ("1.7672e9", 1_767_200_000, 100_000), ("1.767225600e+12", 1_767_225_600, 1),
      (#""1767225600.5""#, 1_767_225_600.5, 0.1), (#""0x6955b900""#, nil, 0), ("-1", nil, 0),
    ] as [(String, Double?, Double)])
  func times(text: String, seconds: Double?, resolution: Double) throws {
    let time = EventTime(try JSONValue(parsing: Array(text.utf8)))
    #expect(time?.seconds == seconds)
    if let time { #expect(abs(time.resolution / resolution - 1) < 1e-9) }
  }

  @Test("looks at no other request, and finds nothing where there is no event")
  func others() throws {
    let decoder = try Self.decoder()
    let other = MatchableRequest(method: "POST", url: "https://t.example/other")
    #expect(try !decoder.request.matches(other))
    #expect(try decoder.events(in: Self.request("{}")).isEmpty)
  }

  @Test(
    "says what it can't make of a request that it looks at",
    arguments: [
      (#"{"events": [{"name": "a"}, {"id": "b"}]}"#, EventFault.missingName(number: 2)),
      (#"{"events": [{"name": 1}]}"#, .missingName(number: 1)),
      (#"{"events": [{"name": "a", "id": {}}]}"#, .unreadableID(number: 1)),
      (
        #"{"events": [{"name": "a", "sentAt": "today"}]}"#,
        .unreadableTime(number: 1, text: #""today""#)
      ),
      (
        #"{"events": [{"name": "a", "name": "b"}]}"#, .doubledMember(number: 1, path: "$.name")
      ),
      (
        #"{"events": [{"name": "a"}, {"name": "b", "id": 1, "id": 1}]}"#,
        .doubledMember(number: 2, path: "$.id")
      ),
      (
        #"{"events": [{"name": "a", "sentAt": null, "sentAt": 1}]}"#,
        .doubledMember(number: 1, path: "$.sentAt")
      ),
      (#"{"events": [], "deep": \#(deep)}"#, .undecodableBody(problem: tooDeep)),
      ("{\"name\": 1}\n{\"name\": \(deep)}", .undecodableBody(problem: tooDeep)),
    ])
  func faults(body: String, fault: EventFault) throws {
    let decoder = try Self.decoder()
    #expect(throws: fault) { try decoder.events(in: Self.request(body)) }
  }

  @Test("doesn't take a body that can't be decoded for one without events")
  func undecodable() throws {
    let decoder = try Self.decoder()
    #expect(throws: EventFault.undecodableBody(problem: "isn't valid gzip")) {
      try decoder.events(in: Self.request("no gzip", ["Content-Encoding": "gzip"]))
    }
  }

  @Test("sees a request as a document")
  func document() {
    let request = MatchableRequest(
      method: "POST", url: "https://t.example/e?a=1&a=2&b=%20", headers: ["X-Key": "v"],
      body: Array("{\"n\": 1}\n{\"n\": 2}\n".utf8))
    #expect(
      RequestDocument(request).value == [
        "method": "POST", "url": "https://t.example/e?a=1&a=2&b=%20", "host": "t.example",
        "path": "/e", "query": ["a": ["1", "2"], "b": " "], "headers": ["x-key": "v"],
        "body": [["n": 1], ["n": 2]],
      ])
  }

  @Test("tells names apart by their bytes")
  func spellings() throws {
    let request = MatchableRequest(
      method: "GET", url: "https://t.example/e?%C3%A9=1&e%CC%81=2", headers: ["e\u{301}": "v"])
    #expect(RequestDocument(request).value["query"]?.object?.keys.map { $0.utf8.count } == [2, 3])
    for (name, isThere) in [("E\u{301}", true), ("\u{e9}", false)] {
      let wanted = #"{"headers": {"\#(name)": {"equalTo": "v"}}}"#
      let pattern = try #require(decodedPattern(wanted).pattern)
      #expect(try pattern.matches(request) == isThere)
    }
  }

  @Test(
    "takes one line of JSON for a list only where the content type says lines",
    arguments: [
      ("application/x-ndjson", true), ("application/jsonl; charset=utf-8", true),
      ("application/json", false), ("", false),
    ])
  func singleLine(contentType: String, isList: Bool) {
    let request = Self.request("{\"n\": 1}\n", ["Content-Type": contentType])
    #expect(RequestDocument(request).value["body"] == (isList ? [["n": 1]] : ["n": 1]))
  }

  @Test("matches names and conditions, and tells what differs")
  func patterns() throws {
    let events = try Self.decoder().events(
      in: Self.request(#"{"events": [{"name": "a", "properties": {"ad": "A-1", "n": 1}}]}"#))
    func pattern(_ name: String, _ key: String, _ matcher: ValueMatcher) throws -> EventPattern {
      EventPattern(
        name: name, decoder: "ours",
        conditions: [.init(key: key, path: try EventPattern.path(key), matcher: matcher)])
    }
    let right = try pattern("a", "properties.ad", .equalTo("A-1", caseInsensitive: false))
    #expect(try right.matches(events[0]))
    #expect(try right.differences(from: events[0]).isEmpty)
    let wrong = try pattern("a", "['properties'].ad", .equalTo("A-2", caseInsensitive: false))
    #expect(try !wrong.matches(events[0]))
    let differences = try wrong.differences(from: events[0])
    #expect(differences.map(\.got) == [#""A-1""#])
    let missing = try pattern("b", "properties.none", .absent)
    #expect(try missing.differences(from: events[0]).map(\.part) == [.eventName])
  }
}
