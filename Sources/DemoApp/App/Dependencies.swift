import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Everything that the app is made of, put together once, at launch.
///
/// Nothing below asks where a part comes from: the live ones go to the network through their
/// sessions, and each can be replaced by a fake one.
@MainActor public struct Dependencies {
  public var clock: any Clock<Duration>
  public var search: any SearchRepository
  public var tracker: any AdTracking

  /// The live app.
  ///
  /// - Parameters:
  ///   - storage: the app's own folder; created when something is kept there.
  ///   - session: for the app's servers.
  ///   - trackerSession: for the advertisers' servers.
  public init(
    clock: any Clock<Duration>, network: NetworkStatus, storage: URL, session: URLSession,
    trackerSession: URLSession
  ) throws {
    let shop = try Self.server("https://shop.example.com/api")
    self.clock = clock
    search = LiveSearchRepository(session: session, base: shop)
    tracker = AdTracker(
      session: trackerSession, network: network, store: FileTrackingQueueStore(folder: storage))
  }

  private static func server(_ text: String) throws -> URL {
    guard let url = URL(string: text) else { throw URLError(.badURL) }
    return url
  }
}
