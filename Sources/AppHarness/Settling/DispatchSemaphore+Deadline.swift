import Dispatch

extension DispatchSemaphore {
  /// Waits for a signal.
  ///
  /// - Returns: whether it came before the deadline.
  func wait(before deadline: DispatchTime) -> Bool {
    // WORKAROUND: on Linux libdispatch waits by the wall clock (`sem_timedwait`, in
    // https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/shims/lock.c), so that a
    // clock that is set forward ends the wait too early.
    while wait(timeout: deadline) == .timedOut {
      if DispatchTime.now() >= deadline { return false }
    }
    return true
  }
}
