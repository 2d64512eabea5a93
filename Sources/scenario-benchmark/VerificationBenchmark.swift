import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import SourceText

/// 100,000 requests against 1,000 expectations of one kind, for each kind; met, and unmet.
enum VerificationBenchmark: Benchmark {
  static let name = "verification"
  private static let requestCount = 100_000
  private static let expectationCount = 1000
  private static let limit = Duration.seconds(20)

  static func run(_ write: (String) -> Void) throws {
    let folder = NSTemporaryDirectory() + "scenario-benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/storedRequests.1.jsonl"
    let only = ProcessInfo.processInfo.environment["KIND"]
    for (isGet, areMet) in [(true, true), (true, false), (false, true), (false, false)] {
      try writeStore(path, isGet: isGet, areMet: areMet)
      for kind in Kind.all where kind.isGet == isGet && kind.name.hasPrefix(only ?? "") {
        try measure(kind, folder, areMet: areMet, write)
      }
    }
  }

  /// What the expectations look at.
  private struct Kind: Sendable {
    var name: String
    /// Whether the requests are URLs without a body.
    var isGet = true
    var isOfEvents = false
    /// Whether all requests but those of the ad match.
    var isNegative = false
    /// The expectation of the ad with this number.
    var pattern: @Sendable (Int) throws -> RequestPattern

    static let all = [
      Kind(name: "url") { RequestPattern(target: .url(url($0))) },
      Kind(name: "queryParameters, equalTo") { query("ad", .equalTo("A-\($0)")) },
      Kind(name: "queryParameters, contains") { query("ad", .contains("A-\($0)")) },
      Kind(name: "queryParameters, matches") {
        query("ad", .matches(try TextPattern("A-\($0)")))
      },
      Kind(name: "queryParameters without URL") {
        RequestPattern(
          method: "GET",
          queryParameters: [.init(name: "ad", matcher: .equalTo("A-\($0)"))])
      },
      Kind(name: "urlPattern with prefix") {
        try target("https://ad\\.example\\.com/click\\?ad=A-\($0)&.*")
      },
      Kind(name: "urlPattern without prefix") { try target(".*[?&]ad=A-\($0)(&.*)?") },
      Kind(name: "urlPattern with alternatives") {
        try target(".*[?&]ad=(A-\($0)|B-\($0))(&.*)?")
      },
      Kind(name: "queryParameters, or") {
        query("ad", .or([.equalTo("A-\($0)"), .contains("B-\($0)")]))
      },
      Kind(name: "queryParameters, caseInsensitive") {
        query("ad", .equalTo("a-\($0)", caseInsensitive: true))
      },
      Kind(name: "queryParameters, not", isNegative: true) {
        query("ad", .not(.equalTo("A-\($0)")))
      },
      Kind(name: "queryParameters, doesNotContain", isNegative: true) {
        query("ad", .doesNotContain("A-\($0)"))
      },
      Kind(name: "queryParameters, doesNotMatch", isNegative: true) {
        query("ad", .doesNotMatch(try TextPattern("A-\($0)")))
      },
      Kind(name: "queryParameters, matches without a text") {
        let digits = String($0).map { "[\($0)x]" }.joined()
        return query("ad", .matches(try TextPattern("[A-Z]-\(digits)")))
      },
      Kind(name: "queryParameters, matches whatever the case") {
        query("ad", .matches(try TextPattern("(?i)a-\($0)")))
      },
      Kind(name: "headers, equalTo") {
        RequestPattern(
          method: "GET", headers: [.init(name: "X-Ad", matcher: .equalTo("A-\($0)"))])
      },
      Kind(name: "bodyPatterns, equalTo", isGet: false) {
        body(.equalTo(VerificationBenchmark.body($0)))
      },
      Kind(name: "bodyPatterns, contains", isGet: false) { body(.contains("\"A-\($0)\"")) },
      Kind(name: "bodyPatterns, matches", isGet: false) {
        body(.matches(try TextPattern(".*\"id\":\"A-\($0)\".*")))
      },
      Kind(name: "bodyPatterns, or", isGet: false) {
        body(.or([.contains("\"B-\($0)\""), .matches(try TextPattern(".*(\"A-\($0)\").*"))]))
      },
      Kind(name: "bodyPatterns, doesNotContain", isGet: false, isNegative: true) {
        body(.doesNotContain("\"A-\($0)\""))
      },
      Kind(name: "matchesJsonPath", isGet: false) {
        body(.matchesJsonPath(try JSONPath("$.ad.id"), .equalTo("A-\($0)")))
      },
      Kind(name: "matchesJsonPath, filter", isGet: false) {
        body(.matchesJsonPath(try JSONPath("$.items[?@.ad.id == 'A-\($0)']"), nil))
      },
      Kind(name: "matchesJsonPath, member", isGet: false) {
        body(.matchesJsonPath(try JSONPath("$.flags.flag\($0)"), nil))
      },
      Kind(name: "equalToJson", isGet: false) {
        body(.equalToJson(try json(VerificationBenchmark.body($0)), .strict))
      },
      Kind(name: "equalToJson, ignoreArrayOrder", isGet: false) {
        body(.equalToJson(try json(VerificationBenchmark.body($0)), .anyOrder))
      },
      Kind(name: "equalToJson, ignoreExtraElements", isGet: false) {
        body(.equalToJson(try json(#"{"ad": {"id": "A-\#($0)"}}"#), .more))
      },
      Kind(name: "event, where", isGet: false, isOfEvents: true) {
        try event([("properties.adId", .equalTo("A-\($0)"))])
      },
      Kind(name: "event, where matches", isGet: false, isOfEvents: true) {
        try event([("properties.adId", .matches(try TextPattern("A-\($0)")))])
      },
      Kind(name: "event, where caseInsensitive", isGet: false, isOfEvents: true) {
        try event([("properties.adId", .equalTo("a-\($0)", caseInsensitive: true))])
      },
      Kind(name: "event, where not", isGet: false, isOfEvents: true, isNegative: true) {
        try event([("properties.adId", .not(.equalTo("A-\($0)")))])
      },
      Kind(name: "event, two properties", isGet: false, isOfEvents: true) {
        try event([("properties.area", .equalTo("cart")), ("properties.adId", .equalTo("A-\($0)"))])
      },
    ]

    private static func query(_ name: String, _ matcher: ValueMatcher) -> RequestPattern {
      RequestPattern(
        method: "GET", target: .urlPath("/click"),
        queryParameters: [.init(name: name, matcher: matcher)])
    }

    private static func target(_ pattern: String) throws -> RequestPattern {
      RequestPattern(method: "GET", target: .urlPattern(try TextPattern(pattern)))
    }

    private static func body(_ matcher: ValueMatcher) -> RequestPattern {
      RequestPattern(
        method: "POST", target: .url("https://ad.example.com/v1/track"), bodyPatterns: [matcher])
    }

    private static func json(_ text: String) throws -> WantedJSON {
      guard let value = JSONValue(body: text.utf8) else { throw CocoaError(.coderInvalidValue) }
      return WantedJSON(exactly: value)
    }

    private static func event(_ conditions: [(String, ValueMatcher)]) throws -> RequestPattern {
      RequestPattern(
        event: EventPattern(
          name: "Ad Clicked", decoder: "segment",
          conditions: try conditions.map {
            .init(key: $0, path: try EventPattern.path($0), matcher: $1)
          }))
    }
  }

  private static func measure(
    _ kind: Kind, _ folder: String, areMet: Bool, _ write: (String) -> Void
  ) throws {
    let scenario = try scenario(kind)
    let deadline = ContinuousClock.now + limit
    var (outcome, judged) = (VerificationOutcome?.none, 0)
    let before = Measurement.processorSeconds()
    let seconds = try Measurement.seconds(runs: 1) {
      var verification = Verification(scenario: scenario)
      verification.shouldStop = { ContinuousClock.now > deadline }
      try StoreReader(folder: folder).forEachLine {
        if ContinuousClock.now < deadline { judged += 1 }
        verification.observe($0)
      }
      outcome = verification.outcome(completedSteps: .all)
    }
    let words = outcome.map {
      $0.hasStopped ? "stopped after \(judged)" : "\($0.findings.count) findings"
    }
    write(
      "verification, \(kind.name), \(areMet ? "met" : "unmet"): "
        + "\(Measurement.text(seconds)) s (\(Measurement.text(Measurement.processorSeconds() - before)) s of "
        + "processor time), \(words ?? "")")
  }

  private static func scenario(_ kind: Kind) throws -> Scenario {
    let file = SourceFile(path: "benchmark.json", text: "{}")
    let location = SourceLocation(file: file, range: 0..<2)
    let ofAd = requestCount / expectationCount
    let expected = try (0..<expectationCount).map { index in
      Expectation(
        pattern: try kind.pattern(index),
        count: .exactly(kind.isNegative ? requestCount - ofAd : ofAd),
        location: location)
    }
    var scenario = Scenario(
      reference: ScenarioReference(path: file.path, scenarioName: "benchmark"), steps: [],
      expected: expected, location: location)
    scenario.decoders = [EventDecoder.builtIn("segment")].compactMap { kind.isOfEvents ? $0 : nil }
    return scenario
  }

  private static func url(_ ad: Int) -> String {
    "https://ad.example.com/click?ad=A-\(ad)&area=cart&rank=\(ad % 50)"
  }

  private static func body(_ ad: Int) -> String {
    #"{"event":"Ad Clicked","type":"track","properties":{"adId":"A-\#(ad)","area":"cart"},"#
      + #""ad":{"id":"A-\#(ad)","rank":\#(ad % 50)},"flags":{"flag\#(ad)":true},"#
      + #""items":[{"ad":{"id":"A-\#(ad)"},"price":12.5},{"ad":{"id":"B-\#(ad)"},"price":9}],"#
      + #""context":{"library":{"name":"analytics-ios","version":"4.1.8"},"locale":"ko_KR"}}"#
  }

  private static func writeStore(_ path: String, isGet: Bool, areMet: Bool) throws {
    var bytes: [UInt8] = []
    for number in 0..<requestCount {
      // Of what isn't met, everything is a near miss.
      let ad = areMet ? number % expectationCount : expectationCount + number
      let headers = ["X-Ad": "A-\(ad)", "User-Agent": "Demo/1.0 (Linux)"]
      bytes +=
        RecordedRequest(
          url: isGet ? url(ad) : "https://ad.example.com/v1/track", method: isGet ? "GET" : "POST",
          headers: headers, body: isGet ? nil : Array(body(ad).utf8), action: number % 40,
          time: Double(number) / 1000, answer: .default
        ).line
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}

extension ValueMatcher {
  fileprivate static func equalTo(_ text: String) -> Self { .equalTo(text, caseInsensitive: false) }
}

extension JSONComparison {
  fileprivate static let strict = Self(ignoreArrayOrder: false, ignoreExtraElements: false)
  fileprivate static let anyOrder = Self(ignoreArrayOrder: true, ignoreExtraElements: false)
  fileprivate static let more = Self(ignoreArrayOrder: false, ignoreExtraElements: true)
}
