import Foundation
import JSON
import ScenarioAuthoring
import ScenarioCore
import SourceText
import Testing

@Suite("A scenario's text is edited") struct ScenarioEditTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var after: String
    var edit: @Sendable (inout ScenarioEdit) -> Void

    var testDescription: String { name }
  }

  private static let one: JSONValue = ["url": "https://a.example.com/x", "count": 1]
  private static let two: JSONValue = ["url": "https://a.example.com/y", "count": 2]
  private static let long: JSONValue = [
    "method": "POST", "url": "https://track.example.com/events?of=a-long-session",
    "bodyPatterns": [["equalToJson": ["events": [["name": "link", "parameters": ["a": 1]]]]]],
    "count": 1,
  ]

  static let cases: [Case] = [
    Case(
      name: "sends nothing, in the action's line",
      before: #"{ "actions": [{ "tap": "a" }], "expected": [] }"#,
      after: #"{ "actions": [{ "tap": "a", "sends": [] }], "expected": [] }"#
    ) { $0.setSends(ListChange(), ofActionAt: [0]) },
    Case(
      name: "a long list gets lines of its own",
      before: """
        {
          "actions": [
            { "tap": "SearchResultViewController/MyItemCell[0]/cartButton" }
          ],
          "expected": []
        }
        """,
      after: """
        {
          "actions": [
            { "tap": "SearchResultViewController/MyItemCell[0]/cartButton",
              "sends": [
                { "method": "POST", "url": "https://track.example.com/events?of=a-long-session",
                  "bodyPatterns": [
                    { "equalToJson": { "events": [{ "name": "link", "parameters": { "a": 1 } }] } }
                  ],
                  "count": 1 },
                { "url": "https://a.example.com/x", "count": 1 }
              ] }
          ],
          "expected": []
        }
        """
    ) { $0.setSends(ListChange(added: [long, one]), ofActionAt: [0]) },
    Case(
      name: "comments, trailing commas and odd layouts stay",
      before: """
        {
          // What the user does.
          "actions": [
            /* first */ { "tap": "a", // the button
              "name": "b" // its name
            },
          ],
          "expected": [
            { "url": "/a", "count": 1 }, // one
            // two
            { "url": "/b", "count": 1 }, // of b
            { "url": "/c", "count": 1 } // last
          ]
        }
        """,
      after: """
        {
          // What the user does.
          "actions": [
            /* first */ { "tap": "a", // the button
              "name": "b", // its name
              "sends": []
            },
          ],
          "expected": [
            { "url": "/a", "count": 3 }, // one
            // two
            { "url": "/c", "count": 1 }, // last
            { "url": "https://a.example.com/x", "count": 1 }
          ]
        }
        """
    ) {
      $0.setSends(ListChange(), ofActionAt: [0])
      $0.setExpected(ListChange(entries: [0: .counted(3), 1: .removed], added: [one]))
    },
    Case(
      name: "the last entries go with the comma before them",
      before: """
        { "actions": [], "expected": [
            { "url": "/a", "count": 1 },
            { "url": "/b", "count": 1 },
            { "url": "/c", "count": 1 }
        ] }
        """,
      after: """
        { "actions": [], "expected": [
            { "url": "/a", "count": 1 }
        ] }
        """
    ) { $0.setExpected(ListChange(entries: [1: .removed, 2: .removed])) },
    Case(
      name: "a launch is added before the first action",
      before: """
        {
          "actions": [
            // taps
            { "tap": "a" },
            { "repeat": 2, "actions": [{ "tap": "b" }] }
          ],
          "expected": []
        }
        """,
      after: """
        {
          "volatileParameters": ["t"],
          "actions": [
            { "launch": true, "sends": [{ "url": "https://a.example.com/x", "count": 1 }] },
            // taps
            { "tap": "a" },
            { "repeat": 2, "actions": [{ "tap": "b", "sends": [] }], "sends": [] }
          ],
          "expected": []
        }
        """
    ) {
      $0.setLaunchSends(ListChange(added: [one]))
      $0.setSends(ListChange(), ofActionAt: [2])
      $0.setSends(ListChange(), ofActionAt: [2, 0])
      $0.addVolatileParameters(["t"])
      $0.addVolatileParameters(["t"])
    },
    Case(
      name: "a list in one line is laid out anew when it grows",
      before: """
        {
          "actions": [{ "tap": "a",
            "sends": [{ "url": "https://a.example.com/some/longer/path?with=parameters", "count": 1 }] }],
          "expected": [{ "url": "/a", "count": 1 }]
        }
        """,
      after: """
        {
          "actions": [{ "tap": "a",
            "sends": [
              { "url": "https://a.example.com/some/longer/path?with=parameters", "count": 1 },
              { "url": "https://a.example.com/y", "count": 2 }
            ] }],
          "expected": [{ "url": "/a", "count": 1 }, { "url": "https://a.example.com/y", "count": 2 }]
        }
        """
    ) {
      $0.setSends(ListChange(added: [two]), ofActionAt: [0])
      $0.setExpected(ListChange(added: [two]))
    },
    Case(
      name: "what was one line is indented as what it becomes",
      before: """
        { "fixtures": { "Key": "SomeFile.json" }, "actions": [ { "tap": "a/cartButton" }, { "tap": "b" } ] }
        """,
      after: """
        { "fixtures": { "Key": "SomeFile.json" }, "actions": [
          { "launch": true, "sends": [] },
          { "tap": "a/cartButton",
            "sends": [{ "url": "https://a.example.com/x", "count": 1 }] },
          { "tap": "b",
            "sends": [{ "url": "https://a.example.com/x", "count": 1 }] }
        ] }
        """
    ) {
      $0.setSends(ListChange(added: [one]), ofActionAt: [0])
      $0.setSends(ListChange(added: [one]), ofActionAt: [1])
      $0.setLaunchSends(ListChange())
    },
    Case(
      name: "what is added comes behind a comment of several lines, not into it",
      before: """
        {
          "actions": [],
          "expected": [
            { "url": "/a", "count": 1 }, /* one
            and more */
          ]
        }
        """,
      after: """
        {
          "actions": [],
          "expected": [
            { "url": "/a", "count": 1 },
            { "url": "https://a.example.com/x", "count": 1 }, /* one
            and more */
          ]
        }
        """
    ) { $0.setExpected(ListChange(added: [one])) },
    Case(
      name: "comments in the line of a list stay with it",
      before: """
        {
          "actions": [], // none
          "expected": [ /* all */ { "url": "/a", "count": 1 }, { "url": "/b", "count": 1 }, // two
            // no more
            { "url": "/c", "count": 1 } ]
        }
        """,
      after: """
        {
          "actions": [], // none
          "expected": [ /* all */ { "url": "/b", "count": 1 }, // two
            { "url": "https://a.example.com/x", "count": 1 }
            // no more
            ]
        }
        """
    ) { $0.setExpected(ListChange(entries: [0: .removed, 2: .removed], added: [one])) },
    Case(
      name: "expected is added where it is absent",
      before: "{\n  \"actions\": [\n    { \"tap\": \"a\" }\n  ]\n}\n",
      after: """
        {
          "actions": [
            { "tap": "a" }
          ],
          "expected": [{ "url": "https://a.example.com/x", "count": 1 }]
        }

        """
    ) { $0.setExpected(ListChange(added: [one])) },
  ]

  @Test("and only what changes is touched", arguments: cases)
  func edits(example: Case) throws {
    var edit = try #require(ScenarioEdit(SourceFile(path: "a.json", text: example.before)))
    example.edit(&edit)
    #expect(edit.file.text(in: edit.file.bytes.indices) == example.after)
  }

  @Test("and keeps Windows line ends")
  func windowsLines() throws {
    let text =
      "{\r\n  \"actions\": [\r\n    { \"tap\": \"a\" }\r\n  ],\r\n  \"expected\": []\r\n}\r\n"
    var edit = try #require(ScenarioEdit(SourceFile(path: "a.json", text: text)))
    edit.setLaunchSends(ListChange())
    let edited = edit.file.text(in: edit.file.bytes.indices)
    #expect(edited.contains("[\r\n    { \"launch\": true, \"sends\": [] },\r\n    { \"tap\""))
    #expect(!edited.replacing("\r\n", with: "").contains("\n"))
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Scenarios").standardizedFileURL.path(percentEncoded: false)

  static let scenarios =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()

  @Test(
    "and each third example is then the same scenario with the new keys",
    arguments: stride(from: 0, to: scenarios.count, by: 3).map { scenarios[$0] })
  func examples(name: String) throws {
    let text = try String(contentsOfFile: Self.folder + "/" + name, encoding: .utf8)
    let file = SourceFile(path: name, text: text)
    var edit = try #require(ScenarioEdit(file))
    var wanted = JSONValue(edit.root)
    let count = edit.root["actions"]?.arrayValue?.count ?? 0
    for index in 0..<count where edit.action(at: [index])?["expectRequests"] == nil {
      edit.setSends(ListChange(added: [Self.long, Self.one]), ofActionAt: [index])
      Self.change(&wanted, ["actions", "\(index)", "sends"]) { $0 + [Self.long, Self.one] }
    }
    edit.setExpected(ListChange(added: [Self.two]))
    Self.change(&wanted, ["expected"]) { $0 + [Self.two] }
    let hadLaunch = edit.hasLaunch
    edit.setLaunchSends(ListChange(added: [Self.one]))
    if hadLaunch {
      Self.change(&wanted, ["actions", "0", "sends"]) { $0 + [Self.one] }
    } else {
      Self.change(&wanted, ["actions"]) { [["launch": true, "sends": [Self.one]]] + $0 }
    }
    edit.addVolatileParameters(["t", "u"])
    Self.change(&wanted, ["volatileParameters"]) { $0 + ["t", "u"] }
    #expect(JSONValue(edit.root) == wanted)
    let edited = edit.file.text(in: edit.file.bytes.indices)
    for line in text.split(separator: "\n") where line.contains("//") && !line.contains("://") {
      #expect(edited.contains(line), "the comment \(line)")
    }
    let longest = edited.split(separator: "\n").map(\.count).max() ?? 0
    let before = text.split(separator: "\n").map(\.count).max() ?? 0
    // A comma that another key needs may come to a full line.
    #expect(longest <= max(JSONLayout.width, before) + 1)
  }

  private static func change(
    _ value: inout JSONValue, _ path: [String], _ change: ([JSONValue]) -> [JSONValue]
  ) {
    guard let key = path.first else {
      value = .array(change(value.array ?? []))
      return
    }
    let rest = Array(path.dropFirst())
    if var elements = value.array, let index = Int(key) {
      self.change(&elements[index], rest, change)
      value = .array(elements)
    } else if var object = value.object {
      var inner = object[key] ?? []
      self.change(&inner, rest, change)
      object[key] = inner
      value = .object(object)
    }
  }
}
