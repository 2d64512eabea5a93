import ScenarioReporting
import SourceText
import Testing

@testable import ScenarioCore

@Suite struct ScenarioFilesTests {
  @Test("A line of a scenario file selects the case that stands there")
  func selection() {
    let text = """
      {"cases": [
        {"n": 1},
        {"n": 2,
         "name": "two"}
      ], "actions": [{"tap": "${n}"}], "expected": []}
      """
    let output = ScenarioDecoder(files: FilesInMemory()).decode(
      SourceFile(path: "a.json", text: text))
    let selected = (1...5).map { line in
      output.scenarios.places.filter { $0.isMeant(byLine: line) }.map(\.reference.caseName)
    }
    #expect(selected == [[], ["1"], ["two"], ["two"], []])
  }

  @Test("Each scenario of a file may have as many actions as one alone")
  func actionLimit() {
    let decoder = ScenarioDecoder(files: FilesInMemory())
    let session = DecodingSession(decoder)
    let file = SourceFile(
      path: "a.json", text: #"{"actions": [{"tap": "b"}, {"tap": "c"}], "expected": []}"#)
    let template = JSONParser.parse(file).node.map {
      ScenarioTemplate($0, path: file.path, variables: VariableScope(owner: .scenario))
    }
    session.countSteps(FileLimits.actions)
    #expect(decoder.actionLimit == 100_000)
    #expect(template?.scenario(nil, session)?.steps.count == 2)
    #expect(session.diagnostics.diagnostics.isEmpty)
  }

  @Test("Fixtures that nothing uses are told")
  func unusedFixtures() {
    let files = FilesInMemory(contents: [
      "F/a.json": "", "F/b.json": "", "F/sub/c.apns": #"{"aps": {}}"#, "F/sub/d.json": "",
      "F/.hidden": "",
    ])
    let output = ScenarioDecoder(files: files, fixturesDirectory: "F").decode(
      SourceFile(
        path: "s.json",
        text:
          #"{"fixtures": {"A": "./a.json"}, "actions": [{"push": "sub/c.apns"}], "expected": []}"#))
    #expect(output.diagnostics.isEmpty)
    #expect(output.usedFixtures == ["a.json", "sub/c.apns"])
    let audit = FixtureAudit(FixturesFolder(path: "F", files: files), used: output.usedFixtures)
    #expect(
      DiagnosticRenderer().render(audit.unusedFiles()) == """
        F/b.json: warning: No scenario uses the fixture "b.json". Remove it, or name it in one.
        F/sub/d.json: warning: No scenario uses the fixture "sub/d.json". Remove it, or name it in one.

        """)
  }

  @Test("Fixtures that aren't valid JSON are told, as a warning")
  func malformedFixtures() {
    let files = FilesInMemory(contents: ["F/a.json": "{\"a\": }", "F/b.json": "[]", "F/c.txt": "{"])
    let folder = FixturesFolder(path: "F", files: files)
    let audit = FixtureAudit(folder, used: ["a.json", "b.json", "c.txt", "missing.json"])
    #expect(
      DiagnosticRenderer().render(audit.malformedFiles()) == """
        F/a.json:1:2: warning: The fixture "a.json" isn't valid JSON. The value of "a" is missing. Leave it \
        so only if the app is meant to get it so.
           1 | {"a": }
             |  ^^^

        """)
  }

  @Test("A scenario with any byte missing or changed is decoded without a trap")
  func mutilated() {
    let text = #"""
      {"variables": {"n": 2}, "cases": [{"a": "x", "name": "${n}"}, {"a": true}],
       "fixtures": {"A": "a.json"}, "timeout": 1e1, "actions": [{"tap": "b/c:d[0]${a}", "sends": []},
        {"repeat": "${n}", "actions": [{"push": {"aps": {}}}]}, {"use": "s.json", "with": {"x": 1}}],
       "expected": [{"url": "/éé", "count": {"atLeast": 1}}]}
      """#
    let files = FilesInMemory(contents: ["s.json": #"{"actions": [{"tap": "${x}"}]}"#])
    let decoder = ScenarioDecoder(files: files)
    let others = [Array("{".utf8), Array("$".utf8), Array("\u{22}".utf8), [0xFF]]
    for offset in Array(text.utf8).indices {
      for replacement in [[], others[offset % others.count]] {
        var bytes = Array(text.utf8)
        bytes.replaceSubrange(offset...offset, with: replacement)
        let decoded = decoder.decode(SourceFile(path: "a.json", bytes: bytes))
        _ = DiagnosticRenderer(width: 40).render(decoded.diagnostics)
      }
    }
  }

  @Test("A fixtures folder that is the working directory itself can be used")
  func folderOfFixtures() {
    let files = FilesInMemory(contents: ["a.json": ""])
    let folder = FixturesFolder(path: ".", files: files)
    #expect(folder.problem(with: "../a.json") != nil)
  }
}
