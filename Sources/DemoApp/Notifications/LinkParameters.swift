import Foundation

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
