/// The notifications that came to this device, the newest first.
@MainActor public final class NotificationInbox {
  public private(set) var received: [PushPayload] = []

  public init() {}

  /// Keeps a notification; the same one delivered again stays one.
  public func receive(_ payload: PushPayload) {
    received.removeAll { $0.id == payload.id }
    received.insert(payload, at: 0)
  }
}
