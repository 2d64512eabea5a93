import ScenarioReporting
import SourceText
import Testing

@Suite struct ObjectReaderTests {
  private static let shape = ObjectShape(
    "a thing",
    keys: [
      .init("name", .nonEmptyString, "Its name.", required: true),
      .init("size", .integer(1...5), "Its size."),
      .init("speed", .number(0...3600), "Its speed."),
      .init("mode", .choice(["fast", "slow"]), "Its mode."),
      .init("on", .boolean, "Whether it is on."),
      .init("tags", .strings, "Its tags."),
      .init("environment", .map(.string), "Its surroundings."),
      .init("app", .either([.string, .strings]), "Its app."),
    ],
    misplacedKeys: ["tap": "belongs in an action."])

  private func messages(_ text: String) -> String {
    let collector = DiagnosticCollector()
    let (node, _) = JSONParser.parse(SourceFile(path: "f", text: text))
    if let node { _ = ObjectReader(node, Self.shape, collector) }
    return DiagnosticRenderer().render(collector.diagnostics)
  }

  @Test("Unknown, doubled, misplaced and missing keys are reported in one go")
  func keys() {
    #expect(
      messages("{\"sise\": 1,\n \"tap\": 1, \"on\": true, \"on\": true}") == """
        f:1:2: error: Unknown key "sise" in a thing.
           1 | {"sise": 1,
             |  ^^^^^^ did you mean "size"?
        f:2:2: error: "tap" belongs in an action.
           2 |  "tap": 1, "on": true, "on": true}
             |  ^^^^^
        f:2:24: error: The key "on" is written twice. Keep one of them.
           2 |  "tap": 1, "on": true, "on": true}
             |                        ^^^^
        f:2:12: note: The first one is here.
           2 |  "tap": 1, "on": true, "on": true}
             |            ^^^^
        f:1:1: error: "name" is missing: a thing must have it.
           1 | {"sise": 1,
             | ^

        """)
  }

  @Test(
    "Wrong values are told with what is wanted and what was found",
    arguments: [
      (#""name": """#, #""name": expected a string that is not empty, found an empty string."#),
      (#""name": 5"#, #""name": expected a string that is not empty, found the number 5."#),
      (#""size": 6"#, #""size": expected a whole number from 1 to 5, found the number 6."#),
      (#""size": 1.5"#, #""size": expected a whole number from 1 to 5, found the number 1.5."#),
      (#""size": "3""#, #""size": expected a whole number from 1 to 5, found the string "3"."#),
      (#""speed": -1"#, #""speed": expected a number from 0 to 3600, found the number -1."#),
      (#""mode": "fats""#, #""mode": expected "fast" or "slow", found the string "fats"."#),
      (#""on": 1"#, #""on": expected true or false, found the number 1."#),
      (#""tags": ["a", 1]"#, #""tags", entry 2: expected a string, found the number 1."#),
      (#""tags": "a""#, #""tags": expected a list of strings, found the string "a"."#),
      (
        #""environment": {"A": 1}"#,
        #""A" in "environment": expected a string, found the number 1."#
      ),
      (#""app": {}"#, #""app": expected a string or a list of strings, found an object."#),
      (#""app": [1]"#, #""app", entry 1: expected a string, found the number 1."#),
    ])
  func values(member: String, message: String) {
    let collector = DiagnosticCollector()
    let (node, _) = JSONParser.parse(SourceFile(path: "f", text: "{\(member)}"))
    if let node { _ = ObjectReader(node, Self.shape, collector) }
    #expect(collector.diagnostics.first?.message == message)
  }
}
