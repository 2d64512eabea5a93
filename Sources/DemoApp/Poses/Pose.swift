/// A pose of the feed.
public struct Pose: Decodable, Sendable, Equatable {
  public var poseId: Int
  /// The image's URL.
  public var imageKey: String
  public var createdAt: String
  public var updatedAt: String
}

/// One page of the feed.
public struct PosePage: Decodable, Sendable, Equatable {
  public struct Content: Decodable, Sendable, Equatable {
    public var poseInfo: Pose
  }

  public var content: [Content]
  public var last: Bool
}
