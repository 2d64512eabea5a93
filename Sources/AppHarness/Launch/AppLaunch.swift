import Foundation
import HarnessProtocol
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the launch of an app under test brings: its environment, its fixtures, its clock, and the
/// way into the network, which leads to the interceptor.
///
/// Hand its parts to your composition root; nothing below that needs to know of the kit.
public struct AppLaunch: Sendable {
  public let environment: AskedEnvironment
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
  let decodingReports = DecodingReports()

  /// The date by the app's clock, in place of `Date()`; pass `launch.now` where a function is expected.
  public func now() -> Date { clock.date }

  /// The file that the scenario names for `key` under `fixtures`.
  ///
  /// - Returns: `nil` where the scenario names none.
  /// - Throws: an error with the reason where the file can't be read.
  public func fixture(_ key: String) throws -> Data? {
    guard let name = environment[key], !name.isEmpty else { return nil }
    decodingReports.remember(fixture: name)
    return try fixtures.contents(of: name)
  }
}

/// The launch environment. The runner hears which keys the app asked for, so that a fixture that is
/// never used doesn't go unnoticed: read it here rather than from `ProcessInfo`.
public struct AskedEnvironment: Sendable {
  private final class Keys: Sendable {
    let asked = Mutex<(new: Set<String>, all: Set<String>)>(([], []))
  }

  private let values: [String: String]
  private let keys = Keys()

  init(_ values: [String: String]) { self.values = values }

  /// - Returns: `nil` where the launch environment has no such key.
  public subscript(key: String) -> String? {
    keys.asked.withLock { asked in
      if asked.all.insert(key).inserted { asked.new.insert(key) }
    }
    return values[key]
  }

  /// - Returns: by name, those that were asked for the first time since the last call.
  func takeAskedKeys() -> [String] {
    keys.asked.withLock { asked in
      defer { asked.new = [] }
      return asked.new.sorted()
    }
  }
}

extension AppLaunch {
  /// Records that the app hands a URL to the system, which opens it: in a browser, another app, a web view.
  ///
  /// It stands for `UIApplication.open(_:)` and the like, which are not there. Nothing is fetched. Scenarios
  /// expect it by the method `OPEN`.
  ///
  /// - Parameter url: an absolute one, of whatever scheme.
  public func open(_ url: URL) { interceptor.recordOpening(of: url) }
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

  /// Puts the interceptor into a configuration from which somebody else makes a session, such as an
  /// SDK that lets its host change it.
  ///
  /// The interceptor comes before the configuration's own protocol classes, and the configuration
  /// gets no cache: a cached response would be a request that nobody sees.
  public func intercept(_ configuration: URLSessionConfiguration) {
    RequestInterceptor.intercept(configuration)
  }

  /// The interceptor itself, for an SDK that takes protocol classes: it has to be the first of them.
  public var protocolClass: AnyClass { InterceptingProtocol.self }

  /// Puts the interceptor into `URLSession.shared`; to be called before anything makes a session, since the
  /// list of protocols is settled from then on.
  func interceptSharedSession() { SharedSession.intercepted }
}

private enum SharedSession {
  /// Done once a process.
  static let intercepted: Void = {
    URLCache.shared = NoCache(memoryCapacity: 0, diskCapacity: 0, diskPath: "/dev/null")
    _ = URLProtocol.registerClass(InterceptingProtocol.self)
  }()
}

/// Whether the device is online, as the scenario's `setNetwork` says; online at launch, unless a schedule
/// launches an app again that was killed offline.
public final class NetworkCondition: Sendable {
  private struct State {
    var isOnline = true
    var observers: [@MainActor @Sendable (Bool) -> Void] = []
  }

  private let state: Mutex<State>

  package init(isOnline: Bool = true) { state = Mutex(State(isOnline: isOnline)) }

  public var isOnline: Bool { state.withLock { $0.isOnline } }

  /// Calls `observer` on the main actor at each change, as a reachability observer would.
  public func onChange(_ observer: @escaping @MainActor @Sendable (Bool) -> Void) {
    state.withLock { $0.observers.append(observer) }
  }

  @MainActor func set(isOnline: Bool) {
    let observers = state.withLock { state -> [@MainActor @Sendable (Bool) -> Void] in
      guard state.isOnline != isOnline else { return [] }
      state.isOnline = isOnline
      return state.observers
    }
    for observer in observers { observer(isOnline) }
  }
}

/// Announces work that the kit can't see: that of another process, and of dispatch queues where the app has
/// its libraries linked into it.
public struct WorkAnnouncements: Sendable {
  let counter: WorkCounter

  /// Work under way: call `end` once it is done.
  public final class Token: Sendable {
    private let counter: WorkCounter
    private let hasEnded = Atomic<Bool>(false)

    init(_ counter: WorkCounter) {
      self.counter = counter
      counter.begin(.announced)
    }

    deinit { end() }

    /// Safe to be called again.
    public func end() {
      guard !hasEnded.exchange(true, ordering: .sequentiallyConsistent) else { return }
      counter.end(.announced)
    }
  }

  /// Announces work, before it is started.
  public func begin() -> Token { Token(counter) }

  /// Announces the work for as long as it takes.
  public func during<Value>(_ work: () throws -> Value) rethrows -> Value {
    let token = begin()
    defer { token.end() }
    return try work()
  }

  /// Announces asynchronous work for as long as it takes, suspensions included.
  public func during<Value>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
  ) async rethrows -> Value {
    let token = begin()
    defer { token.end() }
    return try await work()
  }
}
