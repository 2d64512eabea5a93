import RequestMatching
import Testing

@Suite("What can take long ends where nobody waits any more")
struct MatchingStopTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Of the body.
    var matcher: String
    var body: String
  }

  static let rows = [
    Row(
      testDescription: "An expression", matcher: #"{"matches": "(a+)+b"}"#,
      body: String(repeating: "a", count: 40)),
    Row(
      testDescription: "A path", matcher: #"{"matchesJsonPath": "$..*..*..*..b"}"#,
      body: String(repeating: "[", count: 30) + String(repeating: "]", count: 30)),
    Row(
      testDescription: "Lists in any order",
      matcher: ##"{"equalToJson": ["#{json-unit.ignore}", 2], "ignoreArrayOrder": true}"##,
      body: "[1, 2]"),
  ]

  @Test("It is in doubt then", arguments: rows)
  func stopped(row: Row) throws {
    let pattern = try #require(decodedPattern(#"{"bodyPatterns": [\#(row.matcher)]}"#).pattern)
    let request = MatchableRequest(method: "POST", url: "https://x", body: Array(row.body.utf8))
    func doubt() -> MatchingDoubt? {
      do throws(MatchingDoubt) { _ = try pattern.matches(request) } catch { return error }
      return nil
    }
    #expect(doubt() != .stopped)
    #expect(MatchingStop.asking(MatchingStop { false }, doubt) != .stopped)
    #expect(MatchingStop.asking(MatchingStop { true }, doubt) == .stopped)
  }
}
