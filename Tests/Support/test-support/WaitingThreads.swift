import Foundation
import Synchronization
import Testing

extension Trait where Self == WaitingThreads.Trait {
  /// For tests that wait for programs: on the threads of Swift concurrency, of which there is one a
  /// core, they would hold up all others.
  package static var waitsForPrograms: Self { Self() }
}

/// Threads on which tests may wait: as many as there is something to run on.
package final class WaitingThreads: TaskExecutor {
  package struct Trait: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @Sendable () async throws -> Void
    ) async throws {
      await WaitingThreads.places.take()
      defer { WaitingThreads.places.giveBack() }
      try await withTaskExecutorPreference(WaitingThreads.threads) { try await function() }
    }
  }

  private static let threads = WaitingThreads()
  /// More than there are cores, since most of what is waited for does not keep one busy.
  private static let places = Places(2 * ProcessInfo.processInfo.activeProcessorCount)

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// How many tests may wait at a time; the others wait for that without a thread, in their order.
private final class Places: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  func take() async {
    await withCheckedContinuation { continuation in
      let isTaken = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isTaken { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
