import Synchronization

/// Whether the device is online, as the scenario's `setNetwork` says; online at launch.
public final class NetworkCondition: Sendable {
  private struct State {
    var isOnline = true
    var observers: [@MainActor @Sendable (Bool) -> Void] = []
  }

  private let state = Mutex(State())

  package init() {}

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
