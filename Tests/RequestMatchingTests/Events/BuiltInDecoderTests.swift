import Foundation
import JSON
import RequestMatching
import Testing

/// Payloads as the protocols' public documentation shows them.
@Suite("Built-in decoders")
struct BuiltInDecoderTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var decoder: String
    var url: String
    var method = "POST"
    var contentType: String? = "application/json"
    var body: String?
    /// Name, id and seconds since 1970 of each event.
    var events: [(String, String?, Double?)]
    var testDescription: String { "\(decoder) \(method) \(url)" }
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  static let examples = [
    Example(
      decoder: "segment", url: "https://api.segment.io/v1/batch",
      body: """
        {"batch": [
          {"type": "track", "event": "Ad Clicked", "messageId": "m1", "properties": {"adId": "A-1"},
           "timestamp": "2012-12-02T00:30:12.984Z"},
          {"type": "identify", "userId": "019mr8mf4r", "messageId": "m2"}
        ], "sentAt": "2012-12-02T00:30:13Z"}
        """,
      events: [("Ad Clicked", "m1", 1_354_408_212.984), ("identify", "m2", nil)]),
    Example(
      decoder: "segment", url: "https://api.segment.io/v1/track",
      body: #"{"type": "track", "event": "Course Clicked", "userId": "4b"}"#,
      events: [("Course Clicked", nil, nil)]),
    Example(
      decoder: "ga4", url: "https://www.google-analytics.com/g/collect?v=2&tid=G-1&cid=9",
      contentType: "text/plain;charset=UTF-8",
      body: "en=page_view&dl=https%3A%2F%2Fa.example\nen=purchase&epn.value=3",
      events: [("page_view", nil, nil), ("purchase", nil, nil)]),
    Example(
      decoder: "ga4", url: "https://www.google-analytics.com/g/collect?v=2&tid=G-1&cid=9",
      contentType: "application/x-www-form-urlencoded", body: "en=page_view&x=1\nen=purchase&x=2",
      events: [("page_view", nil, nil), ("purchase", nil, nil)]),
    Example(
      decoder: "ga4", url: "https://www.google-analytics.com/g/collect?v=2&tid=G-1&en=scroll",
      contentType: nil, events: [("scroll", nil, nil)]),
    Example(
      decoder: "ga4",
      url: "https://www.google-analytics.com/mp/collect?measurement_id=G-1&api_secret=s",
      body: """
        {"client_id": "c", "events": [
          {"name": "tutorial_begin", "params": {"id": 1}, "timestamp_micros": "1668509674013800"}]}
        """,
      events: [("tutorial_begin", nil, 1_668_509_674.0138)]),
    Example(
      decoder: "amplitude", url: "https://api2.amplitude.com/2/httpapi",
      body: """
        {"api_key": "k", "events": [{"user_id": "203201202", "event_type": "watch_tutorial",
          "insert_id": "5f0adeff", "time": 1396381378123}]}
        """,
      events: [("watch_tutorial", "5f0adeff", 1_396_381_378.123)]),
    Example(
      decoder: "mixpanel", url: "https://api.mixpanel.com/track",
      body: """
        [{"event": "Signed up", "properties": {"time": 1618716477000, "distinct_id": "91304156",
          "$insert_id": "29fc2962"}}]
        """,
      events: [("Signed up", "29fc2962", 1_618_716_477)]),
    Example(
      decoder: "mixpanel", url: "https://api.mixpanel.com/track/",
      contentType: "application/x-www-form-urlencoded",
      body: "data="
        + base64(#"{"event": "Level Complete", "properties": {"time": 1618716477}}"#)
        .replacing("=", with: "%3D").replacing("+", with: "%2B"),
      events: [("Level Complete", nil, 1_618_716_477)]),
    Example(
      decoder: "mixpanel",
      url: "https://api.mixpanel.com/track?data=" + base64(#"{"event": "A"}"#),
      contentType: "application/x-www-form-urlencoded", body: "data=" + base64(#"{"event": "B"}"#),
      events: [("A", nil, nil), ("B", nil, nil)]),
    Example(
      decoder: "mixpanel",
      url: "https://api.mixpanel.com/track?data=" + base64(#"{"event": "A"}"#),
      body: #"[{"event": "B"}]"#, events: [("A", nil, nil), ("B", nil, nil)]),
    Example(
      decoder: "snowplow", url: "https://sp.example.com/com.snowplowanalytics.snowplow/tp2",
      body: """
        {"schema": "iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4", "data": [
          {"e": "pv", "eid": "e1", "dtm": "1395158400123"},
          {"e": "se", "se_ca": "ads", "se_ac": "click", "eid": "e2"},
          {"e": "ue", "eid": "e3", "ue_px": "\(base64(#"""
            {"schema": "iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0",
             "data": {"schema": "iglu:com.acme/ad_click/jsonschema/1-0-0", "data": {"ad": "A-1"}}}
            """#))"}
        ]}
        """,
      events: [
        ("pv", "e1", 1_395_158_400.123), ("click", "e2", nil),
        ("iglu:com.acme/ad_click/jsonschema/1-0-0", "e3", nil),
      ]),
    Example(
      decoder: "snowplow", url: "https://sp.example.com/i?e=pp&eid=e9", method: "GET",
      contentType: nil, events: [("pp", "e9", nil)]),
    Example(
      decoder: "posthog", url: "https://us.i.posthog.com/batch/",
      body: """
        {"api_key": "k", "batch": [
          {"event": "event_name", "uuid": "u1", "timestamp": "2020-08-16T09:03:11.913767",
           "properties": {"distinct_id": "d"}}]}
        """.replacing("913767", with: "913Z"),
      events: [("event_name", "u1", 1_597_568_591.913)]),
    Example(
      decoder: "posthog", url: "https://us.i.posthog.com/i/v0/e/",
      body: #"{"api_key": "k", "event": "[user] signed up", "distinct_id": "d"}"#,
      events: [("[user] signed up", nil, nil)]),
    Example(
      decoder: "matomo", url: "https://demo.matomo.org/matomo.php?idsite=1&rec=1&e_c=Ads&e_a=click",
      method: "GET", contentType: nil, events: [("click", nil, nil)]),
    Example(
      decoder: "posthog", url: "https://us.i.posthog.com/e/",
      body: #"{"data": {"event": "A"}, "batch": [{"event": "B"}]}"#,
      events: [("A", nil, nil), ("B", nil, nil)]),
    Example(
      decoder: "matomo", url: "https://demo.matomo.org/matomo.php?e_a=query",
      contentType: "application/x-www-form-urlencoded", body: "e_a=form&e_c=Ads",
      events: [("query", nil, nil)]),
    Example(
      decoder: "matomo", url: "https://demo.matomo.org/matomo.php",
      body: #"{"requests": ["?idsite=1&action_name=Test&rec=1", "?idsite=1&rec=1&idgoal=2"]}"#,
      events: [("pageview", nil, nil), ("goal", nil, nil)]),
  ]

  @Test("find the events of the protocols' own examples", arguments: examples)
  func findEvents(example: Example) throws {
    let decoder = try #require(EventDecoder.builtIn(example.decoder))
    let headers = example.contentType.map { ["Content-Type": $0] } ?? [:]
    let request = MatchableRequest(
      method: example.method, url: example.url, headers: headers,
      body: example.body.map { Array($0.utf8) })
    let events = try decoder.events(in: request)
    #expect(events.map(\.name) == example.events.map(\.0))
    #expect(events.map(\.id) == example.events.map(\.1))
    #expect(events.map { $0.time?.seconds } == example.events.map(\.2))
    #expect(events.map(\.number) == Array(1...max(1, events.count)))
  }

  @Test(
    "don't overlook what lacks a name beside events",
    arguments: [
      ("amplitude", "/2/httpapi", #"{"events": [{"event_type": "A"}, {"evnt_type": "B"}]}"#),
      ("segment", "/v1/batch", #"{"batch": [{"type": "page"}, {"typ": "track"}]}"#),
      ("posthog", "/batch/", #"{"batch": [{"event": "A"}, {"properties": {}}]}"#),
      ("mixpanel", "/track", #"[{"event": "A"}, {"Event": "B"}]"#),
    ])
  func nameless(decoder: String, path: String, body: String) throws {
    let request = MatchableRequest(
      method: "POST", url: "https://a.example\(path)", body: Array(body.utf8))
    let decoder = try #require(EventDecoder.builtIn(decoder))
    #expect(throws: EventFault.missingName(number: 2)) { try decoder.events(in: request) }
  }

  @Test("have no path that can't be read", arguments: EventDecoder.builtInNames)
  func paths(name: String) throws {
    let decoder = try #require(EventDecoder.builtIn(name))
    #expect(!decoder.layout.name.isEmpty)
    #expect(decoder.layout.ignored.count >= 3)
    #expect(decoder.request.target != nil)
  }

  @Test("leave other services alone that have the same paths")
  func others() throws {
    for (name, url) in [
      ("amplitude", "https://a.example/batch"), ("posthog", "https://a.example/v1/batch"),
      ("segment", "https://a.example/v1/batch"), ("mixpanel", "https://a.example/track"),
    ] {
      let request = MatchableRequest(
        method: "POST", url: url, body: Array(#"{"other": [{"kind": 1}]}"#.utf8))
      #expect(try EventDecoder.builtIn(name)?.events(in: request).isEmpty == true, "\(name)")
    }
  }
}
