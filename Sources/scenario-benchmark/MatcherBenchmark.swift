import Foundation
import JSON
import RequestMatching

/// Matchers whose work could grow faster than what they are tried on: each at a size and at twice that size.
enum MatcherBenchmark: Benchmark {
  static let name = "matchers"

  /// A matcher and a body of a size.
  private struct Case: Sendable {
    var name: String
    var size: Int
    var make: @Sendable (Int) throws -> (matcher: ValueMatcher, body: String)

    static let all = [
      Case(name: "equalToJson, ignoreArrayOrder, equal elements", size: 1000) {
        (try anyOrder(list($0) { _ in #"{"id":1}"# }), list($0) { _ in #"{"id":1}"# })
      },
      Case(name: "equalToJson, ignoreArrayOrder, two kinds, reversed", size: 1000) { size in
        (
          try anyOrder(list(size) { #"{"id":\#($0 < size / 2 ? 1 : 2)}"# }),
          list(size) { #"{"id":\#($0 < size / 2 ? 2 : 1)}"# }
        )
      },
      Case(name: "equalToJson, ignoreArrayOrder, one differs", size: 1000) { size in
        (
          try anyOrder(list(size) { _ in #"{"id":1}"# }),
          list(size) { #"{"id":\#($0 == size - 1 ? 2 : 1)}"# }
        )
      },
      Case(name: "equalToJson, ignoreArrayOrder, ignoreExtraElements", size: 1000) { size in
        (
          try anyOrder(list(size) { #"{"id":\#($0 % 2)}"# }, more: true),
          list(size) { #"{"id":\#($0 % 3 % 2),"rank":1}"# }
        )
      },
      Case(name: "contains, nearly everywhere", size: 50_000) {
        (.contains(text("a", $0) + "b"), text("a", 4 * $0))
      },
      Case(name: "matches without a literal prefix", size: 50_000) {
        (.matches(try TextPattern(".*[?&]ad=A-1(&.*)?")), text("ad=A-", $0 / 5))
      },
    ]

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
      "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    private static func text(_ part: String, _ count: Int) -> String {
      String(repeating: part, count: count)
    }

    private static func anyOrder(_ text: String, more: Bool = false) throws -> ValueMatcher {
      .equalToJson(
        WantedJSON(exactly: try JSONValue(parsing: text)),
        JSONComparison(ignoreArrayOrder: true, ignoreExtraElements: more))
    }
  }

  static func run(_ write: (String) -> Void) throws {
    for example in Case.all {
      let seconds = try [example.size, 2 * example.size].map { size in
        let (matcher, body) = try example.make(size)
        let pattern = RequestPattern(bodyPatterns: [matcher])
        let bytes = Array(body.utf8)
        return Measurement.seconds(runs: 3) {
          _ = try? pattern.matches(
            MatchableRequest(method: "POST", url: "https://ad.example.com", body: bytes))
        }
      }
      write(
        "matchers, \(example.name): \(milliseconds(seconds[0])) ms for \(example.size), "
          + "\(milliseconds(seconds[1])) ms for \(2 * example.size)")
    }
  }

  private static func milliseconds(_ seconds: Double) -> String {
    Measurement.text(seconds * 1000, 1)
  }
}
