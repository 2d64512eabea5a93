import Foundation

/// A link before it is read.
package enum Link: Sendable, Equatable {
  case deep(String)
  case web(String)

  package var text: String {
    switch self {
    case .deep(let text), .web(let text): text
    }
  }

  /// The link of a URL that another app opened: a page of the web, or a path behind the app's
  /// own scheme.
  package init(url: URL) {
    let text = url.absoluteString
    let isWeb = ["http", "https"].contains(url.scheme?.lowercased())
    let path = text.range(of: "://").map { String(text[$0.upperBound...]) } ?? text
    self = isWeb ? .web(text) : .deep(path)
  }

  /// The links of a notification, in the order in which they are taken: the deep link, then the
  /// web link on top; without either the notification's own detail.
  package static func links(of payload: PushPayload) -> [Link] {
    let links = [payload.deepLink.map(Link.deep), payload.webLink.map(Link.web)].compactMap { $0 }
    return links.isEmpty ? [.detail(id: payload.id)] : links
  }

  /// The detail of a notification.
  static func detail(id: String) -> Link {
    var components = URLComponents()
    components.queryItems = [URLQueryItem(name: "id", value: id)]
    return .deep("home/notification/detail?\(components.percentEncodedQuery ?? "")")
  }

  func resolved(at now: Date) throws(LinkError) -> LinkRoute {
    switch self {
    case .deep(let text): try LinkRoute(deepLink: text, now: now)
    case .web(let text): try LinkRoute(webLink: text, now: now)
    }
  }
}
