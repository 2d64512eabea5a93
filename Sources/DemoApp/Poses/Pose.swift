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
