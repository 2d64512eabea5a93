import HarnessProtocol
import JSON
import ScenarioAuthoring
import ScenarioCore
import SourceText
import Testing

@Suite("A scenario that was played")
struct PlayedScenarioTests {
  private func text(
    _ base: String, keeping kept: Int = 0, _ added: [JSONValue],
    sent: [(id: Int, url: String)] = []
  ) throws -> String {
    let file = SourceFile(path: "a.json", text: base)
    let played = try #require(PlayedScenario(file, keeping: kept, adding: added))
    var decoder = ScenarioDecoder(files: NoFiles())
    decoder.allowsNothing = true
    let output = decoder.decode(played.actionsOnly)
    #expect(output.diagnostics.map(\.message) == [])
    let scenario = try #require(output.scenarios.first)
    var trace = Trace(.requests)
    trace.begin(.launch, id: 0)
    for step in scenario.steps { trace.begin(.step(StepReference(step)), id: step.id) }
    trace.begin(.shutdown, id: scenario.steps.count + 1)
    for (id, url) in sent { trace.add(RecordedRequest(url: url, action: id)) }
    let written = played.withExpectations(scenario, trace)
    #expect(!decoder.decode(written).hasErrors)
    return String(decoding: written.bytes, as: UTF8.self)
  }

  @Test("that is new has what the launch and each action sent")
  func new() throws {
    #expect(
      try text(
        "{\n  \"actions\": []\n}\n", [["tap": "a"], ["assertExists": "b"], ["background": true]],
        sent: [(0, "https://a.example/l"), (1, "https://a.example/t"), (1, "https://a.example/t")])
          == """
          {
            "actions": [
              { "launch": true, "sends": [{ "url": "https://a.example/l", "count": 1 }] },
              { "tap": "a", "sends": [{ "url": "https://a.example/t", "count": 2 }] },
              { "assertExists": "b" },
              { "background": true, "sends": [] }
            ]
          }

          """)
  }

  @Test("keeps what it says already, and has nothing of the launch then")
  func kept() throws {
    let base = """
      { // A comment.
        "actions": [
          { "tap":   "a" }, // as it is
          { "tap": "z" }
        ],
        "expected": [ { "urlPath": "/t", "count": 1 } ]
      }
      """
    #expect(
      try text(base, keeping: 1, [["tap": "b"]], sent: [(0, "https://a.example/l")]) == """
        { // A comment.
          "actions": [
            { "tap":   "a" }, // as it is
            { "tap": "b", "sends": [] }
          ],
          "expected": [ { "urlPath": "/t", "count": 1 } ]
        }
        """)
  }

  @Test("expects what the end of the app sent, with the counts of the whole run, once")
  func end() throws {
    let added: [JSONValue] = [["tap": "b"]]
    let sent = [(1, "https://a.example/x"), (2, "https://a.example/x"), (2, "https://a.example/y")]
    let expected = #"{ "url": "https://a.example/x", "count": 2 }"#
    let text = try text(#"{ "actions": [{ "tap": "a" }] }"#, keeping: 1, [], sent: sent)
    #expect(
      text.contains(expected) && text.contains(#"{ "url": "https://a.example/y", "count": 1 }"#))
    let known = #"{"actions": [], "expected": [{"count": 7, "url": "https://a.example/x"}]}"#
    #expect(try !self.text(known, added, sent: sent).contains(expected))
  }

  @Test("leaves `sends` that were typed as they are")
  func untouched() throws {
    let action: JSONValue = ["tap": "b", "sends": [["url": "https://t.example/", "count": 3]]]
    let text = try text(#"{"actions": []}"#, [action], sent: [(1, "https://t.example/")])
    #expect(text.contains(#""count": 3"#) && !text.contains(#""count": 1"#))
  }
}
