/// Whether the device has a network, told by whoever watches it.
@MainActor public final class NetworkStatus {
  public var isOnline: Bool {
    didSet {
      guard isOnline != oldValue else { return }
      for observer in observers { observer(isOnline) }
    }
  }

  private var observers: [@MainActor (Bool) -> Void] = []

  public init(isOnline: Bool = true) {
    self.isOnline = isOnline
  }

  /// Calls back whenever the status changes.
  public func observe(_ observer: @escaping @MainActor (Bool) -> Void) {
    observers.append(observer)
  }
}
