/// Whether the device has a network, told by whoever watches it.
@MainActor package final class NetworkStatus {
  package var isOnline: Bool {
    didSet {
      guard isOnline != oldValue else { return }
      if isOnline { returns += 1 }
      for observer in observers { observer(isOnline) }
    }
  }

  /// How often the network has come back: tells whether it did while something was under way.
  package private(set) var returns = 0

  private var observers: [@MainActor (Bool) -> Void] = []

  package init(isOnline: Bool = true) {
    self.isOnline = isOnline
  }

  /// Calls back whenever the status changes.
  package func observe(_ observer: @escaping @MainActor (Bool) -> Void) {
    observers.append(observer)
  }
}
