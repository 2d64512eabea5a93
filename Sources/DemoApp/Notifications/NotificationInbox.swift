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
