import Foundation

/// Which poses.
enum PoseFeed: Sendable {
  case all
  /// The first that a user has bookmarked.
  case bookmarks(userID: Int)
}

/// Where poses come from.
protocol PoseRepository: Sendable {
  /// - Parameter page: from 0.
  func poses(_ feed: PoseFeed, page: Int) async throws -> PosePage
}

/// Asks the poses' server.
struct LivePoseRepository: PoseRepository {
  static let pageSize = 8

  let server: Server

  func poses(_ feed: PoseFeed, page: Int) async throws -> PosePage {
    let paging = [("pageNumber", "\(page)"), ("pageSize", "\(Self.pageSize)")]
    let url =
      switch feed {
      case .all: server.base.appending(path: "pose").appending(query: paging)
      case .bookmarks(let userID):
        server.base.appending(path: "bookmark").appending(
          query: [("userId", "\(userID)")] + paging)
      }
    return try await server.get(url)
  }
}

/// A pose of the feed.
struct Pose: Decodable, Sendable {
  var poseId: Int
  /// The image's URL.
  var imageKey: String
  var createdAt: String
  var updatedAt: String
}

/// One page of the feed.
struct PosePage: Decodable, Sendable {
  struct Content: Decodable, Sendable {
    var poseInfo: Pose
  }

  var content: [Content]
  var last: Bool
}
