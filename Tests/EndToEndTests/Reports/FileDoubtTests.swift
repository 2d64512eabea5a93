import Foundation
import TestSupport
import Testing

@Suite("What a run shows of the files that a scenario names", .waitsForPrograms)
struct FileDoubtTests {
  private static let module = #"""
    {
      "modules": [
        {
          "id": "A",
          "layout": "list",
          "items": [
            {
              "id": "A-1",
              "title": "Oat drink",
              "price": "11900"
            }
          ]
        }
      ]
    }
    """#
  private static let stubs = #"""
    {"mappings": [
      {"request": {"host": "dapi.kakao.com", "urlPath": "/v3/search/book",
        "queryParameters": {"query": {"equalTo": "swift"}, "page": {"equalTo": "2"}}},
       "response": {"jsonBody": {"meta": {}, "documents": []}}},
      {"request": {"host": "dapi.kakao.com", "urlPath": "/v3/search/book",
        "queryParameters": {"query": {"equalTo": "kotlin"}}},
       "response": {"body": "{\"meta\": {\"is_end\": 1}}"}}
    ]}
    """#
  private static let search = #"""
    {"typeText": "swift", "into": "searchField"}, {"tap": "searchButton"}
    """#

  private func folder(_ scenarios: [String: String]) throws -> FileFolder {
    let app = BuiltProgram.path(of: "demo-app")
    var files = [
      ".scenario-run.json": #"{"app": "\#(app)", "tracking": ["ad.example.com"]}"#,
      "Fixtures/Module.json": Self.module, "Fixtures/Books.json": Self.stubs,
      "Fixtures/Other.json": #"{"request": {"urlPath": "/nothing"}, "response": {}}"#,
      "Fixtures/Old.har": #"""
      {"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z",
        "request": {"method": "GET", "url": "https://old.example.com/"},
        "response": {"status": 200, "headers": [], "content": {"text": "{}"}}}]}}
      """#,
    ]
    for (name, text) in scenarios { files[name] = text }
    return try FileFolder(files)
  }

  @Test("a fixture that can't be decoded is told with place, line and caret, in every output")
  func undecodable() throws {
    let folder = try folder([
      "a.json": #"""
      {"fixtures": {"FakeSearchResultResponse": "Module.json"}, "actions": [
        {"waitForExistence": "MyItemCell"}], "expected": []}
      """#
    ])
    defer { folder.remove() }
    let outcome = try folder.run(
      ["a.json", "--junit", "j.xml", "--html", "h.html", "--ctrf", "c.json", "--events", "e.jsonl"])
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.contains(
        #"""
          Fixtures/Module.json:10:20
            warning: "price": expected a number, found a string
              10 |           "price": "11900"
                 |                    ^^^^^^^
            received during the launch
        """#), "\(outcome.output)")
    for report in ["j.xml", "h.html", "c.json", "e.jsonl"] {
      let text = try folder.text(report)
      #expect(text.contains("expected a number, found a string"), "\(report)")
      #expect(text.contains("^^^^^^^"), "\(report)")
      #expect(text.contains("Fixtures/Module.json"), "\(report)")
    }
  }

  @Test(
    "a scenario says what data that can't be decoded does to it",
    arguments: [("allow", 0, "1 passed in"), ("warn", 0, "1 warning"), ("fail", 1, "1 failed in")])
  func policy(policy: String, code: Int32, output: String) throws {
    let folder = try folder([
      "a.json": #"""
      {"stubs": "Books.json", "arguments": ["-screen", "books"], "undecodable": "\#(policy)",
       "actions": [{"typeText": "kotlin", "into": "searchField"}, {"tap": "searchButton"}],
       "expected": []}
      """#
    ])
    defer { folder.remove() }
    let outcome = try folder.run(["a.json", "-v"])
    #expect(outcome.exitCode == code)
    #expect(outcome.output.contains(output), "\(outcome.output)")
    // In a string of the stub: the value itself.
    let place = #"Fixtures/Books.json:7:50: "is_end": expected true or false, found a number"#
    #expect(outcome.output.contains("couldn't decode " + place), "\(outcome.output)")
  }

  @Test("what was never used is a warning, and fails under --strict")
  func unused() throws {
    let folder = try folder([
      "a.json": #"""
      {"fixtures": {"FakeSearchResponse": "Module.json"},
       "stubs": ["Books.json", "Other.json", "Old.har"], "arguments": ["-screen", "books"],
       "undecodable": "allow",
       "actions": [{"typeText": "kotlin", "into": "searchField"}, {"tap": "searchButton"}],
       "expected": []}
      """#
    ])
    defer { folder.remove() }
    let outcome = try folder.run(["a.json"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("3 warnings"))
    #expect(outcome.output.contains("Nothing of \"Other.json\" was used."))
    #expect(outcome.output.contains("Nothing of \"Old.har\" was used."))
    #expect(outcome.output.contains("never asked for the launch key \"FakeSearchResponse\"."))
    #expect(!outcome.output.contains("\"Books.json\" was used"))
    #expect(try folder.run(["a.json", "--strict"]).exitCode == 1)
  }

  @Test("the cases of a table are judged together, and only where all of them run")
  func table() throws {
    let folder = try folder([
      "a.json": #"""
      {"stubs": ["Books.json", "Other.json"], "arguments": ["-screen", "books"],
       "undecodable": "allow", "unexpected": "allow", "cases": [
        {"query": "kotlin"},
        {"query": "cobol"}],
       "actions": [{"typeText": "${query}", "into": "searchField"}, {"tap": "searchButton"}],
       "expected": []}
      """#
    ])
    defer { folder.remove() }
    let outcome = try folder.run(["a.json", "--jobs", "1"])
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("2 passed (1 with warnings)"), "\(outcome.output)")
    #expect(outcome.output.contains("the 2 cases.)"))
    #expect(!outcome.output.contains("\"Books.json\" was used"))
    #expect(try folder.run(["a.json:4"]).output.hasPrefix("passed"))
    #expect(try folder.run(["a.json:4", "--strict"]).exitCode == 0)
    #expect(try folder.run(["a.json", "--strict"]).exitCode == 1)
  }

  @Test("a request without a stub is told with the nearest one, and in what it differs")
  func nearest() throws {
    let folder = try folder([
      "a.json": #"""
      {"stubs": "Books.json", "arguments": ["-screen", "books"],
       "actions": [\#(Self.search)], "expected": []}
      """#,
      "b.json": #"""
      {"stubs": "Books.json", "arguments": ["-screen", "books"],
       "actions": [\#(Self.search)], "expected": [{"host": "dapi.kakao.com", "count": 1}]}
      """#,
    ])
    defer { folder.remove() }
    let nearest = #"no stub; nearest: Books.json:2, parameter page: wanted "2", got "1""#
    let failed = try folder.run(["a.json", "--html", "h.html", "--events", "e.jsonl"])
    #expect(failed.exitCode == 1)
    #expect(failed.output.contains(nearest), "\(failed.output)")
    #expect(
      failed.output.contains(
        "the app asked for launch keys that nobody gave: FakeSearchResultResponse"))
    #expect(try folder.text("h.html").contains("nearest: Books.json:2, parameter page"))
    #expect(try folder.text("e.jsonl").contains(#""nearestStub":{"path":"Books.json","line":2"#))
    let passed = try folder.run(["b.json", "-v"])
    #expect(passed.exitCode == 0)
    #expect(passed.output.contains("\n      " + nearest), "\(passed.output)")
  }
}
