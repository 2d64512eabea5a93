import Foundation

/// Where a link leads: screens to be pushed one by one, the last with the query.
enum LinkRoute: Equatable {
  case screens([LinkDestination], LinkParameters)
  case web(URL)
}

extension LinkRoute {
  /// Reads a deep link: `segment(/segment)*?query`; `/home` is `home`, no URL at all is `home`.
  ///
  /// - Throws: `expiredLink`, else `linkNotFound` where a segment isn't a child of the one before.
  init(deepLink: String, now: Date) throws(LinkError) {
    guard !deepLink.isEmpty else {
      self = .screens([.home], .none)
      return
    }
    let parts = deepLink.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = LinkParameters(query: parts.count > 1 ? String(parts[1]) : nil)
    if parameters.isExpired(at: now) { throw .expiredLink }
    self = .screens(try Self.destinations(of: parts[0]), parameters)
  }

  /// Reads a web link.
  ///
  /// - Throws: `invalidLink` where it isn't a valid URL, else `invalidScheme` where it is neither http nor
  ///   https, else `expiredLink`.
  init(webLink: String, now: Date) throws(LinkError) {
    guard let url = URL(string: webLink) else { throw .invalidLink }
    guard ["http", "https"].contains(url.scheme?.lowercased()) else { throw .invalidScheme }
    let query = URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQuery
    if LinkParameters(query: query).isExpired(at: now) { throw .expiredLink }
    self = .web(url)
  }

  private static func destinations(
    of path: Substring
  ) throws(LinkError) -> [LinkDestination] {
    let trimmed = path.hasPrefix("/") ? path.dropFirst() : path
    var way: [LinkDestination] = []
    for segment in trimmed.split(separator: "/", omittingEmptySubsequences: false) {
      let choices = way.last?.children ?? [.home]
      guard let next = choices.first(where: { $0.rawValue == segment }) else {
        throw .linkNotFound
      }
      way.append(next)
    }
    return way
  }
}

/// The query of a link; of a repeated parameter the first counts.
struct LinkParameters: Equatable {
  private var values: [String: String] = [:]

  static let none = LinkParameters(query: nil)

  init(query: String?) {
    var components = URLComponents()
    components.percentEncodedQuery = query
    let items = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    values = Dictionary(items, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a parameter; an empty one counts as missing.
  subscript(name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Names and values as they were handed on, sorted by name.
  var text: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
  }

  /// Whether the link carries an `expiredAt` that lies before `now`.
  ///
  /// A malformed date counts as expired; a link without one never expires.
  func isExpired(at now: Date) -> Bool {
    guard let text = values["expiredAt"] else { return false }
    guard let expiry = Self.date(from: text) else { return true }
    // A millisecond is not exact in a `Date`: equal instants may differ by some 0.1 µs.
    return now.timeIntervalSince(expiry) > 1e-6
  }

  /// Reads `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`, in UTC whatever the machine's time zone.
  ///
  /// - Returns: `nil` for any other shape, also for dates that don't exist.
  private static func date(from text: String) -> Date? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    // The formatter is lenient, but writes each date in one way only; years of five digits, too.
    guard text.utf8.count == "yyyy-MM-ddTHH:mm:ss.SSSZ".utf8.count,
      let date = formatter.date(from: text), formatter.string(from: date) == text
    else { return nil }
    return date
  }
}
