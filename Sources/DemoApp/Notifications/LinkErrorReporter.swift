import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
    let query = [("error", error.rawValue), ("link", link)]
    guard let url = URL(string: "https://track.example.com/link-error")?.appending(query: query)
    else { return }
    let session = session
    Task { _ = try? await session.data(from: url) }
  }
}
