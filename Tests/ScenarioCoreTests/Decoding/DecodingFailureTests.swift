import HarnessProtocol
import JSON
import ScenarioCore
import ScenarioReporting
import SourceText
import Testing

@Suite("What an app couldn't decode is told with its place")
struct DecodingFailureTests {
  private static let module = """
    {
      "title": "A",
      "items": [
        { "name": "B", "price": 3 },
        { "name": "C", "price": "4" }
      ]
    }
    """
  private static let stubs = #"""
    { "mappings": [
      { "request": { "urlPath": "/a" }, "response": { "jsonBody": { "id": "one" } } },
      { "request": { "urlPath": "/b" }, "responses": [
        { "body": "{\"id\": 1}" }, { "body": "{\"name\": \"\u00fc\", \"id\": \"two\"}" },
        { "body": "[1, 2" } ] }
    ] }
    """#
  private static let capture = #"""
    { "log": { "entries": [
      { "request": { "method": "GET", "url": "https://h/a" },
        "response": { "status": 200, "content": { "text": "{\"id\":\"x\"}" } } } ] } }
    """#

  private static let files: FilesInMemory = {
    var files = FilesInMemory()
    files.contents = [
      "Fixtures/m.json": module, "Fixtures/s.json": stubs, "Fixtures/c.har": capture,
      "Fixtures/broken.json": "{ \"a\": [1,, 2] }",
    ]
    return files
  }()

  private func told(_ failure: JSONValue) -> String {
    let locator = DecodingFailureLocator(
      FixturesFolder(path: "Fixtures", files: Self.files), shownFolder: "Shown")
    return DiagnosticRenderer().render([locator.diagnostic(for: DecodingFailure(failure))])
  }

  private static func offset(of text: String, in file: String) -> JSONValue {
    .integer(file.utf8.count - (file.components(after: text)?.utf8.count ?? 0))
  }

  @Test(
    "in a file, a stub, a string of a stub, and a capture",
    arguments: [
      (
        ["file": "m.json", "path": ["items", 1, "price"], "expected": "number", "message": "no"],
        """
        Shown/m.json:5:29: warning: "price": expected a number, found a string
           5 |     { "name": "C", "price": "4" }
             |                             ^^^
        """
      ),
      (
        ["file": "m.json", "path": ["items", 0], "missing": "prise", "message": "no"],
        """
        Shown/m.json:4:5: warning: entry 1 of "items": "prise" is missing
           4 |     { "name": "B", "price": 3 },
             |     ^ did you mean "price"?
        """
      ),
      (
        ["file": "m.json", "path": ["title"], "message": "It isn't a date."],
        """
        Shown/m.json:2:12: warning: "title": It isn't a date.
           2 |   "title": "A",
             |            ^^^
        """
      ),
      (
        ["file": "broken.json", "path": [], "message": "no"],
        """
        Shown/broken.json:1:11: warning: This isn't valid JSON, so the app couldn't decode it. \
        This comma is one too many.
        """
      ),
      (
        [
          "file": "s.json", "offset": offset(of: "\"/a\"", in: stubs), "path": ["id"],
          "expected": "number", "message": "no",
        ],
        """
        Shown/s.json:2:71: warning: "id": expected a number, found a string
        """
      ),
      (
        [
          "file": "s.json", "offset": offset(of: "\"/b\"", in: stubs), "response": 1,
          "path": ["id"], "expected": "number", "message": "no",
        ],
        #"""
        Shown/s.json:4:74: warning: "id": expected a number, found a string
           4 |     { "body": "{\"id\": 1}" }, { "body": "{\"name\": \"\u00fc\", \"id\": \"two\"}" },
             |                                                                          ^^^^^^^
        """#
      ),
      (
        [
          "file": "s.json", "offset": offset(of: "\"/b\"", in: stubs), "response": 2,
          "path": [], "message": "no",
        ],
        "Shown/s.json:5:"
      ),
      (
        [
          "file": "c.har", "offset": offset(of: "\"url\"", in: capture), "path": ["id"],
          "expected": "boolean", "message": "no",
        ],
        #"""
        Shown/c.har:3:64: warning: "id": expected true or false, found a string
        """#
      ),
      (
        ["file": "gone.json", "path": [], "message": "odd"],
        "gone.json: warning: The app couldn't decode what it got: odd"
      ),
      (
        ["file": "../m.json", "message": "odd"],
        "../m.json: warning: The app couldn't decode what it got: odd"
      ),
    ] as [(JSONValue, String)])
  func place(failure: JSONValue, text: String) {
    let told = told(failure)
    #expect(told.hasPrefix(text), "\(told)")
  }

  @Test("it is what was sent")
  func roundTrip() {
    var failure = DecodingFailure(message: "no")
    failure.file = "m.json"
    failure.offset = 3
    failure.response = 1
    failure.path = [.key("a"), .index(2)]
    failure.expected = .list
    failure.missingKey = "b"
    #expect(DecodingFailure(failure.json) == failure)
  }
}

extension String {
  /// What follows the first occurrence of a text.
  fileprivate func components(after text: String) -> Substring? {
    firstRange(of: text).map { self[$0.upperBound...] }
  }
}
