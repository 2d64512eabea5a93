import Foundation
import HarnessWire

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

  /// A session configuration whose requests are recorded, and answered by the scenario's stubs.
  ///
  /// - Parameter base: what the app would use; its protocol classes come after the interceptor.
  public func sessionConfiguration(
    basedOn base: URLSessionConfiguration = .ephemeral
  ) -> URLSessionConfiguration {
    interceptor.intercept(base)
    return base
  }
}

/// Names in the launch environment that the kit reads, besides those of the runner.
public enum KitEnvironment {
  /// The date at which the app's clock starts, as `2026-01-01T00:00:00Z`; that one if absent.
  public static let clockStart = "SCENARIO_CLOCK_START"
}
