import Foundation
import HarnessProtocol
import ScenarioCore

/// 100,000 requests against 1,000 expectations of one kind, for each kind; met, and unmet.
enum VerificationBenchmark: Benchmark {
  static let name = "verification"
  private static let limit = Duration.seconds(20)

  static func run(in folder: String, _ write: (String) -> Void) throws {
    let store = RecordedStore(folder: folder, requestCount: 100_000)
    for (isGet, areMet) in [(true, true), (true, false), (false, true), (false, false)] {
      _ = try store.write { number in
        // Of what isn't met, everything is a near miss.
        let ads = RecordedStore.expectationCount
        return request(number, ad: areMet ? number % ads : ads + number, isGet: isGet)
      }
      let floor = try Measurement.seconds { try store.countLines() }
      for kind in kinds where kind.isGet == isGet {
        let (seconds, end) = try measure(kind, store)
        write(
          "\(kind.name), \(areMet ? "met" : "unmet"): \(Measurement.text(seconds)) s, "
            + "\(Measurement.text(seconds / floor, 1)) × counting lines; \(end)")
      }
    }
  }

  private static func measure(_ kind: Kind, _ store: RecordedStore) throws -> (Double, String) {
    let share = store.requestCount / RecordedStore.expectationCount
    let scenario = try store.scenario(
      count: kind.isNegative ? store.requestCount - share : share,
      kind.isOfEvents ? #""decoders": { "segment": true }"# : ""
    ) { _ in kind.pattern }
    let deadline = ContinuousClock.now + limit
    var end = ""
    let seconds = try Measurement.seconds {
      let outcome = try store.verify(scenario) { ContinuousClock.now > deadline }
      end = outcome.hasStopped ? "stopped" : "\(outcome.findings.count) findings"
    }
    return (seconds, end)
  }

  /// What expectations look at: the keys of the one for the ad `<ad>`.
  private struct Kind {
    var name: String
    var pattern: String
    /// Whether the requests are URLs without a body.
    var isGet = true
    var isOfEvents = false
    /// Whether all requests but those of the ad match.
    var isNegative = false

    static func query(_ name: String, _ matcher: String, isNegative: Bool = false) -> Kind {
      Kind(
        name: "queryParameters, \(name)",
        pattern: #""urlPath": "/click", "queryParameters": { "ad": { \#(matcher) } }"#,
        isNegative: isNegative)
    }

    static func body(_ name: String, _ matcher: String, isNegative: Bool = false) -> Kind {
      Kind(
        name: "bodyPatterns, \(name)",
        pattern: #""method": "POST", "url": "\#(endpoint)", "bodyPatterns": [{ \#(matcher) }]"#,
        isGet: false, isNegative: isNegative)
    }

    static func event(_ name: String, _ conditions: String, isNegative: Bool = false) -> Kind {
      Kind(
        name: "event, \(name)",
        pattern: #""event": "Ad Clicked", "in": "segment", "where": { \#(conditions) }"#,
        isGet: false, isOfEvents: true, isNegative: isNegative)
    }
  }

  private static let kinds = [
    Kind(name: "url", pattern: #""url": "\#(url)""#),
    Kind(
      name: "urlPattern with prefix",
      pattern: #""urlPattern": "https://ad\\.example\\.com/click\\?ad=A-<ad>&.*""#),
    Kind(name: "urlPattern without prefix", pattern: #""urlPattern": ".*[?&]ad=A-<ad>(&.*)?""#),
    Kind(
      name: "urlPattern with alternatives",
      pattern: #""urlPattern": ".*[?&]ad=(A-<ad>|B-<ad>)(&.*)?""#),
    Kind(
      name: "queryParameters without URL",
      pattern: #""method": "GET", "queryParameters": { "ad": { "equalTo": "A-<ad>" } }"#),
    Kind(
      name: "headers, equalTo",
      pattern: #""method": "GET", "headers": { "X-Ad": { "equalTo": "A-<ad>" } }"#),
    .query("equalTo", #""equalTo": "A-<ad>""#),
    .query("caseInsensitive", #""equalTo": "a-<ad>", "caseInsensitive": true"#),
    .query("contains", #""contains": "A-<ad>""#),
    .query("matches", #""matches": "A-<ad>""#),
    .query("matches without a text", #""matches": "[A-Z]-<digits>""#),
    .query("matches whatever the case", #""matches": "(?i)a-<ad>""#),
    .query("or", #""or": [{ "equalTo": "A-<ad>" }, { "contains": "B-<ad>" }]"#),
    .query("not", #""not": { "equalTo": "A-<ad>" }"#, isNegative: true),
    .query("doesNotContain", #""doesNotContain": "A-<ad>""#, isNegative: true),
    .query("doesNotMatch", #""doesNotMatch": "A-<ad>""#, isNegative: true),
    .body("contains", #""contains": "\"A-<ad>\"""#),
    .body("matches", #""matches": ".*\"id\":\"A-<ad>\".*""#),
    .body("or", #""or": [{ "contains": "\"B-<ad>\"" }, { "matches": ".*(\"A-<ad>\").*" }]"#),
    .body("doesNotContain", #""doesNotContain": "\"A-<ad>\"""#, isNegative: true),
    .body("path", #""matchesJsonPath": { "expression": "$.ad.id", "equalTo": "A-<ad>" }"#),
    .body("filter", #""matchesJsonPath": "$.items[?@.ad.id == 'A-<ad>']""#),
    .body("member", #""matchesJsonPath": "$.flags.flag<ad>""#),
    .body("equalToJson", #""equalToJson": \#(body)"#),
    .body("equalToJson, any order", #""equalToJson": \#(body), "ignoreArrayOrder": true"#),
    .body(
      "equalToJson, more",
      #""equalToJson": { "ad": { "id": "A-<ad>" } }, "ignoreExtraElements": true"#),
    .event("where", #""properties.adId": "A-<ad>""#),
    .event("matches", #""properties.adId": { "matches": "A-<ad>" }"#),
    .event(
      "caseInsensitive", #""properties.adId": { "equalTo": "a-<ad>", "caseInsensitive": true }"#),
    .event("not", #""properties.adId": { "not": { "equalTo": "A-<ad>" } }"#, isNegative: true),
    .event("two properties", #""properties.area": "cart", "properties.adId": "A-<ad>""#),
  ]

  private static let endpoint = "https://ad.example.com/v1/track"
  private static let url = "https://ad.example.com/click?ad=A-<ad>&area=cart&rank=<rank>"
  private static let body =
    #"{"event":"Ad Clicked","type":"track","properties":{"adId":"A-<ad>","area":"cart"},"#
    + #""ad":{"id":"A-<ad>","rank":<rank>},"flags":{"flag<ad>":true},"#
    + #""items":[{"ad":{"id":"A-<ad>"},"price":12.5},{"ad":{"id":"B-<ad>"},"price":9}],"#
    + #""context":{"library":{"name":"analytics-ios","version":"4.1.8"},"locale":"ko_KR"}}"#

  private static func request(_ number: Int, ad: Int, isGet: Bool) -> RecordedRequest {
    RecordedRequest(
      url: isGet ? RecordedStore.text(url, ad: ad) : endpoint, method: isGet ? "GET" : "POST",
      headers: ["X-Ad": "A-\(ad)", "User-Agent": "Demo/1.0 (Linux)"],
      body: isGet ? nil : Array(RecordedStore.text(body, ad: ad).utf8), action: number % 40,
      time: Double(number) / 1000, answer: .default)
  }
}
