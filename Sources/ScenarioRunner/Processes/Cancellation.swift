import CSupervision
import Foundation
import Synchronization

/// Ends early what belongs together: a whole run, because SIGINT or SIGTERM came, or one scenario of a
/// test.
///
/// Once it is open, its descriptor polls readable from the cancellation on, so that a worker that waits
/// for an app wakes up.
package final class Cancellation: Sendable {
  private struct State {
    var signal: Int32?
    var ends: (reading: Int32, writing: Int32)?

    func ring() {
      var byte: UInt8 = 1
      if let ends { _ = write(ends.writing, &byte, 1) }
    }
  }

  private let state = Mutex(State())

  package init() {}

  deinit {
    guard let ends = state.withLock({ $0.ends }) else { return }
    close(ends.reading)
    close(ends.writing)
  }

  /// Makes the descriptor; it costs two, which what waits for its turn must not.
  package func open() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard state.ends == nil else { return }
      var ends: [Int32] = [-1, -1]
      guard csupervision_pipe(&ends) == 0 else { throw SystemError("pipe") }
      state.ends = (ends[0], ends[1])
      if state.signal != nil { state.ring() }
    }
  }

  /// Has the process hand over these signals from now on.
  ///
  /// - Returns: the descriptor to read their numbers from, a byte each.
  package static func watch(_ signals: [Int32]) throws(SystemError) -> Int32 {
    var descriptor: Int32 = -1
    for number in signals {
      descriptor = csupervision_watch_signal(number)
      guard descriptor >= 0 else { throw SystemError("sigaction") }
    }
    return descriptor
  }

  /// Only the first call counts.
  package func cancel(signal: Int32) {
    state.withLock { state in
      guard state.signal == nil else { return }
      state.signal = signal
      state.ring()
    }
  }

  /// The signal that came, or that stands for what was asked, if anything was.
  package var cancellingSignal: Int32? { state.withLock { $0.signal } }

  /// -1 before it is open.
  package var descriptor: Int32 { state.withLock { $0.ends?.reading ?? -1 } }
}
