import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where poses come from.
package protocol PoseRepository: Sendable {
  /// - Parameter page: from 0.
  func poses(page: Int) async throws -> PosePage
}

/// Asks the server for a feed through a session.
package struct LivePoseRepository: PoseRepository {
  package static let pageSize = 8

  /// Which poses.
  package enum Feed: Sendable, Equatable {
    case all
    /// The first eight that a user has bookmarked.
    case bookmarks(userID: Int)
  }

  private let session: URLSession
  private let base: URL
  private let feed: Feed

  package init(session: URLSession, base: URL, feed: Feed) {
    self.session = session
    self.base = base
    self.feed = feed
  }

  package func poses(page: Int) async throws -> PosePage {
    let answer = try await session.fetch(URLRequest(url: url(page: page)))
    guard 200..<300 ~= answer.status else { throw URLError(.badServerResponse) }
    return try JSONDecoder().decode(PosePage.self, from: answer.body)
  }

  private func url(page: Int) -> URL {
    let paging = [("pageNumber", "\(page)"), ("pageSize", "\(Self.pageSize)")]
    switch feed {
    case .all: return base.appending(path: "api/pose").appending(query: paging)
    case .bookmarks(let userID):
      return base.appending(path: "api/bookmark")
        .appending(query: [("userId", "\(userID)")] + paging)
    }
  }
}
