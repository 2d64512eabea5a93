import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The query of a link; of a repeated parameter the first counts.
package struct LinkParameters: Sendable, Equatable {
  private var values: [String: String]

  package static let none = LinkParameters([:])

  package init(_ values: [String: String]) {
    self.values = values
  }

  package init(query: String?) {
    var components = URLComponents()
    components.percentEncodedQuery = query
    let items = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    values = Dictionary(items, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a parameter; an empty one counts as missing.
  package subscript(name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Names and values as they were handed on, sorted by name.
  package var sorted: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  /// Whether the link carries an `expiredAt` that lies before `now`.
  ///
  /// A malformed date counts as expired; a link without one never expires.
  package func isExpired(at now: Date) -> Bool {
    guard let text = values["expiredAt"] else { return false }
    guard let expiry = LinkExpiry.date(from: text) else { return true }
    // A millisecond is not exact in a `Date`: equal instants may differ by some 0.1 µs.
    return now.timeIntervalSince(expiry) > 1e-6
  }
}

/// Reads `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`, in UTC whatever the machine's time zone.
enum LinkExpiry {
  /// - Returns: `nil` for any other shape, also for dates that don't exist.
  static func date(from text: String) -> Date? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    // The formatter is lenient, but writes each date in one way only; years of five digits, too.
    guard text.utf8.count == "yyyy-MM-ddTHH:mm:ss.SSSZ".utf8.count,
      let date = formatter.date(from: text), formatter.string(from: date) == text
    else { return nil }
    return date
  }
}

/// Tells the team that a link led nowhere.
@MainActor package protocol LinkErrorReporting {
  func report(_ error: LinkError, link: String)
}

/// Reports each error by one tracking request.
@MainActor package struct LiveLinkErrorReporter: LinkErrorReporting {
  private let session: URLSession

  package init(session: URLSession) {
    self.session = session
  }

  package func report(_ error: LinkError, link: String) {
    let query = [("error", error.rawValue)] + (link.isEmpty ? [] : [("link", link)])
    guard let url = URL(string: "https://track.example.com/link-error")?.appending(query: query)
    else { return }
    let session = session
    Task { _ = try? await session.data(from: url) }
  }
}
