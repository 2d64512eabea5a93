import Foundation
import ScenarioRunner
import Synchronization

/// One run of a case, from its place in the queue to its end: what a cancelled task holds on to.
final class CaseTicket: Sendable {
  private struct State {
    var isCancelled = false
    /// Of what runs; it costs descriptors, which what waits must not.
    var cancellation: Cancellation?
  }

  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.cancellation?.cancel(signal: SIGTERM)
    }
  }

  /// - Throws: `CancellationError`; what the system says where there are no descriptors left.
  func begin() throws -> Cancellation {
    try state.withLock { state in
      if state.isCancelled { throw CancellationError() }
      let cancellation = try Cancellation()
      state.cancellation = cancellation
      return cancellation
    }
  }
}
