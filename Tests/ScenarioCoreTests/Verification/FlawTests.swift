import RequestMatching
import ScenarioCore
import SourceText
import Testing

@Suite("What is wrong with what was sent, whatever was expected")
struct FlawTests {
  static let decoders = #"""
    "decoders": {"ours": {
      "request": {"method": "POST", "urlPath": "/e"}, "each": "$.body[*]", "name": "$.n",
      "id": "$.id", "ignore": ["$.id", "$.context"]}}
    """#

  static func configuration(_ text: String, _ files: [String: String] = [:]) throws -> Configuration
  {
    let (configuration, diagnostics) = ConfigurationDecoder.decode(
      SourceFile(path: "p/.scenario-run.json", text: text),
      files: FilesInMemory(
        contents: Dictionary(uniqueKeysWithValues: files.map { ("p/" + $0, $1) })))
    return try #require(configuration, "\(diagnostics.map(\.message))")
  }

  @Test(
    "is found by lint in every accounted URL and every event, each kind once, as often as it was sent"
  )
  func lint() throws {
    let scenario = try scenario(
      #"\#(Self.decoders), "tracking": [], "unexpected": "allow", "expected": []"#,
      actions: [#"{"typeText": "nil", "into": "field"}"#, "", ""],
      configuration: try Self.configuration("{}"))
    let found = try judged(
      scenario,
      [
        "1 https://t.example/c?ad=undefined&t=1", "2 https://t.example/c?t=2&ad=undefined",
        "1 https://t.example/s?q=nil", "1 https://api.example/c?ad= stub",
        #"2 https://t.example/e?k= POST body:[{"n":"click","ad":"","id":1,"context":{"a":""}},{"n":"click","ad":"","id":2}]"#,
        #"3 https://t.example/e POST body:[{"n":"click","ad":"","id":2}] stub"#,
      ])
    #expect(
      found == [
        "warning: undefined ad undefined ×2: https://t.example/c?ad=undefined&t=1@1, "
          + "https://t.example/c?t=2&ad=undefined@2",
        "warning: empty k  ×1: https://t.example/e?k=@2",
        "warning: empty ad  ×3: https://t.example/e?k=@2, https://t.example/e?k=@2, https://t.example/e@3",
      ])
  }

  @Test(
    "fails, warns or says nothing, as the configuration has it",
    arguments: [
      (#"{"lint": "off"}"#, []),
      (#"{"lint": "fail"}"#, ["nil", "empty"]),
      (#"{"lint": {"nil": "fail", "empty": "off"}}"#, ["nil"]),
      (#"{"lint": {"nil": "off"}}"#, ["warning: empty"]),
      (#"{}"#, ["warning: nil", "warning: empty"]),
    ])
  func levels(text: String, rules: [String]) throws {
    let scenario = try scenario(
      #""unexpected": "allow", "expected": []"#, configuration: try Self.configuration(text))
    let found = try judged(scenario, ["1 https://t.example/c?a=nil&b="])
    #expect(found.map { String($0.prefix { $0 != "a" || found.isEmpty }) }.count == rules.count)
    #expect(zip(found, rules).allSatisfy { $0.hasPrefix($1) }, "\(found)")
  }

  @Test("is looked for in what is sent again, too")
  func retries() throws {
    let scenario = try scenario(
      #"\#(Self.decoders), "unexpected": "allow", "expected": []"#,
      configuration: try Self.configuration(Self.plan, Self.schemas))
    var verification = Verification(scenario: scenario)
    for more in ["", #","sentAt":1"#] {
      var request = recorded(
        #"1 https://t.example/e POST body:[{"n":"click","id":"x","ad":"A"\#(more)}]"#, time: 0)
      request.end = .status(500)
      verification.observe(request)
    }
    let findings = texts(of: verification.outcome(completedSteps: .all).findings)
    #expect(findings == ["extra sentAt 1 ×1: https://t.example/e@1"])
  }

  static let plan = #"{"trackingPlan": {"click": "plan/click.json", "view": "plan/any.json"}}"#
  static let schemas = [
    "plan/click.json": #"""
    {"type": "object", "required": ["ad"], "additionalProperties": false,
     "properties": {"n": true, "id": true, "ad": {"type": "string"},
       "list": {"items": {"type": "integer", "maximum": 9}}}}
    """#,
    "plan/any.json": "{}",
  ]

  @Test("is an event that isn't planned, and what of an event isn't as it was planned")
  func trackingPlan() throws {
    let scenario = try scenario(
      #"\#(Self.decoders), "unexpected": "allow", "expected": []"#,
      configuration: try Self.configuration(Self.plan, Self.schemas))
    let found = try judged(
      scenario,
      [
        #"1 https://t.example/e POST body:[{"n":"click","ad":"A"},{"n":"view","x":1},{"n":"clik"}]"#,
        #"2 https://t.example/e POST body:[{"n":"click","list":[1,"2",30,"4"]},{"n":"click","ad":1,"more":2}]"#,
      ])
    #expect(
      found == [
        "unplannedEvent eventName clik ×1: https://t.example/e@1",
        "missing ad - ×1: https://t.example/e@2",
        #"mistyped list[1] "2" ×2: https://t.example/e@2, https://t.example/e@2"#,
        "outOfRange list[2] 30 ×1: https://t.example/e@2",
        "mistyped ad 1 ×1: https://t.example/e@2", "extra more 2 ×1: https://t.example/e@2",
      ])
  }

  @Test("tells planned events apart by the bytes of their names")
  func spellings() throws {
    let scenario = try scenario(
      #"\#(Self.decoders), "unexpected": "allow", "expected": []"#,
      configuration: try Self.configuration(
        #"{"trackingPlan": {"caf\u00e9": "any.json"}}"#, ["any.json": "{}"]))
    let found = try judged(
      scenario, [#"1 https://t.example/e POST body:[{"n":"cafe\u0301"},{"n":"caf\u00e9"}]"#])
    #expect(found == ["unplannedEvent eventName cafe\u{301} ×1: https://t.example/e@1"])
  }

  @Test("is told of the plan itself, with its place")
  func wrongPlan() throws {
    let rows: [(String, [String: String], String)] = [
      (
        "plan/none.json", [:],
        "p/.scenario-run.json:1:24: The schema \"p/plan/none.json\" does not exist."
      ),
      (
        "../a.json", [:],
        "p/.scenario-run.json:1:24: The schema \"../a.json\" leads out of the project."
      ),
      (
        "/a.json", [:],
        "p/.scenario-run.json:1:24: The schema \"/a.json\" leads out of the project."
      ),
      ("a.json", ["a.json": #"{"tpye": 1}"#], "a.json:1:2: Unknown keyword \"tpye\" in a schema."),
      ("a.json", ["a.json": "{"], "a.json:1:"),
      ("a.json", ["a.json": "unreadable"], "can't be read: permission denied"),
    ]
    for (name, files, message) in rows {
      let (configuration, diagnostics) = ConfigurationDecoder.decode(
        SourceFile(
          path: "p/.scenario-run.json", text: #"{"trackingPlan": {"e": "\#(name)"}}"#),
        files: FilesInMemory(
          contents: Dictionary(uniqueKeysWithValues: files.map { ("p/" + $0, $1) })))
      #expect(configuration == nil)
      let texts = diagnostics.map { "\($0.location?.description ?? ""): \($0.message)" }
      #expect(texts.contains { $0.contains(message) }, "\(texts)")
    }
  }

  @Test("A plan without anything that finds events is warned about")
  func planWithoutDecoders() {
    let (configuration, diagnostics) = ConfigurationDecoder.decode(
      SourceFile(path: "p/.scenario-run.json", text: #"{"trackingPlan": {"e": "a.json"}}"#),
      files: FilesInMemory(contents: ["p/a.json": "{}"]))
    #expect(configuration?.warnings.map(\.message) == diagnostics.map(\.message))
    #expect(
      diagnostics.map { "\($0.location?.description ?? ""): \($0.message)" } == [
        #"p/.scenario-run.json:1:18: "trackingPlan" judges events, but no "decoders" beside it say "#
          + "where events are. Only scenarios with decoders of their own are checked."
      ])
  }

  static let paths: [(String, [String])] = [
    // Missing: the finding says why.
    (
      #"{"event": "click", "where": {"props.adID": "A"}, "count": 1}"#,
      [
        #"expected event "click" where props.adID is "A": wanted 1, got 0; near ×1 @1 eventMember("props.adID") "A"→-;"#
          + #" "props.adID" finds nothing in any of the 2 events of this name. props.adId"#
      ]
    ),
    // Met, but only because the path is blind.
    (
      #"{"event": "click", "where": {"props.adID": "A"}, "count": 0}"#,
      [#"warning: "props.adID" finds nothing in any of the 2 events of this name."#]
    ),
    (#"{"event": "click", "where": {"props.area": "x"}, "count": 0}"#, []),
    (#"{"event": "click", "where": {"props.adID": {"absent": true}}, "count": 2}"#, []),
    (#"{"event": "click", "where": {"props.adId": "C"}, "count": 0}"#, []),
    (#"{"event": "view", "where": {"props.adID": "C"}, "count": 0}"#, []),
  ]

  @Test("isn't missed because a path of an expectation finds nothing", arguments: paths)
  func blindPaths(expected: String, findings: [String]) throws {
    let scenario = try scenario(
      #"\#(Self.decoders), "unexpected": "allow", "expected": [\#(expected)]"#)
    let found = try judged(
      scenario,
      [
        #"1 https://t.example/e POST body:[{"n":"click","props":{"adId":"A"}}]"#,
        #"2 https://t.example/e POST body:[{"n":"click","props":{"adId":"B"}}]"#,
      ])
    #expect(found == findings)
  }

  @Test("The stubs of the configuration come before a scenario's own mappings, which win, and once")
  func stubs() throws {
    let mapping = #"{"request": {"url": "/x"}, "response": {}}"#
    let files = FilesInMemory(contents: [
      "p/Fixtures/own.json": mapping, "p/Fixtures/sdk.json": mapping,
      "p/Fixtures/both.json": mapping,
      "p/Fixtures/all.har":
        #"{"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "https://a/x"}, "response": {"status": 200}}]}}"#,
    ])
    let text = #"{"stubs": ["all.har", "sdk.json", "both.json"]}"#
    let configuration = ConfigurationDecoder.decode(
      SourceFile(path: "p/.scenario-run.json", text: text), files: files
    ).configuration
    let output = ScenarioDecoder(
      files: files, fixturesDirectory: "p/Fixtures", configuration: try #require(configuration)
    ).decode(
      SourceFile(
        path: "p/s.json",
        text: #"{"actions": [{"tap": "a"}], "stubs": ["own.json", "./both.json"]}"#))
    let scenario = try #require(output.scenarios.first, "\(output.diagnostics)")
    #expect(scenario.stubs.map(\.path) == ["sdk.json", "own.json", "./both.json", "all.har"])
    #expect(scenario.stubs.map(\.isOfProject) == [true, false, false, true])
    #expect(output.usedFixtures == ["sdk.json", "own.json", "both.json", "all.har"])
    let wrong = ConfigurationDecoder.decode(
      SourceFile(path: "p/.scenario-run.json", text: #"{"stubs": "sdc.json"}"#), files: files)
    #expect(wrong.configuration == nil)
    #expect(wrong.diagnostics.first?.suggestions == ["sdk.json"])
  }
}
