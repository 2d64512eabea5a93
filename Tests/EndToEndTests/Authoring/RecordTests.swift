import Foundation
import JSON
import SourceText
import TestSupport
import Testing

@Suite("record drafts, review decides", .waitsForPrograms)
struct RecordTests {
  private static let tap = """
    {
      // The cart of an ad.
      "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
      "actions": [
        { "tap": "MyItemCell[0]/cartButton" }
      ],
      "expected": []
    }

    """

  @Test("A draft is made beside the scenario, accepted, and then there is nothing to draft")
  func acceptance() throws {
    let folder = try FileFolder.ofExample(["a.json": Self.tap])
    defer { folder.remove() }
    let record = try folder.run(["record", "a.json"])
    #expect(record.exitCode == 1, "\(record.output)\(record.errors)")
    #expect(
      record.output == """
        a.json: 3 differences, drafted in a.json.pending
          1. the launch sends nothing
          2. action 1, tap MyItemCell[0]/cartButton, sends
               + https://ad.example.com/click
               + parameter ad: A-1
               + parameter area: cart
               + count: 1
          3. the scenario: sent, and not expected so far
               + https://ad.example.com/click
               + parameter ad: A-1
               + parameter area: cart
               + count: 1
        Continue with scenario-run review a.json

        """)
    #expect(try folder.text("a.json") == Self.tap)
    #expect(try folder.run(["a.json"]).exitCode == 1, "runs ignore drafts")
    let validate = try folder.run(["validate", "a.json"])
    #expect(validate.exitCode == 0 && validate.errors.contains("review a.json"))
    #expect(try folder.run(["validate", "a.json", "--no-pending"]).exitCode == 3)
    #expect(try folder.run(["a.json", "--no-pending"]).exitCode == 3)
    let review = try folder.run(["review", "a.json", "--accept"])
    #expect(review.exitCode == 0, "\(review.output)\(review.errors)")
    #expect(review.output == "a.json: 3 accepted, 0 rejected\n")
    #expect(!folder.has("a.json.pending"))
    #expect(
      try folder.text("a.json") == """
        {
          // The cart of an ad.
          "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
          "actions": [
            { "launch": true, "sends": [] },
            { "tap": "MyItemCell[0]/cartButton",
              "sends": [{ "url": "https://ad.example.com/click?ad=A-1&area=cart", "count": 1 }] }
          ],
          "expected": [{ "url": "https://ad.example.com/click?ad=A-1&area=cart", "count": 1 }]
        }

        """)
    #expect(try folder.run(["a.json", "--no-pending"]).exitCode == 0)
    let again = try folder.run(["record", "a.json"])
    #expect(again.exitCode == 0)
    #expect(again.output == "a.json: nothing to draft\n")
  }

  @Test("Differences are decided one by one, by a script")
  func decisions() throws {
    let folder = try FileFolder.ofExample(["a.json": Self.tap])
    defer { folder.remove() }
    _ = try folder.run(["record", "a.json"])
    let list = try folder.run(["review", "--json"])
    #expect(list.exitCode == 1)
    let files = try JSONValue(parsing: list.output.utf8)
    #expect(files.array?.first?["file"] == "a.json")
    #expect(files.array?.first?["differences"]?.array?.count == 3)
    try folder.write(
      """
      [{"file": "a.json", "number": 1, "decision": "reject"},
       {"file": "a.json", "number": 2, "decision": "accept", "volatile": ["area"]}]
      """, to: "decisions.json")
    let review = try folder.run(["review", "--decisions", "decisions.json"])
    #expect(review.exitCode == 1)
    #expect(review.output == "a.json: 2 accepted, 1 rejected, 1 left\n", "\(review.errors)")
    let text = try folder.text("a.json")
    #expect(
      text.contains(#""sends": [{ "url": "https://ad.example.com/click?ad=A-1", "count": 1 }]"#))
    #expect(text.contains(#""volatileParameters": ["area"]"#))
    #expect(!text.contains("launch"))
    #expect(try folder.run(["review", "a.json", "--reject"]).exitCode == 0)
    #expect(try folder.text("a.json") == text)
    #expect(!folder.has("a.json.pending"))
  }

  /// Gives a program a terminal.
  private static let script = "/usr/bin/script"

  @Test(
    "Differences are decided one by one, in a terminal",
    .enabled(
      if: FaultMachine.isLinux && FileManager.default.isExecutableFile(atPath: script),
      "the script of util-linux is not here"))
  func terminal() throws {
    let written = #"{ "url": "https://ad.example.com/click?ad=A-1&area=item", "count": 1 } // why"#
    let scenario = Self.tap.replacing(
      #"cartButton" }"#, with: "cartButton\",\n      \"sends\": [\n        \(written)\n      ] }")
    let folder = try FileFolder.ofExample(["a.json": scenario])
    defer { folder.remove() }
    _ = try folder.run(["record", "a.json"])
    try folder.write("what\nr\nvolatile area\naccept\nskip\n", to: "answers")
    let review = try folder.shell(
      "script=\(Self.script); $script -qec \"'$RUN' review a.json\" /dev/null < answers")
    let output = review.output.replacing("\r", with: "")
    #expect(output.contains("The first letter is enough, except for all."))
    #expect(output.contains("action 1, tap MyItemCell[0]/cartButton: changed"), "\(output)")
    #expect(output.contains("a.json: 2 accepted, 1 rejected, 1 left"), "\(output)")
    let text = try folder.text("a.json")
    #expect(text.contains(#"{ "url": "https://ad.example.com/click?ad=A-1", "count": 1 } // why"#))
    #expect(text.contains(#""volatileParameters": ["area"]"#))
    #expect(try folder.text("a.json.pending").contains(#""expected": [{ "url": "#))
  }

  /// Two links, and a decoder of what they track.
  static let links = """
    {
      "arguments": ["-screen", "home"],
      "decoders": {
        "track": {
          "request": { "method": "POST", "url": "https://track.example.com/events" },
          "each": "$.body.events[*]", "name": "$.name"
        }
      },
      "actions": [
        { "openURL": "sopt://home" },
        { "openURL": "sopt://home/poke" },
        { "advanceClock": 10 }
      ],
      "expected": []
    }

    """

  @Test("Events are drafted by their names and members, at the action that sent them")
  func events() throws {
    let folder = try FileFolder.ofExample(["a.json": Self.links])
    defer { folder.remove() }
    let record = try folder.run(["record", "a.json"])
    #expect(record.exitCode == 1, "\(record.output)\(record.errors)")
    #expect(
      record.output.contains(
        """
          4. action 3, advanceClock 10, sends
               + event: link
               + in: track
               + parameters.link: home
               + count: 1

        """), "\(record.output)")
    #expect(!record.output.contains("bodyPatterns"))
    #expect(try folder.run(["review", "a.json", "--accept"]).exitCode == 0)
    let run = try folder.run(["a.json"])
    #expect(run.exitCode == 0, "\(run.output)")
    let text = try folder.text("a.json")
    let expectation =
      #"{ "event": "link", "in": "track", "where": { "parameters.link": "home/poke" }, "count": 1 }"#
    #expect(text.ranges(of: expectation).count == 2, "\(text)")
    #expect(try folder.run(["record", "a.json"]).output == "a.json: nothing to draft\n")
  }

  @Test("What varies in events, and what is secret, is left out")
  func volatileEvents() throws {
    let query = "name=Seen&ad=A-1&token=x&r='$(date +%N)'"
    let scenario = #"""
      {"app": "./\#(CommandApp.name)",
       "decoders": {"own": {"request": {"urlPath": "/e"}, "name": "$.query.name", "id": "$.query.id"}},
       "actions": [{"perform": "run", "with": {"command": "record '{~url~:~https://t.example.com/e?\#(query)~,~action~:1}'"}}]}
      """#
    let folder = try FileFolder.ofExample(["a.json": scenario])
    defer { folder.remove() }
    try folder.write(CommandApp.text, to: CommandApp.name)
    #expect(chmod(folder.path + "/" + CommandApp.name, 0o755) == 0)
    let record = try folder.run(["record", "a.json"])
    #expect(record.exitCode == 1, "\(record.output)\(record.errors)")
    _ = try folder.run(["review", "a.json", "--accept"])
    let text = try folder.text("a.json")
    #expect(
      text.contains(
        #"{ "event": "Seen", "in": "own", "where": { "query.ad": "A-1" }, "count": 1 }"#),
      "\(text)")
    #expect(try folder.run(["a.json"]).exitCode == 0)
  }

  @Test("What no tracker should get has to be looked at before it is accepted")
  func lint() throws {
    let command = "record '{~url~:~https://t.example.com/e?ad=nil~,~action~:1}'"
    let scenario =
      #"{"app": "./\#(CommandApp.name)", "actions": [{"perform": "run", "with": {"command": "\#(command)"}}]}"#
    let folder = try FileFolder.ofExample(["a.json": scenario])
    defer { folder.remove() }
    try folder.write(CommandApp.text, to: CommandApp.name)
    #expect(chmod(folder.path + "/" + CommandApp.name, 0o755) == 0)
    let record = try folder.run(["record", "a.json"])
    let words =
      #"! parameter ad is "nil", the description of a value that isn't there: leave it out"#
    #expect(record.output.ranges(of: words).count == 2, "\(record.output)")
    let review = try folder.run(["review", "a.json", "--accept"])
    #expect(review.exitCode == 1 && review.output.contains(words), "\(review.output)")
    #expect(try !folder.text("a.json").contains("\"url\""))
    try folder.write(#"{"lint": {"nil": "off"}}"#, to: ".scenario-run.json")
    #expect(try folder.run(["review", "a.json", "--accept"]).exitCode == 0)
  }

  @Test("What one action sends twice has to be looked at before it is accepted")
  func duplicates() throws {
    let line = "record '{~url~:~https://a.example.com/click~,~action~:1}'"
    let folder = try FileFolder([
      CommandApp.name: CommandApp.text,
      "a.json": CommandApp.scenario(["\(line); \(line)"], count: "9"),
    ])
    defer { folder.remove() }
    chmod(folder.path + "/" + CommandApp.name, 0o755)
    let record = try folder.run(["record", "a.json"])
    #expect(record.exitCode == 1, "\(record.errors)")
    #expect(record.output.contains("! sent twice by one action"), "\(record.output)")
    #expect(record.output.contains("~ count: 9 → 2"), "\(record.output)")
    let review = try folder.run(["review", "a.json", "--accept"])
    #expect(review.exitCode == 1)
    #expect(review.output.hasPrefix("a.json: 2 accepted, 0 rejected, 1 left\n"), "\(review.output)")
    #expect(review.output.contains("! sent twice by one action"))
    #expect(try folder.run(["a.json"]).exitCode == 0)
    let forced = try folder.run(["review", "a.json", "--accept", "--force"])
    #expect(forced.exitCode == 0)
    #expect(try folder.text("a.json").contains(#""count": 2"#))
  }

  @Test("A scenario that was changed meanwhile, and a draft that was, are left alone")
  func changes() throws {
    let folder = try FileFolder.ofExample(["a.json": Self.tap])
    defer { folder.remove() }
    _ = try folder.run(["record", "a.json"])
    let draft = try folder.text("a.json.pending")
    try folder.write(Self.tap + "\n", to: "a.json")
    let review = try folder.run(["review", "a.json", "--accept"])
    #expect(review.exitCode == 3)
    #expect(review.errors.contains("a.json has been changed since its draft was made."))
    #expect(try folder.text("a.json") == Self.tap + "\n")
    try folder.write(draft + " ", to: "a.json.pending")
    let record = try folder.run(["record", "a.json"])
    #expect(record.exitCode == 1)
    #expect(record.output.contains("its draft has been changed by hand"))
    #expect(try folder.text("a.json.pending") == draft + " ")
    #expect(try folder.run(["record", "a.json", "--force"]).exitCode == 1)
    #expect(try folder.text("a.json.pending") != draft + " ")
  }

  @Test("A scenario that can't be played to its end isn't recorded")
  func failure() throws {
    let folder = try FileFolder.ofExample([
      "a.json": Self.tap.replacing("cartButton", with: "noButton")
    ])
    defer { folder.remove() }
    let record = try folder.run(["record", "a.json"])
    #expect(record.exitCode == 1)
    #expect(record.output.contains("a.json: not recorded: it can't be played to its end:"))
    // No line is broken.
    #expect(record.output.contains(" is on screen. Closest on screen: "), "\(record.output)")
    #expect(!folder.has("a.json.pending"))
    #expect(try folder.run(["record", "a.json:5"]).exitCode == 2)
    let review = try folder.run(["review", "a.json"])
    #expect(
      review.output
        == "No draft is waiting for review. scenario-run record and import make drafts.\n")
    #expect(try folder.run(["review", "b.json"]).exitCode == 2)
  }

  @Test("Of every 24th example, what is taken away is drafted again so that it passes")
  func examples() throws {
    let package = BuiltProgram.packageFolder.path(percentEncoded: false)
    let folder = try FileFolder.ofExample([:])
    defer { folder.remove() }
    try FileManager.default.copyItem(
      atPath: package + "/Scenarios", toPath: folder.path + "/Scenarios")
    var examples: [(path: String, value: JSONValue)] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Scenarios")
      .sorted()
    where name.hasSuffix(".json") {
      let path = "Scenarios/" + name
      let source = SourceFile(path: path, text: try folder.text(path))
      let value = JSONValue(try #require(JSONParser.parse(source).node))
      guard value["cases"] == nil, value["knownIssue"] == nil, value["decoders"] == nil,
        value["actions"]?.array?.isEmpty == false
      else { continue }
      examples.append((path, value))
    }
    // Each is launched eight times.
    let chosen = examples.enumerated().filter { $0.offset.isMultiple(of: 24) }.map(\.element)
    #expect(chosen.count > 4)
    for example in chosen {
      try folder.write(example.value.withoutExpectations.text(.pretty), to: example.path)
    }
    let stripped = chosen.map(\.path)
    let record = try folder.run(["record"] + stripped)
    #expect(record.exitCode == 1)
    #expect(!record.output.contains("not recorded"), "\(record.output)")
    #expect(!record.output.contains("it still fails"), "\(record.output)")
    let review = try folder.run(["review", "Scenarios", "--accept", "--force"])
    #expect(review.exitCode == 0, "\(review.output)\(review.errors)")
    let run = try folder.run(stripped + ["--no-pending", "--quiet"])
    #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    let again = try folder.run(["record"] + stripped)
    #expect(again.exitCode == 0, "\(again.output)")
  }
}

extension JSONValue {
  /// A scenario without any `sends` and with nothing expected.
  fileprivate var withoutExpectations: JSONValue {
    guard let object else { return array.map { .array($0.map(\.withoutExpectations)) } ?? self }
    return .object(
      JSONObject(
        object.members.filter { $0.key != "sends" }.map { member in
          .init(member.key, member.key == "expected" ? [] : member.value.withoutExpectations)
        }))
  }
}
