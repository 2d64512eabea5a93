import Foundation
import HarnessWire
import RequestMatching
import ScenarioCore
import SourceText

/// 2,000 expected requests that did not come, and 2,000 that came instead.
enum NearMissBenchmark: Benchmark {
  static let name = "near-misses"
  private static let count = 2000

  static func run(_ write: (String) -> Void) throws {
    for kind in Kind.allCases {
      let scenario = scenario(kind)
      var pairs = 0
      let seconds = Measurement.seconds(runs: 3) {
        var verification = Verification(scenario: scenario)
        for index in 0..<count {
          verification.observe(RecordedRequest(url: sent(index, kind), method: "GET", action: 0))
        }
        pairs = verification.outcome(completedSteps: .all).findings.count { finding in
          if case .wrongCount(let finding) = finding { !finding.nearMisses.isEmpty } else { false }
        }
      }
      write(
        "near misses, \(kind.rawValue): \(count) expected and \(count) sent: "
          + "\(Measurement.text(seconds)) s, \(pairs) pairs")
    }
  }

  enum Kind: String, CaseIterable {
    /// One parameter of each is wrong, the rest tells which is which.
    case oneParameter = "one wrong parameter"
    /// Nothing tells them apart: every request is as near to every expectation.
    case ties = "all equally near"
    /// Two parameters with few values, so that the cheapest pairs compete.
    case competing = "competing"
    /// Paths with matchers for parameters instead of URLs.
    case matchers = "matchers"
  }

  private static func scenario(_ kind: Kind) -> Scenario {
    let file = SourceFile(path: "benchmark.json", text: "{}")
    let location = SourceLocation(file: file, range: 0..<2)
    let expected = (0..<count).map { index in
      Expectation(pattern: pattern(index, kind), count: .exactly(1), location: location)
    }
    return Scenario(
      reference: ScenarioReference(path: file.path, scenarioName: "benchmark"), steps: [],
      expected: expected, location: location)
  }

  private static func pattern(_ index: Int, _ kind: Kind) -> RequestPattern {
    switch kind {
    case .oneParameter, .ties:
      return RequestPattern(target: .url(url("A-\(index)", "cart", index)))
    case .competing:
      return RequestPattern(target: .url(url("A-\(index % 45)", "area\(index % 43)", index)))
    case .matchers:
      let values = [("ad", "A-\(index)"), ("area", "cart")]
      return RequestPattern(
        target: .urlPath("/v1/click"),
        queryParameters: values.map {
          .init(name: $0.0, matcher: .equalTo($0.1, caseInsensitive: false))
        })
    }
  }

  private static func sent(_ index: Int, _ kind: Kind) -> String {
    switch kind {
    case .oneParameter, .matchers: url("A-\(index)", "list", index)
    case .ties: url("B-\(index)", "cart", index)
    case .competing: url("A-\((index * 7) % 44)", "area\((index * 11) % 47)", index + 10_000)
    }
  }

  private static func url(_ ad: String, _ area: String, _ index: Int) -> String {
    "https://ad.example.com/v1/click?ad=\(ad)&area=\(area)&rank=\(index % 50)&screen=search"
  }
}
