import RequestMatching
import Testing

@testable import StubMappings

@Suite("The stub that was nearest, and the stubs that were never used")
struct NearestStubTests {
  private static let mappings = #"""
    {"mappings": [
      {"name": "items", "request": {"method": "GET", "urlPath": "/items", "queryParameters":
        {"page": {"equalTo": "1"}, "size": {"matches": "[0-9]+"}}}, "response": {}},
      {"request": {"method": "POST", "url": "https://api.example.com/login",
        "bodyPatterns": [{"equalToJson": {"user": "a", "pin": 1}}]}, "response": {}},
      {"name": "cart", "scenarioName": "cart", "requiredScenarioState": "full",
        "request": {"urlPath": "/cart"}, "response": {}}
    ]}
    """#

  @Test(
    "A stub is told with its place and each difference",
    arguments: [
      (
        "GET https://h/items?page=2&size=10", "stubs.json:2 items",
        [Difference(part: .queryParameter("page"), wanted: "1", got: "2")]
      ),
      (
        "GET https://h/items?page=1", "stubs.json:2 items",
        [
          Difference(
            part: .queryParameter("size"), wanted: "matches [0-9]+", got: nil, isCondition: true)
        ]
      ),
      (
        #"PUT https://api.example.com/login -- {"user": "a", "pin": 2}"#, "stubs.json:4",
        [
          Difference(part: .method, wanted: "POST", got: "PUT"),
          Difference(part: .body("$.pin"), wanted: "1", got: "2"),
        ]
      ),
      ("GET https://h/cart", "stubs.json:6 cart in full", []),
    ])
  func stub(_ text: String, _ place: String, _ differences: [Difference]) {
    let nearest = decodedStubs(Self.mappings).set.nearest(to: request(text))
    #expect(nearest.map(\.place) == place)
    #expect(nearest?.differences == differences)
  }

  @Test(
    "Nothing is near to another request altogether",
    arguments: ["GET https://h/weather/today?city=1", "GET https://other.example/"])
  func nothing(_ text: String) {
    #expect(decodedStubs(Self.mappings).set.nearest(to: request(text)) == nil)
  }

  private static let captured = captureText(
    "\n" + entry("https://h/ad?slot=1&q=[a]|b", status: 200),
    "\n" + entry("https://h/ad?slot=2&q=c", status: 200),
    "\n" + entry("https://h/q", method: "POST", body: #"{\"id\": 1, \"on\": true}"#),
    "\n" + entry("https://h/q", method: "POST", body: #"{\"id\": 2, \"on\": false}"#),
    "\n" + entry("https://h/f", method: "PUT", body: "plain"),
    "\n" + entry("https://h/f", method: "PUT"), "\n" + entry("https://h/aborted", status: 0))

  @Test(
    "A captured exchange is told with its line and each difference, as decoded values",
    arguments: [
      (
        "GET https://h/ad?slot=1&q=%5Ba%5D%7Cc", "2 GET https://h/ad?slot=1&q=[a]|b",
        [Difference(part: .queryParameter("q"), wanted: "[a]|b", got: "[a]|c")]
      ),
      (
        "POST https://h/ad?slot=2&q=c", "4 GET https://h/ad?slot=2&q=c",
        [Difference(part: .method, wanted: "GET", got: "POST")]
      ),
      (
        #"POST https://h/q -- {"on": false, "id": 3}"#, "8 POST https://h/q",
        [Difference(part: .body("$.id"), wanted: "2", got: "3")]
      ),
      (
        "PUT https://h/f -- other", "10 PUT https://h/f",
        [Difference(part: .body("$"), wanted: "plain", got: "other")]
      ),
    ])
  func capturedExchange(_ text: String, _ place: String, _ differences: [Difference]) throws {
    let nearest = try capture(Array(Self.captured.utf8)).nearest(to: request(text))
    #expect(nearest.map(\.place) == "x.har:" + place)
    #expect(nearest?.differences == differences)
  }

  @Test("Of a stub and a captured exchange the nearer is told, of equal ones the stub")
  func both() {
    let (set, _) = decodedStubs(Self.captured, Self.mappings)
    let search = NearestStubSearch(set)
    let nearest = ["GET https://h/ad?slot=3&q=c", "GET https://h/items?page=3&size=1"].map {
      search.nearest(to: request($0))?.source.name
    }
    #expect(nearest == ["GET https://h/ad?slot=2&q=c", "items"])
  }

  @Test("A stub and a capture are used once they have answered; a state alone doesn't count")
  func unused() throws {
    let (set, _) = decodedStubs(Self.mappings, Self.captured)
    let replay = StubReplay(set)
    #expect(replay.unused.map(\.line) == [1, 2, 4, 6])
    #expect(try replay.short("GET https://h/cart") == "-")
    #expect(try replay.short("GET https://h/items?page=1&size=2") == "200")
    #expect(replay.unused.map(\.line) == [1, 4, 6])
    #expect(try replay.short("GET https://h/ad?slot=2&q=c") == "200")
    #expect(replay.unused.map(\.line) == [4, 6])
    #expect(replay.unused.map(\.name) == [nil, "cart"])
    #expect(replay.takeUsed().map(\.line) == [1, 2])
    #expect(try replay.short("GET https://h/items?page=1&size=2") == "200")
    #expect(replay.takeUsed().isEmpty)
  }

  @Test("The place of a body is that of the answer that was given, or the file that holds it")
  func bodies() throws {
    let text = #"""
      [{"request": {"urlPath": "/a"}, "responses": [{"body": "one"}, {"jsonBody": {"b": 2}}]},
      {"request": {"urlPath": "/f"}, "response": {"bodyFileName": "body.bin"}}]
      """#
    let (set, _) = decodedStubs(#"{"mappings": \#(text)}"#)
    let replay = StubReplay(set)
    func place(_ body: String) -> BodyPlace? {
      replay.place(ofBody: Array(body.utf8)) { $0 == "body.bin" ? Array("file".utf8) : nil }
    }
    #expect(place("one") == nil)
    _ = try replay.short("GET https://h/a")
    #expect(place("one") == BodyPlace(path: "stubs.json", offset: 14))
    #expect(place(#"{"b":2}"#) == nil)
    _ = try replay.short("GET https://h/a")
    #expect(place(#"{"b":2}"#) == BodyPlace(path: "stubs.json", offset: 14, response: 1))
    _ = try replay.short("GET https://h/f")
    #expect(place("file") == BodyPlace(path: "body.bin"))
    #expect(place("other") == nil)
  }
}

extension NearestStub {
  fileprivate var place: String {
    let name = source.name.map { " " + $0 } ?? ""
    let state = requiredState?.required.map { " in " + $0 } ?? ""
    return "\(source.path):\(source.line)\(name)\(state)"
  }
}
