import JSON

extension EventDecoder {
  /// The protocols of widespread SDKs, by the name that a configuration gives them.
  package static let builtInNames = builtIns.map(\.name)

  /// - Returns: `nil` where there is none of this name.
  package static func builtIn(_ name: String) -> EventDecoder? {
    builtIns.first { $0.name == name }
  }

  private static let builtIns = [
    segment, ga4, amplitude, mixpanel, snowplow, posthog, matomo,
  ]

  /// Segment's tracking API: https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/
  private static let segment = make(
    "segment", path: ".*/v1/(b|batch|t|track|p|page|s|screen|i|identify|g|group|a|alias|import)",
    name: ["$.event", "$.type"], id: "$.messageId", time: ["$.originalTimestamp", "$.timestamp"],
    ignored: [
      "$.messageId", "$.timestamp", "$.originalTimestamp", "$.sentAt", "$.context", "$.writeKey",
    ],
    events: { events(in: $0["body"], "batch", having: "type") })

  /// Google Analytics 4 on the web, one event a line of its body or in its query, and the Measurement
  /// Protocol: https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference
  private static let ga4 = make(
    "ga4", path: ".*/(g|mp)/collect", method: nil, name: ["$.en", "$.name"], id: nil,
    time: ["$.timestamp_micros"],
    ignored: ["$._p", "$._s", "$._et", "$.sid", "$.timestamp_micros"],
    readsForms: false, events: ga4Events)

  /// Amplitude's HTTP V2 and batch APIs: https://amplitude.com/docs/apis/analytics/http-v2
  private static let amplitude = make(
    "amplitude", path: ".*/(2/httpapi|batch)", name: ["$.event_type"], id: "$.insert_id",
    time: ["$.time"],
    ignored: ["$.insert_id", "$.time", "$.event_id", "$.session_id"],
    events: { events(in: $0["body"], "events", having: "event_type") })

  /// Mixpanel's ingestion API, JSON or `data` in Base64:
  /// https://developer.mixpanel.com/reference/track-event
  private static let mixpanel = make(
    "mixpanel", path: ".*/(track|import)/?", method: nil, name: ["$.event"],
    id: "$.properties['$insert_id']", time: ["$.properties.time"],
    ignored: ["$.properties['$insert_id']", "$.properties.time", "$.properties['$mp_event_size']"],
    base64: ["data"],
    events: { document in
      [document["query"]?["data"], document["body"]?["data"], document["body"]]
        .flatMap { events(in: $0, "events", having: "event") }
    })

  /// Snowplow's tracker protocol, POST and GET:
  /// https://docs.snowplow.io/docs/fundamentals/canonical-event/snowplow-tracker-protocol
  private static let snowplow = make(
    "snowplow", path: ".*/(com\\.snowplowanalytics\\.snowplow/tp2|i)", method: nil,
    name: ["$.ue.data.schema", "$.se_ac", "$.e"], id: "$.eid", time: ["$.ttm", "$.dtm"],
    ignored: ["$.eid", "$.dtm", "$.stm", "$.ttm", "$.co"], base64: ["ue_px", "cx"],
    events: snowplowEvents)

  /// PostHog's capture and batch APIs: https://posthog.com/docs/api/capture
  private static let posthog = make(
    "posthog", path: ".*/(batch|capture|e|i/v0/e)/?", name: ["$.event"], id: "$.uuid",
    time: ["$.timestamp"],
    ignored: [
      "$.uuid", "$.timestamp", "$.properties['$session_id']", "$.properties['$window_id']",
    ],
    base64: ["data"],
    events: { document in
      [document["body"]?["data"], document["body"]]
        .flatMap { events(in: $0, "batch", having: "event") }
    })

  /// Matomo's tracking API, single and in bulk: https://developer.matomo.org/api-reference/tracking-api
  private static let matomo = make(
    "matomo", path: ".*/(matomo|piwik)\\.php", method: nil, name: ["$.event"], id: nil, time: [],
    ignored: ["$.rand", "$.h", "$.m", "$.s", "$.pv_id", "$.cdt"],
    events: matomoEvents)

  // MARK: - Protocols whose events aren't at a path

  /// What a request says for all of its events is a part of each. SDKs send lines as a form, too.
  private static func ga4Events(_ document: JSONValue) -> [JSONValue] {
    if let events = document["body"]?["events"]?.array { return events }
    let shared = document["query"]?.object ?? [:]
    let lines: [JSONValue]
    switch document["body"] {
    case .string(let text)?:
      lines = text.split(whereSeparator: \.isNewline).map {
        RequestDocument.object(of: QueryItem.items(of: Array($0.utf8)[...]))
      }
    case .object(let object)?: lines = [.object(object)]
    default: lines = []
    }
    return (lines.isEmpty ? [[:]] : lines).map { line in
      var event = shared
      for member in line.object?.members ?? [] { event[member.key] = member.value }
      return .object(event)
    }
  }

  /// The self-describing event is `ue`, however it was encoded.
  private static func snowplowEvents(_ document: JSONValue) -> [JSONValue] {
    let events = document["body"]?["data"]?.array ?? [document["query"] ?? [:]]
    return events.map { event in
      guard var members = event.object else { return event }
      let described =
        members["ue_px"]
        ?? members["ue_pr"]?.string.flatMap { JSONValue(body: Array($0.utf8)) }
      if let described { members["ue"] = described }
      members["ue_px"] = nil
      members["ue_pr"] = nil
      return .object(members)
    }
  }

  /// Each gets `event`: the action of an event, or what kind of hit it is.
  private static func matomoEvents(_ document: JSONValue) -> [JSONValue] {
    let hits: [JSONValue]
    if let requests = document["body"]?["requests"]?.array {
      hits = requests.map { request in
        guard let text = request.string else { return request }
        let query = text.drop { $0 == "?" }
        return RequestDocument.object(of: QueryItem.items(of: Array(query.utf8)[...]))
      }
    } else {
      // As Matomo has it, which adds $_POST to $_GET: what the query says holds.
      var hit = document["body"]?.object ?? [:]
      for member in document["query"]?.object?.members ?? [] { hit[member.key] = member.value }
      hits = [.object(hit)]
    }
    return hits.map { hit in
      var hit = hit.object ?? [:]
      hit["event"] = hit["e_a"] ?? .string(matomoKind(hit))
      return .object(hit)
    }
  }

  private static func matomoKind(_ hit: JSONObject) -> String {
    let kinds = [("search", "search"), ("idgoal", "goal"), ("download", "download")]
    if let kind = kinds.first(where: { hit[$0.0] != nil }) { return kind.1 }
    if hit["link"] != nil { return "outlink" }
    return hit["ping"] != nil ? "ping" : "pageview"
  }

  /// The events of a batch under a key, of a list, or the only one; none where none of them has a member that
  /// each event has: other services have the same paths.
  private static func events(
    in body: JSONValue?, _ key: String, having member: String
  ) -> [JSONValue] {
    guard let body else { return [] }
    let events = body.array ?? body[key]?.array ?? [body]
    return events.contains { $0[member] != nil } ? events : []
  }

  private static func make(
    _ name: String, path: String, method: String? = "POST", name names: [String], id: String?,
    time: [String], ignored: [String], base64: Set<String> = [],
    readsForms: Bool = true, events: @escaping @Sendable (JSONValue) -> [JSONValue]
  ) -> EventDecoder {
    // Literals of this file: a test reads each of them.
    func parsed(_ text: String) -> JSONPath? { try? JSONPath(text) }
    var layout = EventLayout(name: names.compactMap(parsed))
    layout.id = id.flatMap(parsed)
    layout.time = time.compactMap(parsed)
    layout.ignored = ignored.compactMap(parsed)
    layout.base64 = base64
    layout.readsForms = readsForms
    layout.events = .built(events)
    let target = (try? TextPattern(path)).map { RequestPattern.Target.urlPathPattern($0) }
    return EventDecoder(
      name: name, request: RequestPattern(method: method, target: target), layout: layout)
  }
}
