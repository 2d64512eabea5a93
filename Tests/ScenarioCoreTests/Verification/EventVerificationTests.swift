import HarnessProtocol
import ScenarioCore
import SourceText
import Testing

@Suite("What events come to")
struct EventVerificationTests {
  static let decoders = #"""
    "decoders": {"ours": {
      "request": {"method": "POST", "urlPath": "/e"}, "each": "$.body[*]", "name": "$.n",
      "id": "$.id", "ignore": ["$.id"]}}
    """#
  static let click = #"{"event": "click", "in": "ours", "where": {"ad": "A-1"}, "count": 1}"#

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var expected = click
    var actions = ["", "", ""]
    var requests: [String]
    var findings: [String]
    var members = ""
  }

  static let batch = #"body:[{"n":"click","ad":"A-1"},{"n":"view"}]"#

  static let rows = [
    Row(
      testDescription: "Each event has to be named, and the request needn't be",
      expected: click + #", {"event": "view", "count": 1}"#,
      requests: ["1 https://t.example/e POST \(batch)"], findings: []),
    Row(
      testDescription: "Naming the request names none of its events",
      expected: #"{"method": "POST", "urlPath": "/e", "count": 1}"#,
      requests: ["1 https://t.example/e POST \(batch)"],
      findings: [
        "unexpected 1: https://t.example/e@1", "unexpected 1: https://t.example/e@1",
      ]),
    Row(
      testDescription: "An event that is there twice in one batch counts twice",
      requests: [
        #"1 https://t.example/e POST body:[{"n":"click","ad":"A-1"},{"n":"click","ad":"A-1"}]"#
      ],
      findings: [
        #"expected event "click" in ours where ad is "A-1": wanted 1, got 2 [@1 @1]"#
      ]),
    Row(
      testDescription: "Sent again after its request arrived, an event is a duplicate",
      requests: [
        #"1 https://t.example/e POST body:[{"n":"click","ad":"A-1","id":7}]"#,
        #"2 https://t.example/e POST body:[{"n":"click","ad":"A-1","id":7}]"#,
      ],
      findings: [
        #"expected event "click" in ours where ad is "A-1": wanted 1, got 2 [@1 @2]"#
      ]),
    Row(
      testDescription: "What is wrong in an event is named by its path",
      requests: [#"1 https://t.example/e POST body:[{"n":"click","ad":"A-2"}]"#],
      findings: [
        #"expected event "click" in ours where ad is "A-1": wanted 1, got 0; near ×1 @1 "#
          + #"eventMember("ad") "A-1"→"A-2""#
      ]),
    Row(
      testDescription: "A literal has its type",
      expected: #"{"event": "click", "where": {"position": "1"}, "count": 0}"#,
      requests: [#"1 https://t.example/e POST body:[{"n":"click","position":1}]"#],
      findings: ["unexpected 1: https://t.example/e@1"]),
    Row(
      testDescription: "Under sends, events count in place of their requests",
      expected: "", actions: [#", "sends": [\#(click)]"#, #", "sends": []"#, ""],
      requests: [
        #"1 https://t.example/e POST body:[{"n":"click","ad":"A-1"}]"#,
        #"2 https://t.example/e POST body:[{"n":"view"}]"#,
      ],
      findings: ["unexpected 1 in @2: https://t.example/e@2"]),
    Row(
      testDescription: "A request in which there is no event is an ordinary request",
      expected: #"{"event": "click", "count": 0}"#,
      requests: ["1 https://t.example/e POST body:[]"],
      findings: ["unexpected 1: https://t.example/e@1"]),
    Row(
      testDescription: "A decoder accounts for a request without events that a stub answered",
      expected: #"{"event": "click", "count": 0}"#, actions: [#", "sends": []"#, "", ""],
      requests: [
        #"1 https://t.example/e POST body:[] stub"#, "1 https://t.example/api POST stub",
      ],
      findings: ["unexpected 1 in @1: https://t.example/e@1"], members: #""tracking": [],"#),
    Row(
      testDescription: "An event without a name is an error",
      expected: #"{"event": "click", "count": 0}"#,
      requests: [#"1 https://t.example/e POST body:[{"ad":1}]"#],
      findings: [
        #"error unreadableEvents: The decoder "ours" can't read POST https://t.example/e: event 1 has no "#
          + #"name that is a string where "name" says."#,
        "unexpected 1: https://t.example/e@1",
      ]),
  ]

  @Test("row by row", arguments: rows)
  func findings(row: Row) throws {
    let scenario = try scenario(
      #"\#(row.members) \#(Self.decoders), "expected": [\#(row.expected)]"#, actions: row.actions)
    #expect(try judged(scenario, row.requests) == row.findings)
  }

  @Test("sent again after a request that failed, an event is the same one")
  func retry() throws {
    for (end, isNamed) in [
      (RequestEnd.error("timedOut"), true), (.status(500), true), (.status(500), false),
    ] {
      let scenario = try scenario(
        #"\#(Self.decoders), "expected": [\#(isNamed ? Self.click : "")]"#)
      var verification = Verification(scenario: scenario)
      let text = #"1 https://t.example/e POST body:[{"n":"click","ad":"A-1","id":"x"}]"#
      var first = recorded(text, time: 0)
      first.end = end
      verification.observe(first)
      verification.observe(recorded(text, time: 1))
      #expect(
        texts(of: verification.outcome(completedSteps: .all).findings)
          == (isNamed ? [] : ["unexpected 1: https://t.example/e@1"]))
    }
  }

  @Test(
    "sent again with other content, an event is an error, but for what is of the attempt to send it",
    arguments: [
      (#""ad":"A-1""#, #""ad":"A-2""#, #"$.ad was "A-1" and became "A-2""#),
      (#""ad":"A-1""#, #""ad":"A-1","more":{}"#, "$.more was absent and became {}"),
      (#""ad":"e\u0301""#, #""ad":"\u00e9""#, "$.ad was"),
      (#""ad":"A-1","consent":1"#, #""ad":"A-1","consent":2"#, "$.consent was 1 and became 2"),
      (#""ad":"A-1","sentAt":1,"retryCount":0"#, #""ad":"A-1","retryCount":1,"sentAt":2"#, nil),
      (#""meta":{},"ad":"A-1""#, #""meta":{"sent_at":3},"ad":"A-1""#, nil),
      (#""ad":"A-1","t":1"#, #""ad":"A-1","t":5"#, nil),
      (#""ad":"A-1","n2":1,"l":[1.0]"#, #""l":[1],"n2":1,"ad":"A-1""#, nil),
    ])
  func otherContent(first: String, second: String, difference: String?) throws {
    let decoders = Self.decoders.replacing(#""id": "$.id""#, with: #""id": "$.id", "time": "$.t""#)
    let scenario = try scenario(
      #"\#(decoders), "expected": [{"event": "click", "count": {"atLeast": 1}}]"#)
    func findings(_ end: RequestEnd) -> [String] {
      let times = ActionTimes(startDate: 0, ends: [(1, 10)])
      var verification = Verification(scenario: scenario, times: times)
      for (number, content) in [first, second].enumerated() {
        let body = #"body:[{"n":"click","id":"x",\#(content)}]"#
        var request = recorded("1 https://t.example/e POST \(body)", time: Double(number))
        request.end = number == 0 ? end : .status(200)
        verification.observe(request)
      }
      return texts(of: verification.outcome(completedSteps: .all).findings)
    }
    let errors = findings(.status(500))
    #expect(errors.count == (difference == nil ? 0 : 1), "\(errors)")
    let start =
      #"error unreadableEvents: Event "click" (ours) was sent again by its id with other content: "#
    if let difference { #expect(errors.first?.hasPrefix(start + difference) == true, "\(errors)") }
    // After one that arrived it counts by itself.
    #expect(findings(.status(200)).isEmpty)
  }

  @Test(
    "a request that is an event may get other headers and volatile parameters when it is sent again",
    arguments: [
      ("https://t.example/e?id=1&ad=A&r=1 header:X-Token=1", true),
      ("https://t.example/e?id=1&ad=A&r=2 header:X-Token=2", true),
      ("https://t.example/e?id=1&ad=B&r=1 header:X-Token=1", false),
      ("https://t.example/e?id=1&ad=A&r=1 POST", false),
    ])
  func wholeRequest(second: String, isSame: Bool) throws {
    let scenario = try scenario(
      #"""
      "volatileParameters": ["r"], "expected": [{"event": "/e", "count": 1}],
      "decoders": {"ours": {
        "request": {"method": "ANY", "urlPath": "/e"}, "name": "$.path", "id": "$.query.id"}}
      """#)
    var verification = Verification(scenario: scenario)
    for (number, text) in ["https://t.example/e?id=1&ad=A&r=1 header:X-Token=1", second]
      .enumerated()
    {
      var request = recorded("1 \(text)", time: Double(number))
      request.end = .status(number == 0 ? 401 : 200)
      verification.observe(request)
    }
    let findings = texts(of: verification.outcome(completedSteps: .all).findings)
    #expect(findings.isEmpty == isSame, "\(findings)")
  }

  @Test("of an event that arrives once, other content is an error, too")
  func otherContentDelivered() throws {
    let scenario = try scenario(
      #"\#(Self.decoders), "expected": [{"event": "click", "count": 2, "delivered": 1}]"#)
    func findings(_ ad: String) throws -> Int {
      try judged(
        scenario,
        ["A-1", ad].map {
          #"1 https://t.example/e POST body:[{"n":"click","id":"x","ad":"\#($0)"}]"#
        }
      ).count
    }
    #expect(try findings("A-1") == 0)
    #expect(try findings("A-2") == 1)
  }

  @Test(
    "sent with the id of one that failed, an event counts unless it is that one, sent again later",
    arguments: [
      // Each request: what it carries, how many are sent before it ends, its status.
      ([("click x", 0, 500), ("click x", 0, 500), ("click x", 0, 200)], 1),
      ([("click x", 0, 500), ("view x", 0, 200)], 2),
      ([("click x", 0, 500), ("click y", 0, 200)], 2),
      ([("click x", 1, 500), ("click x", 0, 200)], 2),
      ([("click x", 1, 500), ("click x", 0, 500), ("click x", 0, 200)], 2),
      ([("click x", 1, 500), ("view y", 0, 200), ("click x", 0, 200)], 2),
      ([("click x, click x", 0, 500)], 2),
      ([("click x", 0, 200), ("click x", 0, 500), ("click x", 0, 200)], 3),
    ] as [([(String, Int, Int)], Int)])
  func identity(requests: [(String, Int, Int)], count: Int) throws {
    let scenario = try scenario(#"\#(Self.decoders), "unexpected": "allow", "expected": []"#)
    var verification = Verification(scenario: scenario)
    let events = requests.flatMap { content, overlap, status -> [TracedEvent] in
      let events = content.split(separator: ", ").map { event in
        let words = event.split(separator: " ")
        return #"{"n":"\#(words[0])","id":"\#(words[1])"}"#
      }
      let body = "body:[\(events.joined(separator: ","))]"
      var request = recorded("1 https://t.example/e POST \(body)", time: 0)
      (request.overlap, request.end) = (overlap, .status(status))
      return verification.observe(request)
    }
    #expect(events.count { !$0.isRetry } == count)
  }

  @Test("an event belongs to the action that ran when it was tracked, whichever sent it")
  func cause() throws {
    let decoders = Self.decoders.replacing(#""id": "$.id""#, with: #""time": "$.t""#)
    let scenario = try scenario(
      #"\#(decoders), "expected": []"#,
      actions: [#", "sends": [{"event": "click", "count": 1}]"#, #", "sends": []"#, ""])
    let start = 1_767_225_600.0
    let times = ActionTimes(startDate: start, ends: [(0, 0), (1, 0.001), (2, 0.002), (3, 10)])
    func findings(_ time: String) -> [Bool] {
      var verification = Verification(scenario: scenario, times: times)
      verification.observe(
        recorded(#"3 https://t.example/e POST body:[{"n":"click","t":\#(time)}]"#, time: 0))
      return verification.outcome(completedSteps: .all).findings.map(\.isError)
    }
    #expect(findings(#""2026-01-01T00:00:00.001Z""#) == [])
    #expect(findings("1767225600001") == [])
    #expect(findings(#""2026-01-01T00:00:00.002Z""#) == [false], "sent by 2 in place of 1")
    #expect(findings("1767225600002") == [false], "the same")
    #expect(findings(#""2026-01-01T00:00:00Z""#).count { $0 } == 1, "too coarse to tell")
    #expect(findings(#""2026-01-01T00:00:00.000Z""#) == [false], "by the launch")
    #expect(findings(#""2025-12-31T23:59:59.998Z""#).count { $0 } == 1, "before the launch")
    #expect(findings("0").count { $0 } == 1, "by no clock")
  }

  @Test(
    "expectRequests counts the events that were sent so far, whenever they were tracked",
    arguments: [
      ("1", 1, []), ("1", 0, ["wanted 0, got 1 [@1]"]), ("3", 0, []),
      ("3", 1, ["wanted 1, got 0; elsewhere @3"]), ("-", 1, ["error unattributedRequests"]),
    ])
  func sentSoFar(sender: String, count: Int, wanted: [String]) throws {
    let decoders = Self.decoders.replacing(#""id": "$.id""#, with: #""time": "$.t""#)
    let expected = #"{"event": "click", "count": {"atLeast": 1}}"#
    let ends: [(Int, Double?)] = [(0, 0), (1, 0.001), (3, 0.002)]
    let scenario = try scenario(
      #"\#(decoders), "expected": [\#(expected)]"#,
      actions: ["", #"{"expectRequests": [{"event": "click", "count": \#(count)}]}"#, ""])
    var verification = Verification(
      scenario: scenario, times: ActionTimes(startDate: 1_767_225_600, ends: ends))
    verification.observe(
      recorded(
        #"\#(sender) https://t.example/e POST body:[{"n":"click","t":1767225600001}]"#, time: 0))
    let findings = texts(of: verification.outcome(completedSteps: .all).findings)
    #expect(findings.count == wanted.count)
    for (finding, text) in zip(findings, wanted) { #expect(finding.contains(text)) }
  }

  @Test(
    "of an app that doesn't always tell its clock, nobody knows which action tracked an event",
    arguments: [
      ([0, nil, 0.002, 10], 0.001, true), ([0, nil, 0.002, 10], 0.002, true),
      ([0, nil, 0.002, 10], 5, false), ([nil, 0.001, 0.002, 10], 0, true),
      ([nil, 0.001, 0.002, 10], 0.002, false), ([0, 0.001, 0.002, nil], 0.001, false),
    ] as [([Double?], Double, Bool)])
  func untoldClock(clocks: [Double?], time: Double, isUntold: Bool) throws {
    let decoders = Self.decoders.replacing(#""id": "$.id""#, with: #""time": "$.t""#)
    let scenario = try scenario(
      #"\#(decoders), "expected": [{"event": "click", "count": 1}]"#, actions: ["", "", ""])
    var trace = Trace()
    for (id, clock) in clocks.enumerated() {
      trace.begin(.launch, id: id)
      trace.note { $0.clock = clock }
    }
    trace.startDate = 1_767_225_600
    var verification = Verification(
      scenario: scenario, times: ActionTimes(trace, of: scenario))
    let milliseconds = 1_767_225_600_000 + Int(time * 1000)
    verification.observe(
      recorded(#"3 https://t.example/e POST body:[{"n":"click","t":\#(milliseconds)}]"#, time: 0))
    let findings = texts(of: verification.outcome(completedSteps: .all).findings)
    #expect(
      findings.contains { $0.contains("doesn't tell its clock after each action") } == isUntold,
      "\(findings)")
    #expect(findings.isEmpty == !isUntold, "\(findings)")
  }

  @Test(
    "what can never be is told where it is written",
    arguments: [
      (#""decoders": {"segmnt": true}"#, #"No decoder "segmnt" is built in."#),
      (#""expected": [{"event": "a", "count": 1}]"#, "No decoder finds events"),
      (
        #""decoders": {"segment": true}, "expected": [{"event": "a", "in": "ours", "count": 1}]"#,
        #"The scenario has no decoder "ours"."#
      ),
      (
        #""decoders": {"segment": true}, "expected": [{"event": "a", "url": "/x", "count": 1}]"#,
        #""url" belongs in an expectation of requests"#
      ),
      (
        #""decoders": {"segment": true}, "expected": [{"event": "a", "where": {"a[": 1}, "count": 1}]"#,
        "isn't a JSONPath"
      ),
      (
        #""decoders": {"o": {"request": {}, "name": "$.n", "ignore": ["$..a"]}}"#,
        "isn't a path of names alone"
      ),
    ])
  func wrong(members: String, message: String) {
    let text = #"{"actions": [{"tap": "a"}], \#(members)}"#
    let output = ScenarioDecoder(files: FilesInMemory()).decode(
      SourceFile(path: "s.json", text: text))
    #expect(output.diagnostics.contains { $0.message.contains(message) }, "\(output.diagnostics)")
  }
}
