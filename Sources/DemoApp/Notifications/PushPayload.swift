/// A remote notification of the app's own shape.
///
/// `aps.alert.title`, `aps.alert.body` and `id` are required: a payload without them is another
/// sender's, and is ignored.
struct PushPayload: Decodable {
  struct APS: Decodable {
    struct Alert: Decodable {
      var title: String
      var body: String
    }
    var alert: Alert
  }

  var aps: APS
  var id: String
  var category: String?
  /// A path into the app: `home/notification?…`.
  var deepLink: String?
  /// A page of the web, shown inside the app.
  var webLink: String?
}

/// The notifications that came to this device, the newest first.
@MainActor final class NotificationInbox {
  private(set) var received: [PushPayload] = []

  /// Keeps a notification; the same one delivered again stays one.
  func receive(_ payload: PushPayload) {
    received.removeAll { $0.id == payload.id }
    received.insert(payload, at: 0)
  }
}
