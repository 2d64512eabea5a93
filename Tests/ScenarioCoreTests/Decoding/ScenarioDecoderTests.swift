import HarnessProtocol
import JSON
import ScenarioCore
import ScenarioReporting
import SourceText
import Testing

@Suite struct ScenarioDecoderTests {
  private func decode(
    _ text: String, _ files: FilesInMemory = FilesInMemory(), fixtures: String? = nil
  ) -> ScenarioDecoder.Output {
    ScenarioDecoder(files: files, fixturesDirectory: fixtures).decode(
      SourceFile(path: "Scenarios/cart.json", text: text))
  }

  private func scenarios(_ text: String, _ files: FilesInMemory = FilesInMemory()) -> [Scenario] {
    let output = decode(text, files)
    #expect(DiagnosticRenderer().render(output.diagnostics) == "")
    return Array(output.scenarios)
  }

  @Test("A scenario with every key becomes what it says")
  func everyKey() throws {
    let scenario = try #require(
      scenarios(
        """
        {
          "$schema": "x", "name": "Cart", "description": "d", "tags": ["ads"], "app": ["app", "-v"],
          "fixtures": {"FakeSearch": "A.json"}, "stubs": ["B.json", "C.json"],
          "environment": {"LOCALE": "ko_KR"}, "arguments": ["-reset"],
          "actions": [
            {"tap": "VC/cell:Item[0]/cart", "sends": [{"url": "https://a/x", "count": 1}]},
            {"waitForExistence": "toast", "timeout": 0.5, "name": "See the toast"},
            {"longPress": "a"}, {"swipe": "up", "on": "list"}, {"typeText": "x", "into": "field"},
            {"push": {"aps": {}, "id": 3}, "tapped": false}, {"advanceClock": 1.5},
            {"perform": "login", "with": {"user": {"id": 1}}},
            {"expectRequests": [{"urlPath": "/x", "count": {"atLeast": 1}}]},
            {"terminate": true}, {"relaunch": true}
          ],
          "expected": [{"url": "https://a/x", "count": {"atLeast": 1, "atMost": 2}}],
          "unexpected": "allow", "volatileParameters": ["t*"], "timeout": 5, "skip": "later"
        }
        """
      ).first)
    #expect(scenario.reference.name == "Cart")
    #expect(scenario.reference.selector == "Scenarios/cart.json")
    #expect(scenario.reference.tags == ["ads"])
    #expect(scenario.app == ["app", "-v"])
    #expect(scenario.fixtures.map(\.file.path) == ["A.json"])
    #expect(scenario.stubs.map(\.path) == ["B.json", "C.json"])
    #expect(scenario.environment == ["LOCALE": "ko_KR"])
    #expect(scenario.arguments == ["-reset"])
    #expect(scenario.unexpected == .allow)
    #expect(scenario.volatileParameters == ["t*"])
    #expect(scenario.timeout == .seconds(5))
    #expect(scenario.skipReason == "later")
    #expect(scenario.steps.map(\.id) == Array(1...11))
    #expect(
      scenario.steps.map(\.title) == [
        "tap VC/cell:Item[0]/cart", "See the toast", "longPress a", "swipe up", "typeText x",
        "push", "advanceClock 1.5 s", "perform login", "expectRequests", "terminate", "relaunch",
      ])
    #expect(scenario.steps[0].sends?.map(\.count) == [.exactly(1)])
    #expect(scenario.steps[1].sends == nil)
    #expect(scenario.expected.map(\.count) == [.init(least: 1, most: 2)])
    let params = scenario.steps.map { step -> JSONObject in
      if case .app(let action) = step.action { action.params } else { [:] }
    }
    #expect(params[1] == ["element": "toast", "timeout": 0.5])
    #expect(params[2] == ["element": "a", "duration": 1])
    #expect(params[3] == ["direction": "up", "on": "list"])
    #expect(params[5] == ["payload": ["aps": [:], "id": 3], "tapped": false])
    #expect(params[7] == ["action": "login", "with": ["user": ["id": 1]]])
  }

  @Test("Variables are replaced, and supply numbers where numbers are wanted")
  func variables() throws {
    let found = scenarios(
      """
      {
        "name": "$${n} is ${host}",
        "variables": {"host": "ad.example.com", "base": "https://${host}"},
        "cases": [
          {"name": "two", "n": 2, "on": true},
          {"n": "3", "on": "false"}
        ],
        "actions": [
          {"push": {"aps": {}, "badge": "${n}"}, "tapped": "${on}"},
          {"repeat": "${n}", "actions": [{"tap": "item"}]}
        ],
        "expected": [{"url": "${base}/click?n=${n}", "count": "${n}"}]
      }
      """)
    #expect(
      found.map(\.reference.name) == ["${n} is ad.example.com [two]", "${n} is ad.example.com [2]"])
    #expect(found.map(\.reference.selector) == ["Scenarios/cart.json:5", "Scenarios/cart.json:6"])
    #expect(found.map(\.steps.count) == [3, 4])
    #expect(found.map { $0.expected.first?.count } == [.exactly(2), .exactly(3)])
    guard case .app(.push(let first, let isTapped))? = found.first?.steps.first?.action,
      case .app(.push(let second, let isSecondTapped))? = found.last?.steps.first?.action
    else {
      Issue.record("No push.")
      return
    }
    #expect(first["badge"] == 2)
    #expect(second["badge"] == "3")
    #expect(isTapped && !isSecondTapped)
    if case .url(let url)? = found.last?.expected.first?.pattern.target {
      #expect(url == "https://ad.example.com/click?n=3")
    }
  }

  @Test("A placeholder of JsonUnit is never a variable, and variables may follow it")
  func placeholders() {
    let found = scenarios(
      #"""
      {
        "variables": {"kind": "[A-Z]+"},
        "actions": [],
        "expected": [{
          "method": "POST", "url": "/x", "count": 1,
          "bodyPatterns": [
            {"equalToJson": {"a": "${json-unit.any-number}", "b": "${json-unit.regex}A-${kind}"}},
            {"equalToJson": "[\"${json-unit.ignore}\", \"$${kind}\"]"}
          ]
        }]
      }
      """#)
    #expect(
      found.first?.expected.first?.pattern.bodyPatterns.map(\.description) == [
        ##"{"a":"#{json-unit.any-number}","b":"#{json-unit.regex}A-[A-Z]+"}"##,
        ##"["#{json-unit.ignore}","${kind}"]"##,
      ])
  }

  @Test("A table in a CSV file gives a result for each row, selected by its line")
  func csv() {
    let files = FilesInMemory(contents: [
      "Scenarios/data/t.csv":
        "\u{FEFF}name,id,count\r\n\"first, one\",\"A\"\"1\",1\r\n\r\nsecond,B,2\r\n"
    ])
    let found = scenarios(
      """
      {"cases": "data/t.csv", "actions": [],
       "expected": [{"url": "https://a/${id}", "count": "${count}"}]}
      """, files)
    #expect(found.map(\.reference.name) == ["cart [first, one]", "cart [second]"])
    #expect(
      found.map(\.reference.selector) == ["Scenarios/data/t.csv:2", "Scenarios/data/t.csv:4"])
    #expect(found.map(\.reference.path) == ["Scenarios/cart.json", "Scenarios/cart.json"])
    #expect(found.map { $0.expected.first?.count } == [.exactly(1), .exactly(2)])
  }

  @Test("An empty or blank cell is no known issue")
  func blankKnownIssue() {
    let files = FilesInMemory(contents: [
      "Scenarios/t.csv": "id,knownIssue\nA,\nB, \nC,SHOP-7\n"
    ])
    let found = scenarios(
      """
      {"cases": "t.csv", "actions": [], "expected": [{"url": "https://a/${id}", "count": 1}]}
      """, files)
    #expect(found.map(\.knownIssue) == [nil, nil, "SHOP-7"])
  }

  @Test("Steps are unrolled in the order in which they run, each with variables of its own")
  func unrolling() {
    let files = FilesInMemory(contents: [
      "Scenarios/Steps/a.json":
        #"{"actions": [{"tap": "${x}"}, {"use": "b.json", "with": {"y": "${x}2"}}]}"#,
      "Scenarios/Steps/b.json": #"{"actions": [{"tap": "${y}"}]}"#,
    ])
    let found = scenarios(
      """
      {"actions": [
        {"repeat": 2, "name": "Twice", "sends": [], "actions": [
          {"use": "Steps/a.json", "with": {"x": "one"}}, {"tap": "own"}]},
        {"tap": "last"}
      ], "expected": []}
      """, files)
    let once = ["tap one", "tap one2", "tap own"]
    #expect(found.first?.steps.map(\.title) == once + once + ["tap last"])
    #expect(found.first?.steps.map(\.id) == Array(1...7))
    #expect(found.first?.groups.map(\.title) == ["Twice"])
    #expect(found.first?.groups.map(\.stepIDs) == [1..<7])
  }
}
