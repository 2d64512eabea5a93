import Foundation

/// A remote notification of the app's own shape.
///
/// `aps.alert.title`, `aps.alert.body` and `id` are required: a payload without them is another
/// sender's, and is ignored.
package struct PushPayload: Sendable, Equatable {
  package var id: String
  package var title: String
  package var body: String
  package var category: String?
  /// A path into the app: `home/notification?…`.
  package var deepLink: String?
  /// A page of the web, shown inside the app.
  package var webLink: String?

  package init(
    id: String, title: String, body: String, category: String? = nil, deepLink: String? = nil,
    webLink: String? = nil
  ) {
    self.id = id
    self.title = title
    self.body = body
    self.category = category
    self.deepLink = deepLink
    self.webLink = webLink
  }
}

extension PushPayload: Decodable {
  private enum CodingKeys: String, CodingKey {
    case aps, id, category, deepLink, webLink
  }

  private struct APS: Decodable {
    struct Alert: Decodable {
      var title: String
      var body: String
    }
    var alert: Alert
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let alert = try container.decode(APS.self, forKey: .aps).alert
    self.init(
      id: try container.decode(String.self, forKey: .id), title: alert.title, body: alert.body,
      category: try container.decodeIfPresent(String.self, forKey: .category),
      deepLink: try container.decodeIfPresent(String.self, forKey: .deepLink),
      webLink: try container.decodeIfPresent(String.self, forKey: .webLink))
  }
}

/// Takes remote notifications: all into the inbox, tapped ones where they lead.
@MainActor package final class PushReceiver {
  private let inbox: NotificationInbox
  private let router: LinkRouter
  private let events: any EventLogging

  package init(inbox: NotificationInbox, router: LinkRouter, events: any EventLogging) {
    self.inbox = inbox
    self.router = router
    self.events = events
  }

  /// - Parameter json: the payload; one of another shape is ignored.
  package func receive(_ json: Data, tapped: Bool) {
    guard let payload = try? JSONDecoder().decode(PushPayload.self, from: json) else { return }
    inbox.receive(payload)
    events.log(
      AnalyticsEvent(
        name: tapped ? "push_opened" : "push_delivered", parameters: ["id": payload.id]))
    guard tapped else { return }
    for link in Link.links(of: payload) { router.route(link) }
  }
}
