import HarnessProtocol
import JSON
import ScenarioAuthoring
import ScenarioCore
import SourceText
import Testing

@Suite("What a scenario should expect is drafted from what it sent") struct ScenarioDraftingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var scenario: String
    /// Of each case: the requests of its runs, `action URL [method] [body:…]`.
    var runs: [(first: [String], second: [String])]
    /// The lines of the draft that differ.
    var lines: [String]
    var unshared: [String] = []

    var testDescription: String { name }

    init(
      _ name: String, _ scenario: String, _ requests: [String], second: [String]? = nil,
      lines: [String]
    ) {
      self.name = name
      self.scenario = scenario
      runs = [(requests, second ?? requests)]
      self.lines = lines
    }

    init(
      _ name: String, _ scenario: String, cases: [[String]], lines: [String],
      unshared: [String] = []
    ) {
      self.name = name
      self.scenario = scenario
      runs = cases.map { ($0, $0) }
      self.lines = lines
      self.unshared = unshared
    }
  }

  static let cases: [Case] = [
    Case(
      "Each action says what it sends, also the launch",
      """
      {
        "actions": [
          { "tap": "a" },
          { "assertExists": "b" },
          { "repeat": 2, "actions": [{ "tap": "c" }] },
          { "expectRequests": [{ "url": "/x", "count": 0 }] }
        ],
        "expected": []
      }
      """,
      ["0 https://a.example.com/start", "1 https://a.example.com/a", "1 https://a.example.com/a"]
        + [
          "3 https://a.example.com/c POST body:{\"n\":1}",
          "4 https://a.example.com/c POST body:{\"n\":1}",
        ],
      lines: [
        #"    { "launch": true, "sends": [{ "url": "https://a.example.com/start", "count": 1 }] },"#,
        #"    { "tap": "a", "sends": [{ "url": "https://a.example.com/a", "count": 2 }] },"#,
        #"    { "repeat": 2, "actions": [{ "tap": "c" }],"#,
        #"      "sends": [{ "method": "POST", "url": "https://a.example.com/c","#,
        #"        "bodyPatterns": [{ "equalToJson": { "n": 1 } }], "count": 2 }] },"#,
        #"  "expected": ["#,
        #"    { "url": "https://a.example.com/start", "count": 1 },"#,
        #"    { "url": "https://a.example.com/a", "count": 2 },"#,
        #"    { "method": "POST", "url": "https://a.example.com/c","#,
        #"      "bodyPatterns": [{ "equalToJson": { "n": 1 } }], "count": 2 }"#,
        #"  ]"#,
      ]),
    Case(
      "What is met stays, another count is corrected, what isn't sent goes",
      """
      {
        "actions": [
          { "launch": true, "sends": [] },
          { "tap": "a",
            "sends": [
              { "urlPath": "/x", "count": { "atLeast": 1 } }, // any
              { "url": "https://a.example.com/y", "count": 1 },
              { "url": "https://a.example.com/gone", "count": 1 }
            ] }
        ],
        "expected": [{ "host": "a.example.com", "count": 4 }]
      }
      """,
      ["1 https://a.example.com/x?1", "1 https://a.example.com/y", "1 https://a.example.com/y"]
        + ["1 https://a.example.com/z"],
      lines: [
        #"        { "url": "https://a.example.com/y", "count": 2 },"#,
        #"        { "url": "https://a.example.com/z", "count": 1 }"#,
      ]),
    Case(
      "What varies is set aside, and what doesn't is still asked for",
      """
      {
        "actions": [
          { "tap": "a", "sends": [] }
        ],
        "expected": []
      }
      """,
      ["1 https://a.example.com/x?t=1&a=1", "1 https://a.example.com/y?t=1"]
        + ["1 https://a.example.com/u/17/b POST body:{\"id\":\"a\",\"n\":[1,true],\"k\":null}"],
      second: ["1 https://a.example.com/x?t=2&a=1", "1 https://a.example.com/y?t=1"]
        + ["1 https://a.example.com/u/23/b POST body:{\"id\":\"b\",\"n\":[2,true],\"k\":null}"],
      lines: [
        #"  "volatileParameters": ["t"],"#,
        #"    { "launch": true, "sends": [] },"#,
        #"    { "tap": "a", "sends": ["#,
        #"      { "url": "https://a.example.com/x?a=1", "count": 1 },"#,
        #"      { "url": "https://a.example.com/y", "queryParameters": { "t": { "equalTo": "1" } },"#,
        #"        "count": 1 },"#,
        #"      { "method": "POST", "urlPattern": "https://a\\.example\\.com/u/[^/?#]+/b","#,
        ##"        "bodyPatterns": [{ "equalToJson": { "id": "#{json-unit.any-string}","##,
        ##"          "n": ["#{json-unit.any-number}", true], "k": null } }],"##,
        #"        "count": 1 }"#,
        #"    ] }"#,
        #"  "expected": ["#,
        #"    { "url": "https://a.example.com/x?a=1", "count": 1 },"#,
        #"    { "url": "https://a.example.com/y", "queryParameters": { "t": { "equalTo": "1" } },"#,
        #"      "count": 1 },"#,
        #"    { "method": "POST", "urlPattern": "https://a\\.example\\.com/u/[^/?#]+/b","#,
        ##"      "bodyPatterns": [{ "equalToJson": { "id": "#{json-unit.any-string}","##,
        ##"        "n": ["#{json-unit.any-number}", true], "k": null } }],"##,
        #"      "count": 1 }"#,
        #"  ]"#,
      ]),
    Case(
      "No credential is written",
      """
      {
        "actions": [
          { "launch": true }
        ]
      }
      """,
      ["0 https://me:hunter22@a.example.com/x?api_key=k1234&a=1"]
        + ["0 https://a.example.com/y POST body:{\"user\":\"u\",\"accessToken\":\"abc\"}"]
        + ["0 https://a.example.com/z POST body:user=u&password=abc"],
      lines: [
        #"  "volatileParameters": ["api_key"],"#,
        #"    { "launch": true,"#,
        #"      "sends": ["#,
        #"        { "urlPattern": "https://me:[^/?#]+@a\\.example\\.com/x\\?a=1","#,
        #"          "queryParameters": { "api_key": { "matches": ".+" } }, "count": 1 },"#,
        #"        { "method": "POST", "url": "https://a.example.com/y","#,
        #"          "bodyPatterns": ["#,
        ##"            { "equalToJson": { "user": "u", "accessToken": "#{json-unit.any-string}" } }"##,
        #"          ],"#,
        #"          "count": 1 },"#,
        #"        { "method": "POST", "url": "https://a.example.com/z", "count": 1 }"#,
        #"      ] }"#,
        #"  ],"#,
        #"  "expected": ["#,
        #"    { "urlPattern": "https://me:[^/?#]+@a\\.example\\.com/x\\?a=1","#,
        #"      "queryParameters": { "api_key": { "matches": ".+" } }, "count": 1 },"#,
        #"    { "method": "POST", "url": "https://a.example.com/y","#,
        #"      "bodyPatterns": ["#,
        ##"        { "equalToJson": { "user": "u", "accessToken": "#{json-unit.any-string}" } }"##,
        #"      ],"#,
        #"      "count": 1 },"#,
        #"    { "method": "POST", "url": "https://a.example.com/z", "count": 1 }"#,
      ]),
    Case(
      "With cases, what holds for all is drafted, equal values as variables",
      """
      {
        "cases": [
          { "name": "list", "module": "A", "n": 1 },
          { "name": "banner", "module": "BC", "n": 2 }
        ],
        "actions": [
          { "tap": "cell${module}${n}" },
          { "tap": "b" }
        ],
        "expected": []
      }
      """,
      cases: [
        [
          "1 https://a.example.com/A?ad=A-1&x=1", "1 https://a.example.com/n/1",
          "2 https://a.example.com/only",
        ],
        ["1 https://a.example.com/n/2", "1 https://a.example.com/BC?ad=BC-1&x=1"],
      ],
      lines: [
        #"    { "launch": true, "sends": [] },"#,
        #"    { "tap": "cell${module}${n}","#,
        #"      "sends": ["#,
        #"        { "url": "https://a.example.com/${module}?ad=${module}-1&x=1", "count": 1 },"#,
        #"        { "url": "https://a.example.com/n/${n}", "count": 1 }"#,
        #"      ] },"#,
        #"  "expected": ["#,
        #"    { "url": "https://a.example.com/${module}?ad=${module}-1&x=1", "count": 1 },"#,
        #"    { "url": "https://a.example.com/n/${n}", "count": 1 }"#,
        #"  ]"#,
      ],
      unshared: [
        #"s [list] { "url": "https://a.example.com/only", "count": 1 }"#,
        #"s [list] { "url": "https://a.example.com/only", "count": 1 }"#,
      ]),
  ]

  @Test("and everything else stays", arguments: cases)
  func draft(example: Case) throws {
    let file = SourceFile(path: "s.json", text: example.scenario)
    let output = ScenarioDecoder(files: NoFiles()).decode(file)
    try #require(!output.hasErrors, "\(output.diagnostics.map(\.message))")
    let recordings = try zip(output.scenarios, example.runs).map { scenario, runs in
      try #require(
        Recording(
          scenario, Self.trace(runs.first, of: scenario), Self.trace(runs.second, of: scenario),
          secrets: SecretFinder()))
    }
    let drafting = try #require(ScenarioDrafting(file, recordings))
    let text = drafting.file.text(in: drafting.file.bytes.indices)
    let old = example.scenario.split(separator: "\n").map(String.init)
    let new = text.split(separator: "\n").map(String.init)
    let inserted = new.difference(from: old).insertions.map { change in
      if case .insert(_, let line, _) = change { line } else { "" }
    }
    #expect(inserted == example.lines, "\(text)")
    #expect(
      drafting.unshared.map { "\($0.scenario.name) \(JSONLayout.line($0.expectation))" }
        == example.unshared)
    try checkReview(of: drafting.file, for: file)
  }

  /// What is accepted as a whole is the draft; what is rejected leaves the scenario.
  private func checkReview(of draft: SourceFile, for file: SourceFile) throws {
    let review = try DraftReview(of: draft, for: file, secrets: SecretFinder())
    let accepted = try #require(ScenarioEdit(review.applying(review.differences)))
    let whole = try #require(ScenarioEdit(draft))
    #expect(lines(accepted.file).sorted() == lines(whole.file).sorted())
    #expect(review.applying([]).bytes == file.bytes)
    let pending = PendingDraft(
      SourceFile(path: "s.json.pending", bytes: PendingDraft.bytes(of: draft, madeFrom: file)))
    #expect(pending.isUnchanged && pending.isMade(from: file) && !pending.isMade(from: draft))
    #expect(pending.file.bytes == draft.bytes)
  }

  private func lines(_ file: SourceFile) -> [Substring] {
    file.text(in: file.bytes.indices).split(separator: "\n")
  }

  @Test("and runs that send other requests can't be compared")
  func different() throws {
    let file = SourceFile(path: "s.json", text: #"{"actions": [{"tap": "a"}]}"#)
    let scenario = try #require(ScenarioDecoder(files: NoFiles()).decode(file).scenarios.first)
    let recording = Recording(
      scenario, Self.trace(["1 https://a.example.com/x"], of: scenario),
      Self.trace(["1 https://b.example.com/x"], of: scenario), secrets: SecretFinder())
    #expect(recording == nil)
  }

  private static func trace(_ requests: [String], of scenario: Scenario) -> Trace {
    var trace = Trace(.requests)
    trace.begin(.launch, id: 0)
    for step in scenario.steps { trace.begin(.step(StepReference(step)), id: step.id) }
    for text in requests {
      let words = text.split(separator: " ").map(String.init)
      var request = RecordedRequest(url: words[1], method: "GET", action: Int(words[0]))
      for word in words.dropFirst(2) {
        if word.hasPrefix("body:") {
          request.body = Array(word.dropFirst(5).utf8)
        } else {
          request.method = word
        }
      }
      trace.add(request)
    }
    return trace
  }
}

/// No file exists.
struct NoFiles: FileAccess {
  func bytes(ofFile path: String, limitBytes: Int) throws -> [UInt8] { throw FileFault.missing }
  func kind(of path: String) -> FileKind? { nil }
  func resolved(_ path: String) -> String? { path }
  func names(inFolder path: String) -> [String] { [] }
}
