import Foundation
import HarnessProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the launch of an app under test brings: its environment, its fixtures, its clock, and the
/// way into the network, which leads to the interceptor.
///
/// Hand its parts to your composition root; nothing below that needs to know of the kit.
public struct AppLaunch: Sendable {
  public let environment: [String: String]
  /// Without the program's name.
  public let arguments: [String]
  /// Moves only when the scenario moves it.
  public let clock: VirtualClock
  /// Whether the device is online, as `setNetwork` says.
  public let network: NetworkCondition
  /// Announces work that the kit can't see.
  public let work: WorkAnnouncements
  let interceptor: RequestInterceptor
  let fixtures: FixtureFolder

  /// The date by the app's clock: use it in place of `Date()`.
  public var now: @Sendable () -> Date {
    { [clock] in clock.date }
  }

  /// The file that the scenario names for `key` under `fixtures`.
  ///
  /// - Returns: `nil` where the scenario names none.
  /// - Throws: `FixtureError` where the file can't be read.
  public func fixture(_ key: String) throws -> Data? {
    guard let name = environment[key], !name.isEmpty else { return nil }
    return try fixtures.contents(of: name)
  }

}

/// The ways into the network. All of them lead to the interceptor.
extension AppLaunch {
  /// A session configuration whose requests are recorded, and answered by the scenario's stubs.
  ///
  /// - Parameter base: what the app would use; it is left as it is.
  public func sessionConfiguration(
    basedOn base: URLSessionConfiguration = .ephemeral
  ) -> URLSessionConfiguration {
    let configuration = base.copy() as? URLSessionConfiguration ?? base
    intercept(configuration)
    return configuration
  }

  /// Puts the interceptor into a configuration that somebody else makes a session of, as an SDK that
  /// lets its host change it.
  ///
  /// The interceptor comes before the configuration's own protocol classes, and the configuration
  /// gets no cache: a cached response would be a request that nobody sees.
  public func intercept(_ configuration: URLSessionConfiguration) {
    RequestInterceptor.intercept(configuration)
  }

  /// The interceptor itself, for an SDK that takes protocol classes: it has to be the first of them.
  public var protocolClass: AnyClass { InterceptingProtocol.self }

  /// Puts the interceptor into `URLSession.shared`; `Harness.run` has done so already.
  ///
  /// Call it before anything makes a session: from then on the list of protocols is settled.
  public func interceptSharedSession() { SharedSession.intercepted }
}

private enum SharedSession {
  /// Done once a process.
  static let intercepted: Void = {
    URLCache.shared = NoCache(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
    _ = URLProtocol.registerClass(InterceptingProtocol.self)
  }()
}
