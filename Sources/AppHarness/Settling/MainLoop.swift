import CAppWorld
import Foundation
import Synchronization

/// The main thread's loop, which knows when the main queue is empty.
///
/// The main actor's jobs, `DispatchQueue.main.async` and `OperationQueue.main` all run there.
final class MainLoop: Sendable {
  private let waiting = Mutex<[DispatchSemaphore]>([])

  /// Runs the main thread; call it from there, last.
  func run() -> Never {
    while true {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
      if Self.isMainQueueEmpty { signalWaiting() }
    }
  }

  /// Blocks the calling thread, which must be the kit's, until the main queue has been seen empty, or the
  /// main thread waits for the clock or for another thread.
  func waitUntilIdle(before deadline: DispatchTime) -> Bool {
    let semaphore = DispatchSemaphore(value: 0)
    // The block both registers and wakes the loop, which looks at the queue after it.
    DispatchQueue.main.async { self.waiting.withLock { $0.append(semaphore) } }
    while !semaphore.wait(before: min(deadline, .now() + .milliseconds(20))) {
      if appworld_main_thread_waits() { return true }
      if DispatchTime.now() >= deadline { return false }
    }
    return true
  }

  private func signalWaiting() {
    let semaphores = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for semaphore in semaphores { semaphore.signal() }
  }
}
