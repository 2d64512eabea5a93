import Foundation

/// Takes remote notifications: all into the inbox, tapped ones where they lead.
@MainActor public final class PushReceiver {
  private let inbox: NotificationInbox
  private let router: LinkRouter

  public init(inbox: NotificationInbox, router: LinkRouter) {
    self.inbox = inbox
    self.router = router
  }

  /// - Parameter json: the payload; one of another shape is ignored.
  public func receive(_ json: Data, tapped: Bool) {
    guard let payload = try? JSONDecoder().decode(PushPayload.self, from: json) else { return }
    inbox.receive(payload)
    if tapped { Link.links(of: payload).forEach(router.route) }
  }
}
