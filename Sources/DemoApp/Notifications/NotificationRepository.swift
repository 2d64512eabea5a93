import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A notification as the server lists it.
package struct NotificationSummary: Decodable, Sendable, Equatable {
  package var id: String
  package var title: String
  package var content: String
  package var isRead: Bool
}

/// A notification with its links.
package struct NotificationDetail: Decodable, Sendable, Equatable {
  package var id: String
  package var title: String
  package var content: String
  package var deepLink: String?
  package var webLink: String?

  /// The link of the "go" button, which prefers the web link.
  package var link: Link? {
    webLink.map(Link.web) ?? deepLink.map(Link.deep)
  }
}

/// The server's notifications.
package protocol NotificationRepository: Sendable {
  /// - Parameter page: from 0, 20 notifications each.
  func notifications(page: Int) async throws -> [NotificationSummary]
  func detail(id: String) async throws -> NotificationDetail
  func markRead(id: String) async throws
}

/// Asks the server through a session.
package struct LiveNotificationRepository: NotificationRepository {
  package static let pageSize = 20

  private let session: URLSession
  private let base: URL
  private let decoder: AnswerDecoder

  package init(session: URLSession, base: URL, decoder: AnswerDecoder) {
    self.session = session
    self.base = base
    self.decoder = decoder
  }

  package func notifications(page: Int) async throws -> [NotificationSummary] {
    let url = base.appending(path: "notification/all").appending(queryItems: [
      URLQueryItem(name: "page", value: "\(page)"),
      URLQueryItem(name: "size", value: "\(Self.pageSize)"),
    ])
    return try decoder.decode([NotificationSummary].self, from: try await send("GET", url))
  }

  package func detail(id: String) async throws -> NotificationDetail {
    let url = base.appending(path: "notification/detail").appending(component: id)
    return try decoder.decode(NotificationDetail.self, from: try await send("GET", url))
  }

  package func markRead(id: String) async throws {
    _ = try await send("PATCH", base.appending(path: "notification/read").appending(component: id))
  }

  private func send(_ method: String, _ url: URL) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = method
    return try await session.fetchBody(request)
  }
}

/// The notifications that came to this device, the newest first.
@MainActor package final class NotificationInbox {
  package private(set) var received: [PushPayload] = []

  package init() {}

  /// Keeps a notification; the same one delivered again stays one.
  package func receive(_ payload: PushPayload) {
    received.removeAll { $0.id == payload.id }
    received.insert(payload, at: 0)
  }
}
