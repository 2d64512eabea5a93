import RequestMatching
import Testing

@testable import ScenarioCore

@Suite("What came instead of what is missing")
struct NearMissTests {
  /// What was sent instead of each missing request, by their queries.
  private func pairs(
    expected: [(query: String, json: String)], sent: [String]
  ) throws -> [String: [String]] {
    let list = expected.map { "{\($0.json), \"count\": 1}" }
    var verification = Verification(
      scenario: try scenario(#""expected": [\#(list.joined(separator: ", "))]"#))
    for query in sent { verification.observe(recorded("1 http://x/c?\(query)", time: 0)) }
    let nearMisses = verification.outcome(completedSteps: .all).findings.compactMap {
      if case .wrongCount(let wrong) = $0 { wrong.nearMisses } else { nil }
    }
    #expect(nearMisses.count == expected.count)
    return Dictionary(
      uniqueKeysWithValues: zip(expected, nearMisses).map { expected, nearMisses in
        (expected.query, nearMisses.map { query($0.request.url) })
      })
  }

  private func pairs(expected: [String], sent: [String]) throws -> [String: [String]] {
    try pairs(expected: expected.map { ($0, #""url": "http://x/c?\#($0)""#) }, sent: sent)
  }

  private func query(_ url: String) -> String { String(url.split(separator: "?")[1]) }

  @Test("Of equally near requests none takes the only one that another has")
  func fewestAlternatives() throws {
    #expect(
      try pairs(expected: ["a=1&b=1", "a=2&b=2"], sent: ["a=2&b=1", "a=3&b=1"]) == [
        "a=1&b=1": ["a=3&b=1"], "a=2&b=2": ["a=2&b=1"],
      ])
    #expect(
      try pairs(expected: ["a=2&b=2", "a=1&b=1"], sent: ["a=3&b=1", "a=2&b=1"]) == [
        "a=1&b=1": ["a=3&b=1"], "a=2&b=2": ["a=2&b=1"],
      ])
  }

  @Test("The nearest is told where another comes first")
  func nearestFirst() throws {
    #expect(
      try pairs(expected: ["a=1&b=1&c=1"], sent: ["a=9&b=9&c=9", "a=1&b=9&c=9", "a=1&b=1&c=9"])
        == ["a=1&b=1&c=1": ["a=1&b=1&c=9"]])
  }

  @Test("Many missing requests are paired with many others in their order, without comparing all")
  func manyPairs() throws {
    let indices = 0..<150
    let found = try pairs(
      expected: indices.map {
        let query =
          #""a": {"equalTo": "\#($0)"}, "b": {"equalTo": "1"}, "c": {"equalTo": "\#($0)"}"#
        return ("a=\($0)&b=1&c=\($0)", #""urlPath": "/c", "queryParameters": {\#(query)}"#)
      }, sent: indices.map { "a=\($0)&b=2&c=\($0)" })
    #expect(found.count == indices.count)
    for index in indices {
      #expect(found["a=\(index)&b=1&c=\(index)"] == ["a=\(index)&b=2&c=\(index)"])
    }
  }

  @Test(
    "The fast cost of a pair of URLs is the cost of their differences",
    arguments: [
      "http://x/c?a=1&b=2", "http://x/c?a=2&b=2", "http://x/c?a=1&a=2&b=3", "http://x/d?a=1&b=2",
      "https://y:81/c?a=1&b=2", "http://x/c/d/e?a=1", "http://x/c?b=2&a=1", "http://x/c?a=1&b=2#f",
      "http://x/", "http://x/c?a=1&c=2&d", "http://x/c?a&a&a", "/c?a=1",
    ])
  func fastCost(wanted: String) throws {
    let all = Self.urls
    for got in all {
      let pattern = RequestPattern(target: .url(wanted))
      let isRelative = wanted.hasPrefix("/")
      let fast = NearMissCost(
        URLProfile(RequestURL(wanted), method: nil),
        URLProfile(RequestURL(got), method: nil), isRelative: isRelative, anyMethod: true)
      let slow = NearMissCost(
        pattern.differences(from: MatchableRequest(method: nil, url: got)), conditions: 1)
      #expect(fast.place == slow.place, "\(wanted) and \(got)")
      #expect(abs(fast.details - slow.details) <= NearMissCost.spelling, "\(wanted) and \(got)")
    }
  }

  private static let urls = [
    "http://x/c?a=1&b=2", "http://x/c?a=2&b=2", "http://x/c?b=2&a=1&a=1", "http://y/c?a=1&b=2",
    "http://x/c/d/f?a=1", "http://x/z/z/z", "http://x/c?a=3&a=1", "https://x/c?d&e",
  ]
}
