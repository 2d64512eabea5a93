import HarnessProtocol
import JSON
import RequestMatching
import ScenarioAuthoring
import SourceText
import Testing

@Suite("An expectation is drafted from requests") struct ExpectationDraftTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var requests: [RecordedRequest]
    var volatile: [String] = []
    var drafts: [String]

    var testDescription: String { name }
  }

  private static func request(
    _ url: String, _ method: String? = "GET", _ headers: [String: String] = [:],
    body: String? = nil
  ) -> RecordedRequest {
    RecordedRequest(url: url, method: method, headers: headers, body: body.map { Array($0.utf8) })
  }

  static let cases: [Case] = [
    Case(
      name: "equal ones are one, in the order of the first",
      requests: [
        request("https://a.example.com/x?b=1&a=%20"), request("https://a.example.com/y", nil),
        request("https://a.example.com/x?b=1&a=%20"),
      ],
      drafts: [
        #"{ "url": "https://a.example.com/x?b=1&a=%20", "count": 2 }"#,
        #"{ "url": "https://a.example.com/y", "count": 1 }"#,
      ]),
    Case(
      name: "a body of JSON is compared as JSON, another as text",
      requests: [
        request("https://a.example.com/x", "POST", body: #"{"b": 1.0, "a": ["${x}"]}"#),
        request("https://a.example.com/x", "POST", body: "a=1&b=${x}"),
        request("https://a.example.com/x", "PUT", body: #"{"a": 1, "a": 2}"#),
        request("https://a.example.com/x", "PUT", body: ##"{"a": "#{json-unit.ignore}"}"##),
        request("https://a.example.com/x", "GET", body: "unseen"),
        request("https://a.example.com/x", "DELETE"),
      ],
      drafts: [
        #"{ "method": "POST", "url": "https://a.example.com/x", "bodyPatterns": [{ "equalToJson": { "b": 1.0, "a": ["$${x}"] } }], "count": 1 }"#,
        #"{ "method": "POST", "url": "https://a.example.com/x", "bodyPatterns": [{ "equalTo": "a=1&b=$${x}" }], "count": 1 }"#,
        #"{ "method": "PUT", "url": "https://a.example.com/x", "bodyPatterns": [{ "equalTo": "{\"a\": 1, \"a\": 2}" }], "count": 1 }"#,
        ##"{ "method": "PUT", "url": "https://a.example.com/x", "bodyPatterns": [{ "equalTo": "{\"a\": \"#{json-unit.ignore}\"}" }], "count": 1 }"##,
        #"{ "url": "https://a.example.com/x", "count": 1 }"#,
        #"{ "method": "DELETE", "url": "https://a.example.com/x", "count": 1 }"#,
      ]),
    Case(
      name: "parameters that are set aside are left out",
      requests: [
        request("https://a.example.com/x?t=1&a=1"), request("https://a.example.com/x?a=1&t=2"),
        request("https://a.example.com/y?t=3#f"),
      ],
      volatile: ["t"],
      drafts: [
        #"{ "url": "https://a.example.com/x?a=1", "count": 2 }"#,
        #"{ "url": "https://a.example.com/y#f", "count": 1 }"#,
      ]),
  ]

  @Test("in the words that people write", arguments: cases)
  func drafts(example: Case) {
    let drafts = ExpectationDraft.drafts(
      of: example.requests, ignoring: VolatileParameters(example.volatile))
    #expect(drafts.map { JSONLayout.line($0.json) } == example.drafts)
  }

  @Test("and a body that isn't text is left out")
  func binaryBody() {
    let request = RecordedRequest(
      url: "https://a.example.com/x", method: "POST", body: [0xFF, 0xD8, 0xFF])
    let drafts = ExpectationDraft.drafts(of: [request])
    #expect(
      drafts.map(\.omission) == [
        .binaryBody(byteCount: 3, hash: StableHash.of([0xFF, 0xD8, 0xFF]))
      ])
    #expect(drafts.first?.json["bodyPatterns"] == nil)
  }
}
