import HarnessProtocol
import ScenarioCore
import SourceText
import Testing

@Suite("How many requests must be delivered")
struct DeliveredTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var expected: String
    /// A body (`-`: none), then how the request ended: a status, an error, or `none`.
    var requests: [String]
    var isDisturbed = false
    var findings: [String]
  }

  private static let url = "https://t.example/e"
  private static let place = #""method": "POST", "url": "\#(url)""#

  private static let rows = [
    Row(
      testDescription: "A status below 400, a lost answer and no answer at all have arrived",
      expected: #"{\#(place), "delivered": 3}"#,
      requests: ["- 204", "- networkConnectionLost", "- none"], findings: []),
    Row(
      testDescription: "An error of the server, and any other error, have not",
      expected: #"{\#(place), "delivered": 1}"#,
      requests: ["- 400", "- 503", "- timedOut", "- cancelled", "- notConnectedToInternet"],
      findings: ["expected POST \(url): wanted 1, got 0 delivered"]),
    Row(
      testDescription: "Beside it, the count counts attempts",
      expected: #"{\#(place), "count": 2, "delivered": 1}"#, requests: ["- 503", "- 200"],
      findings: []),
    Row(
      testDescription: "Each of both has to hold",
      expected: #"{\#(place), "count": 1, "delivered": 1}"#, requests: ["- 200", "- 200"],
      findings: [
        "expected POST \(url): wanted 1, got 2 [@1 @1]",
        "expected POST \(url): wanted 1, got 2 delivered [@1 @1]",
      ]),
    Row(
      testDescription: "Bounds are bounds of what arrives",
      expected: #"{\#(place), "delivered": {"atMost": 1}}"#, requests: ["- 200", "- 200"],
      findings: ["expected POST \(url): wanted at most 1, got 2 delivered [@1 @1]"]),
    Row(
      testDescription: "What did not arrive is named all the same",
      expected: #"{\#(place), "delivered": 0}"#, requests: ["- 503"], findings: []),
    Row(
      testDescription: "An event arrives once, though a lost answer made it be sent again",
      expected: #"{"event": "click", "count": 1, "delivered": 1}"#,
      requests: [
        #"[{"n":"click","id":7}] networkConnectionLost"#, #"[{"n":"click","id":7}] 200"#,
      ], findings: []),
    Row(
      testDescription: "An event that never got through has not arrived",
      expected: #"{"event": "click", "count": 1, "delivered": 1}"#,
      requests: [#"[{"n":"click","id":7}] 503"#, #"[{"n":"click","id":7}] 500"#],
      findings: [#"expected event "click": wanted 1, got 0 delivered"#]),
    Row(
      testDescription: "Disturbed, a count alone is the most that may arrive",
      expected: #"{\#(place), "count": 1}"#,
      requests: ["- 503", "- networkConnectionLost", "- 200"],
      isDisturbed: true,
      findings: ["expected POST \(url): wanted at most 1, got 2 delivered [@1 @1]"]),
    Row(
      testDescription:
        "Disturbed, what is missing by a count alone isn't wrong, nor what nothing names",
      expected: #"{"url": "https://t.example/other", "count": 1}"#, requests: ["- 200"],
      isDisturbed: true, findings: []),
    Row(
      testDescription: "Of many, too",
      expected: #"{\#(place), "delivered": 21}"#,
      requests: Array(repeating: "- 200", count: 21) + ["- 503"], findings: []),
    Row(
      testDescription: "Disturbed, what must be delivered has to be",
      expected: #"{\#(place), "count": 1, "delivered": 1}"#, requests: ["- 503"], isDisturbed: true,
      findings: ["expected POST \(url): wanted 1, got 0 delivered"]),
  ]

  @Test("what arrives is counted", arguments: rows)
  func arrivals(_ row: Row) throws {
    let decoders = #"""
      "decoders": {"ours": {"request": {"method": "POST", "urlPath": "/e"}, "each": "$.body[*]",
        "name": "$.n", "id": "$.id"}}, "unexpected": "fail"
      """#
    let usesEvents = row.expected.contains("event")
    let scenario = try scenario(
      #""expected": [\#(row.expected)]"# + (usesEvents ? ", \(decoders)" : ""))
    var verification = Verification(scenario: scenario, isDisturbed: row.isDisturbed)
    for (index, text) in row.requests.enumerated() {
      let words = text.split(separator: " ").map(String.init)
      var request = recorded("1 \(Self.url) POST", time: Double(index))
      if words[0] != "-" { request.body = Array(words[0].utf8) }
      request.end =
        Int(words[1]).map(RequestEnd.status) ?? (words[1] == "none" ? nil : .error(words[1]))
      verification.observe(request)
    }
    let findings = verification.outcome(completedSteps: .all).findings
    #expect(texts(of: findings) == row.findings)
  }

  @Test(
    "an expectation that can't be met, or asks for nothing, is an error",
    arguments: [
      #"{"url": "/a", "count": 1, "delivered": 2}"#, #"{"url": "/a"}"#,
      #"{"url": "/a", "delivered": {}}"#, #"{"url": "/a", "delivered": -1}"#,
      #"{"url": "/a", "delivered": 1, "bodyPatterns": [{"contains": "x"}]}"#,
    ])
  func invalid(_ expectation: String) {
    let file = SourceFile(
      path: "s.json", text: #"{"actions": [{"tap": "a"}], "expected": [\#(expectation)]}"#)
    #expect(ScenarioDecoder(files: FilesInMemory()).decode(file).hasErrors)
  }
}
