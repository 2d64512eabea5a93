import HarnessProtocol
import ScenarioCore
import SourceText
import Testing

@Suite("Expectations that refer to each other")
struct RelationTests {
  static let ads = #"""
    {"ads": [
      {"id": "A", "n": 1, "seen": "https://t.example/seen?ad=A", "click": "https://t.example/click?ad=A"},
      {"id": "B", "n": 2, "seen": "https://t.example/seen?ad=B", "click": "https://t.example/click?ad=B"}],
      "urls": ["https://t.example/1", "https://t.example/2", "https://t.example/1"]}
    """#

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var expected: String
    var actions = ["", "", ""]
    var requests: [String]
    var findings: [String] = []
  }

  static let (seen, click) = ("https://t.example/seen?ad=", "https://t.example/click?ad=")
  static let each = ##"{"forEach": "Ads#$.ads[*]", "url": "${seen}", "count": 1, "as": "seen"}"##
  static let clicks =
    ##"{"forEach": "Ads#$.ads[*]", "url": "${click}", "count": {"atMost": 1}, "after": "seen"}"##
  static let order =
    #"{"urlPath": "/seen", "count": 1, "as": "seen"}, {"urlPath": "/click", "count": 1, "after": "seen"}"#
  static let session = #"""
    {"urlPath": "/start", "count": {"atLeast": 1}, "as": "start"},
    {"urlPath": "/next", "queryParameters": {"s": {"sameAs": "start"}}, "count": 1}
    """#

  static let rows = [
    Row(
      testDescription: "There is one expectation for each object", expected: each,
      requests: ["1 \(seen)A", "1 \(seen)B"]),
    Row(
      testDescription: "Each is counted by itself", expected: each,
      requests: ["1 \(seen)A", "1 \(seen)A"],
      findings: [
        "expected \(seen)A: wanted 1, got 2 [@1 @1] for ads.json:2:3 $.ads[0]",
        #"expected \#(seen)B: wanted 1, got 0; nearest @1 queryParameter("ad") B→A for ads.json:3:3 $.ads[1]"#,
      ]),
    Row(
      testDescription: "Equal results add their counts",
      expected: ##"{"forEach": "Ads#$.urls[*]", "url": "${it}", "count": 1}"##,
      requests: [1, 2, 1].map { "1 https://t.example/\($0)" }),
    Row(
      testDescription: "One of three is missing",
      expected: ##"{"forEach": "Ads#$.urls[*]", "url": "${it}", "count": 1}"##,
      requests: [1, 2].map { "1 https://t.example/\($0)" },
      findings: [
        "expected https://t.example/1: wanted 2, got 1 [@1] for ads.json:4:12 $.urls[0]"
          + " for ads.json:4:58 $.urls[2]"
      ]),
    Row(
      testDescription: "In the right order", expected: order,
      requests: ["1 \(seen)A", "2 \(click)A"]),
    Row(
      testDescription: "In the wrong order", expected: order,
      requests: ["1 \(click)A", "2 \(seen)A"],
      findings: ["expected /click before seen: @1; first @2"]),
    Row(
      testDescription: "What has to come before never came",
      expected: #"{"urlPath": "/click", "count": 1, "after": "seen"}, "#
        + #"{"urlPath": "/seen", "count": {"atMost": 1}, "as": "seen"}"#,
      requests: ["1 \(click)A"], findings: ["expected /click before seen: @1; never"]),
    Row(
      testDescription: "One may precede many",
      expected: #"{"urlPath": "/seen", "count": 1, "as": "seen"}, "#
        + #"{"urlPath": "/click", "count": 2, "after": "seen"}"#,
      requests: ["1 \(seen)A", "2 \(click)A", "2 \(click)A"]),
    Row(
      testDescription: "A request doesn't precede itself",
      expected: #"{"host": "t.example", "count": 2, "as": "any"}, "#
        + #"{"urlPath": "/click", "count": 1, "after": "any"}"#,
      requests: ["1 \(click)A", "2 \(seen)A"],
      findings: ["expected /click before any: @1; first @1"]),
    Row(
      testDescription: "The objects of one forEach are told apart", expected: "\(each), \(clicks)",
      requests: ["1 \(seen)A", "2 \(click)B", "3 \(seen)B"],
      findings: ["expected \(click)B before seen: @2; first @3 for ads.json:3:3 $.ads[1]"]),
    Row(
      testDescription: "Each after its own", expected: "\(each), \(clicks)",
      requests: ["1 \(seen)A", "1 \(seen)B", "2 \(click)B", "2 \(click)A"]),
    Row(
      testDescription: "Under sends, after what the whole scenario expects",
      expected: #"{"urlPath": "/seen", "count": 1, "as": "seen"}"#,
      actions: [
        "", #", "sends": [{"urlPath": "/click", "count": 1, "after": "seen"}]"#, "",
      ],
      requests: ["2 \(click)A", "3 \(seen)A"],
      findings: ["sends@2 /click before seen: @2; first @3"]),
    Row(
      testDescription: "The same value as the latest before", expected: session,
      requests: [
        "1 https://t.example/start?s=1", "2 https://t.example/start?s=2",
        "3 https://t.example/next?s=2",
      ]),
    Row(
      testDescription: "Another value after many",
      expected: session.replacing(#""count": 1}"#, with: #""count": {"atLeast": 1}}"#),
      requests: ["1 https://t.example/start?s=1"]
        + Array(repeating: "2 https://t.example/next?s=1", count: 20)
        + ["3 https://t.example/next?s=2"],
      findings: ["unexpected 1: https://t.example/next?s=2@3"]),
    Row(
      testDescription: "Another value", expected: session,
      requests: ["1 https://t.example/start?s=1", "2 https://t.example/next?s=2"],
      findings: [
        #"expected /next with s is the same as in the latest earlier "start": wanted 1, got 0; "#
          + #"near ×1 @2 queryParameter("s") is "1", as in "start"→2"#
      ]),
    Row(
      testDescription: "The same value, which isn't UTF-8", expected: session,
      requests: ["1 https://t.example/start?s=%B0%A1", "2 https://t.example/next?s=%b0%a1"]),
    Row(
      testDescription: "Another value, which isn't UTF-8 either", expected: session,
      requests: ["1 https://t.example/start?s=%B0%A1", "2 https://t.example/next?s=%B0%A2"],
      findings: [
        #"expected /next with s is the same as in the latest earlier "start": wanted 1, got 0; "#
          + #"near ×1 @2 queryParameter("s") is "%B0%A1", as in "start"→%B0%A2"#
      ]),
    Row(
      testDescription: "There is no value before", expected: session,
      requests: ["1 https://t.example/next?s=1", "2 https://t.example/start?s=1"],
      findings: [
        #"expected /next with s is the same as in the latest earlier "start": wanted 1, got 0; "#
          + #"near ×1 @1 queryParameter("s") is the same as in the latest earlier "start"→1"#
      ]),
    Row(
      testDescription: "What isn't known isn't different",
      expected: session.replacing(#"{"sameAs": "start"}"#, with: #"{"not": {"sameAs": "start"}}"#),
      requests: ["1 https://t.example/next?s=1", "2 https://t.example/start?s=2"],
      findings: [
        #"expected /next with s not (is the same as in the latest earlier "start"): wanted 1, got 0; "#
          + #"near ×1 @1 queryParameter("s") is the same as in the latest earlier "start"→1"#
      ]),
    Row(
      testDescription: "The same header, and the same at a path",
      expected: #"""
        {"method": "POST", "urlPath": "/start", "count": 1, "as": "start"},
        {"method": "POST", "urlPath": "/next", "headers": {"X-Id": {"sameAs": "start"}}, "count": 1,
         "bodyPatterns": [{"matchesJsonPath": {"expression": "$.ids[*]", "sameAs": "start"}}]}
        """#,
      requests: [
        #"1 https://t.example/start POST header:x-id=7 body:{"ids":[1,{"a":2}]}"#,
        #"2 https://t.example/next POST header:X-ID=7 body:{"n":0,"ids":[1.0,{"a":2}]}"#,
      ]),
    Row(
      testDescription: "Another at a path",
      expected: #"""
        {"method": "POST", "urlPath": "/start", "count": 1, "as": "start"},
        {"method": "POST", "urlPath": "/next", "count": 1,
         "bodyPatterns": [{"matchesJsonPath": {"expression": "$.id", "sameAs": "start"}}]}
        """#,
      requests: [
        #"1 https://t.example/start POST body:{"id":"1"}"#,
        #"2 https://t.example/next POST body:{"id":1}"#,
      ],
      findings: [
        #"expected POST /next with body at $.id is the same as in the latest earlier "start": wanted 1, "#
          + #"got 0; near ×1 @2 body("$.id") is "1", as in "start"→1"#
      ]),
  ]

  @Test("row by row", arguments: rows)
  func findings(row: Row) throws {
    let scenario = try #require(
      Self.decoded(#""expected": [\#(row.expected)]"#, row.actions).scenarios.first)
    #expect(try judged(scenario, row.requests) == row.findings)
  }

  static func decoded(
    _ members: String, _ actions: [String] = ["", "", ""]
  ) -> ScenarioDecoder.Output {
    var files = FilesInMemory()
    files.contents["Fixtures/ads.json"] = ads
    var decoder = ScenarioDecoder(files: files, fixturesDirectory: "Fixtures")
    decoder.shownFixturesDirectory = ""
    let taps = actions.enumerated().map { #"{"tap": "e\#($0 + 1)"\#($1)}"# }
    let text = #"""
      {"fixtures": {"Ads": "ads.json"}, "actions": [\#(taps.joined(separator: ","))],
      \#(members)}
      """#
    return decoder.decode(SourceFile(path: "s.json", text: text))
  }

  @Test("events are ordered by when they were tracked, not by when they were sent")
  func events() throws {
    let decoders = #"""
      "decoders": {"ours": {"request": {"method": "POST", "urlPath": "/e"}, "each": "$.body[*]",
        "name": "$.n", "time": "$.t"}}
      """#
    let scenario = try scenario(
      #"\#(decoders), "expected": [{"event": "seen", "count": 1, "as": "seen"}, "#
        + #"{"urlPath": "/click", "count": 1, "after": "seen"}]"#)
    let start = 1_767_225_600.0
    let times = ActionTimes(startDate: start, ends: [(0, 0), (1, 0.001), (2, 0.002), (3, 10)])
    func findings(_ time: String, clock: Double) -> [Finding] {
      var verification = Verification(scenario: scenario, times: times)
      var click = recorded("2 https://t.example/click", time: 0)
      click.clock = clock
      verification.observe(click)
      var batch = recorded(#"3 https://t.example/e POST body:[{"n":"seen","t":\#(time)}]"#, time: 1)
      batch.clock = 5
      verification.observe(batch)
      return verification.outcome(completedSteps: .all).findings
    }
    #expect(findings(#""2026-01-01T00:00:00.001Z""#, clock: 0.002).isEmpty)
    #expect(findings("1767225600001", clock: 0.002).isEmpty)
    #expect(findings("1767225600002", clock: 0.002).count == 1, "at one instant the store decides")
    #expect(findings("1767225600005", clock: 0.002).count == 1, "tracked later")
    #expect(findings("1767225604", clock: 4.5).count == 1, "too coarse to be certainly before")
  }

  @Test("an app whose clock starts anew at each launch sends nothing earlier for that")
  func restartedClock() throws {
    let scenario = try #require(
      Self.decoded(#""expected": [\#(Self.order)]"#).scenarios.first)
    func findings(_ requests: [(String, Double)]) -> Int {
      var verification = Verification(scenario: scenario)
      for (text, clock) in requests {
        var request = recorded(text, time: 0)
        request.clock = clock
        verification.observe(request)
      }
      return verification.outcome(completedSteps: .all).findings.count
    }
    #expect(findings([("1 \(Self.click)A", 5), ("3 \(Self.seen)A", 1)]) == 1)
    #expect(findings([("1 \(Self.seen)A", 5), ("3 \(Self.click)A", 1)]) == 0)
    #expect(findings([("3 \(Self.seen)A", 5), ("1 \(Self.click)A", 4)]) == 1, "written late")
  }

  @Test("what is too early is told although the actions stopped")
  func incomplete() throws {
    let scenario = try #require(
      Self.decoded(#""expected": [\#(Self.order)]"#).scenarios.first)
    let findings = try judged(
      scenario, ["1 \(Self.click)A", "2 \(Self.seen)A"], completed: .through(2))
    #expect(findings.first == "expected /click before seen: @1; first @2")
  }

  @Test("in each round of a repeat, what an earlier round counted is earlier")
  func rounds() throws {
    var files = FilesInMemory()
    files.contents["x"] = ""
    let text = #"""
      {"actions": [{"repeat": 2, "actions": [
        {"tap": "a", "sends": [{"urlPath": "/click", "count": {"atMost": 1}, "after": "seen"}]},
        {"tap": "b", "sends": [{"urlPath": "/seen", "count": 1, "as": "seen"}]}]}]}
      """#
    let output = ScenarioDecoder(files: files).decode(SourceFile(path: "s.json", text: text))
    let scenario = try #require(output.scenarios.first, "\(output.diagnostics.map(\.message))")
    let (seen, click) = ("\(Self.seen)A", "\(Self.click)A")
    #expect(try judged(scenario, ["2 \(seen)", "3 \(click)", "4 \(seen)"]) == [])
    #expect(
      try judged(scenario, ["1 \(click)", "2 \(seen)", "4 \(seen)"])
        == ["sends@1 /click before seen: @1; first @2"])
  }

  @Test(
    "what can never be is told where it is written",
    arguments: [
      (
        #"{"url": "/x", "count": 1, "after": "sen"}, {"url": "/y", "count": 1, "as": "seen"}"#,
        #"No expectation is called "sen"."#
      ),
      (
        #"{"url": "/x", "count": 1, "as": "a"}, {"url": "/y", "count": 1, "as": "a"}"#,
        #"Two expectations are called "a"."#
      ),
      (
        #"{"url": "/x", "count": 1, "as": "a", "after": "b"}, {"url": "/y", "count": 1, "as": "b", "after": "a"}"#,
        "a → b → a"
      ),
      (#"{"url": "/x", "count": 1, "as": "a", "after": "a"}"#, "a → a"),
      (
        #"{"url": "/x", "count": 0, "as": "a"}, {"url": "/y", "count": 1, "after": "a"}"#,
        #""a" expects no request"#
      ),
      (
        #"{"url": "/x", "count": 1, "as": "a"}, {"url": "/y", "count": 0, "after": "a"}"#,
        #""after" says nothing"#
      ),
      (##"{"forEach": "Ads#$.x", "url": "${it}", "count": 1}"##, "finds nothing"),
      (##"{"forEach": "Ads", "url": "/${it}", "count": 1}"##, "doesn't say where the objects are"),
      (##"{"forEach": "Add#$.x", "url": "${it}", "count": 1}"##, #""Add" is neither a key"#),
      (##"{"forEach": "Ads#$.x[", "url": "${it}", "count": 1}"##, "isn't a JSONPath"),
      (
        ##"{"forEach": "Ads#$.ads[*]", "url": "${cart}", "count": 1}"##,
        #"an object without a member "cart""#
      ),
      (
        ##"{"forEach": "Ads#$", "url": "${urls}", "count": 1}"##,
        #"whose "urls" can't be a variable"#
      ),
      (
        ##"{"forEach": "Ads#$.ads", "url": "${it}", "count": 1}"##, "neither an object nor a string"
      ),
      (#"{"url": "/x", "host": {"sameAs": "a"}, "count": 1}"#, #""sameAs" refers to another"#),
    ])
  func wrong(expected: String, message: String) {
    let output = Self.decoded(#""expected": [\#(expected)]"#)
    #expect(output.diagnostics.contains { $0.message.contains(message) }, "\(output.diagnostics)")
  }

  @Test("a variable and a member of one name clash")
  func clash() {
    let output = Self.decoded(
      ##""variables": {"n": "1"}, "tags": ["${n}"], "expected": [{"forEach": "Ads#$.ads[*]", "url": "${seen}", "count": 1}]"##
    )
    #expect(output.diagnostics.contains { $0.message.contains(#"both called "n""#) })
  }

  @Test("what later actions send can't come before")
  func later() {
    let output = Self.decoded(
      #""expected": []"#,
      [
        #", "sends": [{"urlPath": "/click", "count": 1, "after": "seen"}]"#, "",
        #", "sends": [{"urlPath": "/seen", "count": 1, "as": "seen"}]"#,
      ])
    #expect(output.diagnostics.contains { $0.message.contains("only later actions send") })
  }
}
