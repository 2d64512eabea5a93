import Foundation

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
