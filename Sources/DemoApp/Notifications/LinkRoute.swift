import Foundation

/// Where a link leads: screens to be pushed one by one, the last with the query.
package enum LinkRoute: Sendable, Equatable {
  case screens([LinkDestination], LinkParameters)
  case web(URL)
}

extension LinkRoute {
  /// Reads a deep link: `segment(/segment)*?query`; `/home` is `home`, no URL at all is `home`.
  ///
  /// - Throws: `expiredLink`, else `linkNotFound` where a segment isn't a child of the one before.
  package init(deepLink: String, now: Date) throws(LinkError) {
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
  package init(webLink: String, now: Date) throws(LinkError) {
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
