/// Why a link led nowhere.
package enum LinkError: String, Error, Sendable, CaseIterable {
  case linkNotFound
  case expiredLink
  case invalidLink
  case invalidScheme

  /// The alert that tells the user; some errors have none.
  package var alert: LinkAlert? {
    switch self {
    case .linkNotFound: .update
    case .expiredLink: .invalidLink
    case .invalidLink, .invalidScheme: nil
    }
  }
}

/// An alert about a link.
package enum LinkAlert: String, Sendable {
  /// The link needs a newer version of the app.
  case update = "updateAlert"
  /// The link is no longer valid.
  case invalidLink = "invalidLinkAlert"
}
