import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Everything that the app is made of, put together once, at launch.
///
/// Nothing below asks where a part comes from: the live ones go to the network through their
/// sessions, and each can be replaced by a fake one.
@MainActor package struct Dependencies {
  var clock: any Clock<Duration>
  var now: @Sendable () -> Date
  var tracker: any AdTracking
  package var search: any SearchRepository
  var books: any BookRepository
  var items: any ItemRepository
  var poses: any PoseRepository
  var images: ImageLoader
  var notifications: any NotificationRepository
  var linkErrors: any LinkErrorReporting
  var events: any EventLogging
  /// Tells how the app is used; `nil` where nobody wants to know.
  var analytics: AnalyticsClient?
  /// Hands a URL to the system, which leaves the app.
  var openURL: @MainActor (URL) -> Void
  /// Where a newer version of the app is.
  let storePage: URL

  /// The live app.
  ///
  /// - Parameters:
  ///   - storage: the app's own folder; created when something is kept there.
  ///   - session: for the app's servers.
  ///   - trackerSession: for the advertisers' servers and the app's own analytics.
  ///   - hasAnalytics: whether it is told how the app is used.
  ///   - openURL: hands a URL to the system.
  ///   - decoder: for what the app's servers answer.
  package init(
    clock: any Clock<Duration>, now: @escaping @Sendable () -> Date, network: NetworkStatus,
    storage: URL, session: URLSession, trackerSession: URLSession,
    hasAnalytics: Bool, openURL: @escaping @MainActor (URL) -> Void, decoder: AnswerDecoder
  ) throws {
    func server(_ address: String) throws -> Server {
      Server(session: session, base: try Self.url(address), decoder: decoder)
    }
    let shop = try server("https://shop.example.com/api")
    self.clock = clock
    self.now = now
    self.openURL = openURL
    storePage = try Self.url("https://apps.example.com/app/id1234567890")
    tracker = MacroExpandingTracker(
      tracker: AdTracker(
        session: trackerSession, network: network,
        queue: KeptFile("tracking-queue.json", in: storage)),
      now: now)
    search = LiveSearchRepository(server: shop)
    books = LiveBookRepository(
      server: try server("https://dapi.kakao.com/v3/search/book"), apiKey: "demo-key")
    items = LiveItemRepository(server: shop)
    poses = LivePoseRepository(server: try server("https://pose.example.com/api"))
    images = ImageLoader(session: session)
    notifications = LiveNotificationRepository(
      server: try server("https://sopt.example.com/api/v2/notification"))
    linkErrors = LiveLinkErrorReporter(session: trackerSession)
    events = EventBatcher(
      session: trackerSession, endpoint: try Self.url("https://track.example.com/events"),
      network: network, clock: clock)
    guard hasAnalytics else { return }
    analytics = AnalyticsClient(
      session: trackerSession, endpoint: try Self.url("https://track.example.com/v1/batch"),
      file: KeptFile("analytics.json", in: storage), clock: clock, now: now)
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}
