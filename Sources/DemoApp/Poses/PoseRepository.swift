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
  private let decoder: AnswerDecoder

  package init(session: URLSession, base: URL, feed: Feed, decoder: AnswerDecoder) {
    self.session = session
    self.base = base
    self.feed = feed
    self.decoder = decoder
  }

  package func poses(page: Int) async throws -> PosePage {
    let body = try await session.fetchBody(URLRequest(url: url(page: page)))
    return try decoder.decode(PosePage.self, from: body)
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

/// A pose of the feed.
package struct Pose: Decodable, Sendable, Equatable {
  package var poseId: Int
  /// The image's URL.
  package var imageKey: String
  package var createdAt: String
  package var updatedAt: String
}

/// One page of the feed.
package struct PosePage: Decodable, Sendable, Equatable {
  package struct Content: Decodable, Sendable, Equatable {
    package var poseInfo: Pose
  }

  package var content: [Content]
  package var last: Bool
}

/// Downloads each image at most once and keeps it; what failed is tried again when asked again.
@MainActor package final class ImageLoader {
  private let session: URLSession
  private var images: [String: PoseImage] = [:]
  private var downloads: [String: Task<PoseImage?, Never>] = [:]

  package init(session: URLSession) {
    self.session = session
  }

  /// The image, from the cache or from the one download that all who ask share.
  ///
  /// - Returns: `nil` where the download failed.
  package func image(_ key: String) async -> PoseImage? {
    if let image = images[key] { return image }
    let download = downloads[key] ?? startDownload(of: key)
    return await download.value
  }

  private func startDownload(of key: String) -> Task<PoseImage?, Never> {
    let session = session
    let download = Task {
      let image = await Self.download(key, through: session)
      images[key] = image
      downloads[key] = nil
      return image
    }
    downloads[key] = download
    return download
  }

  private static func download(_ key: String, through session: URLSession) async -> PoseImage? {
    guard let url = URL(string: key), let body = try? await session.fetchBody(URLRequest(url: url))
    else { return nil }
    return PoseImage(png: body)
  }
}
