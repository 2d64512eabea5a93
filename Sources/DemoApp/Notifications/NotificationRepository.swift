import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A notification as the server lists it.
struct NotificationSummary: Decodable, Sendable {
  var id: String
  var title: String
  var content: String
  var isRead: Bool
}

/// A notification with its links.
struct NotificationDetail: Decodable, Sendable {
  var id: String
  var title: String
  var content: String
  var deepLink: String?
  var webLink: String?

  /// The link of the "go" button, which prefers the web link.
  var link: Link? {
    webLink.map(Link.web) ?? deepLink.map(Link.deep)
  }
}

/// The server's notifications.
protocol NotificationRepository: Sendable {
  /// - Parameter page: from 0, 20 notifications each.
  func notifications(page: Int) async throws -> [NotificationSummary]
  func detail(id: String) async throws -> NotificationDetail
  func markRead(id: String) async throws
}

/// Asks the server of notifications.
struct LiveNotificationRepository: NotificationRepository {
  static let pageSize = 20

  let server: Server

  func notifications(page: Int) async throws -> [NotificationSummary] {
    try await server.get(
      server.base.appending(path: "all")
        .appending(query: [("page", "\(page)"), ("size", "\(Self.pageSize)")]))
  }

  func detail(id: String) async throws -> NotificationDetail {
    try await server.get(server.base.appending(path: "detail").appending(component: id))
  }

  func markRead(id: String) async throws {
    var request = URLRequest(
      url: server.base.appending(path: "read").appending(component: id))
    request.httpMethod = "PATCH"
    _ = try await server.session.fetchBody(request)
  }
}
