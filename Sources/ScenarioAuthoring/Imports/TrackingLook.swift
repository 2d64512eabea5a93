import JSON
import RequestMatching
import ScenarioCore

/// Tells by a captured exchange whether it looks like tracking.
package struct TrackingLook {
  /// Why it does.
  package enum Reason: Sendable, Equatable {
    /// Its host was named as one of tracking.
    case namedHost
    /// Its host is a well-known service of analytics or advertising, or is named like one.
    case collector
    /// A decoder, the project's own or a built-in one, finds analytics events in it.
    case events(decoder: String)
    /// A picture of so few bytes that nobody could see it.
    case pixel
    /// It was answered with 204.
    case noContent
  }

  private let named: TrackedHosts
  /// The project's own.
  let decoders: [EventDecoder]

  /// - Parameters:
  ///   - hosts: those that are named; `*` stands for any number of characters.
  ///   - decoders: the project's own.
  package init(hosts: [String], decoders: [EventDecoder] = []) {
    named = TrackedHosts(hosts)
    self.decoders = decoders
  }

  /// Hosts, and all below them, to which apps and pages send what people do.
  private static let collectors = [
    "google-analytics.com", "analytics.google.com", "app-measurement.com", "doubleclick.net",
    "googleadservices.com", "firebaselogging-pa.googleapis.com", "api.segment.io", "mixpanel.com",
    "amplitude.com", "api.branch.io", "api2.branch.io", "appsflyer.com", "adjust.com",
    "kochava.com", "scorecardresearch.com", "bat.bing.com", "mc.yandex.ru", "clarity.ms",
    "hotjar.io", "nr-data.net", "analytics.tiktok.com", "ads-twitter.com", "criteo.com",
    "braze.com", "wcs.naver.com", "bc.ad.daum.net", "app-analytics-services.com", "airbridge.io",
    "adbrix.io", "singular.net", "posthog.com", "heapanalytics.com", "chartbeat.net", "moatads.com",
    "quantserve.com", "imrworldwide.com", "demdex.net", "omtrdc.net", "krxd.net", "adnxs.com",
    "adsrvr.org", "statsigapi.net",
  ]
  /// Words in the names of hosts of the same kind.
  private static let collectorWords: Set<Substring> = [
    "analytics", "collector", "metrics", "telemetry",
  ]
  /// A GIF of one pixel has 35 to 43 bytes, a PNG 67 to 95.
  private static let pixelBytes = 1...200

  /// - Returns: `nil` where it doesn't, and for a browser's question whether it may send something: an app
  ///   asks none.
  func reason(_ request: MatchableRequest, _ response: JSONValue) -> Reason? {
    guard request.method != "OPTIONS" else { return nil }
    for decoder in decoders where !decoder.readableEvents(in: request).isEmpty {
      return .events(decoder: decoder.name)
    }
    if named.contain(request.url.text) { return .namedHost }
    let host = String(decoding: request.url.host ?? [], as: UTF8.self).lowercased()
    let words = host.split { $0 == "." || $0 == "-" }
    if !Self.collectorWords.isDisjoint(with: words)
      || Self.collectors.contains(where: { host == $0 || host.hasSuffix("." + $0) })
    {
      return .collector
    }
    let builtIn = EventDecoder.builtInNames.compactMap { EventDecoder.builtIn($0) }
    for decoder in builtIn where !decoder.readableEvents(in: request).isEmpty {
      return .events(decoder: decoder.name)
    }
    let isAsked = request.method == "GET" || request.method == "POST"
    if isAsked, response["status"]?.int == 204 { return .noContent }
    return request.method == "GET" && Self.isPixel(response) ? .pixel : nil
  }

  private static func isPixel(_ response: JSONValue) -> Bool {
    let content = response["content"] ?? .null
    let type = content["mimeType"]?.string?.lowercased() ?? ""
    guard type.hasPrefix("image/"), !type.hasPrefix("image/svg") else { return false }
    return content["size"]?.int.map(pixelBytes.contains) ?? false
  }
}
