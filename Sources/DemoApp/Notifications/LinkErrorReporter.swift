import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells the team that a link led nowhere.
@MainActor public protocol LinkErrorReporting {
  func report(_ error: LinkError, link: String)
}

/// Reports each error by one tracking request.
@MainActor public struct LiveLinkErrorReporter: LinkErrorReporting {
  private let session: URLSession

  public init(session: URLSession) {
    self.session = session
  }

  public func report(_ error: LinkError, link: String) {
    var components = URLComponents()
    components.scheme = "https"
    components.host = "track.example.com"
    components.path = "/link-error"
    components.queryItems = [
      URLQueryItem(name: "error", value: error.rawValue), URLQueryItem(name: "link", value: link),
    ]
    guard let url = components.url else { return }
    let session = session
    Task { _ = try? await session.data(from: url) }
  }
}
