import Dispatch
import Synchronization

/// A value that one thread sets and another waits for.
final class OneTimeValue<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isSet = DispatchSemaphore(value: 0)

  func set(_ value: Value) {
    self.value.withLock { $0 = value }
    isSet.signal()
  }

  /// Blocks the calling thread; a second call would wait for ever.
  func wait() -> Value {
    while true {
      isSet.wait()
      if let value = value.withLock({ $0 }) { return value }
    }
  }
}
