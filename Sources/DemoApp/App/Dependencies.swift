import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Everything that the app is made of, put together once, at launch.
///
/// Nothing below asks where a part comes from: the live ones go to the network through their
/// sessions, and each can be replaced by a fake one.
@MainActor package struct Dependencies {
  package var clock: any Clock<Duration>
  package var now: @Sendable () -> Date
  package var tracker: any AdTracking
  package var search: any SearchRepository
  package var books: any BookRepository
  package var items: any ItemRepository
  package var poses: @MainActor (LivePoseRepository.Feed) -> any PoseRepository
  package var images: ImageLoader
  package var notifications: any NotificationRepository
  package var linkErrors: any LinkErrorReporting
  package var events: any EventLogging
  /// Sends what is waiting to be sent together.
  package var flushEvents: @MainActor () -> Void
  /// Tells how the app is used; `nil` where nobody wants to know.
  package var analytics: AnalyticsClient?
  /// Hands a URL to the system, which leaves the app.
  package var openURL: @MainActor (URL) -> Void
  /// Where a newer version of the app is.
  package let storePage: URL

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
    let servers = try Servers()
    self.openURL = openURL
    storePage = servers.storePage
    self.clock = clock
    self.now = now
    tracker = MacroExpandingTracker(
      tracker: AdTracker(
        session: trackerSession, network: network, store: FileTrackingQueueStore(folder: storage)),
      now: now)
    search = LiveSearchRepository(session: session, base: servers.shop, decoder: decoder)
    books = LiveBookRepository(session: session, apiKey: "demo-key", decoder: decoder)
    items = LiveItemRepository(session: session, base: servers.shop, decoder: decoder)
    poses = {
      LivePoseRepository(session: session, base: servers.poses, feed: $0, decoder: decoder)
    }
    images = ImageLoader(session: session)
    notifications = LiveNotificationRepository(
      session: session, base: servers.notifications, decoder: decoder)
    linkErrors = LiveLinkErrorReporter(session: trackerSession)
    let batcher = EventBatcher(
      session: trackerSession, endpoint: servers.events, network: network, clock: clock)
    events = batcher
    flushEvents = batcher.flush
    guard hasAnalytics else { return }
    analytics = AnalyticsClient(
      session: trackerSession, endpoint: servers.analytics, store: AnalyticsStore(folder: storage),
      clock: clock, now: now)
  }
}

/// Where the app's servers are.
private struct Servers {
  let shop: URL
  let poses: URL
  let notifications: URL
  let events: URL
  let storePage: URL
  let analytics: URL

  init() throws {
    shop = try Self.url("https://shop.example.com/api")
    poses = try Self.url("https://pose.example.com")
    notifications = try Self.url("https://sopt.example.com/api/v2")
    events = try Self.url("https://track.example.com/events")
    analytics = try Self.url("https://track.example.com/v1/batch")
    storePage = try Self.url("https://apps.example.com/app/id1234567890")
  }

  private static func url(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}
