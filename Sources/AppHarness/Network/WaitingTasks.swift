import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The tasks whose answers wait for the app's clock.
///
/// They count as rest; but when one is cancelled, its end is on the way before anything counts it.
final class WaitingTasks: Sendable {
  private let tasks = Mutex<[ObjectIdentifier: URLSessionTask]>([:])

  func add(_ task: URLSessionTask) {
    tasks.withLock { $0[ObjectIdentifier(task)] = task }
  }

  func remove(_ task: URLSessionTask) {
    tasks.withLock { $0[ObjectIdentifier(task)] = nil }
  }

  /// Waits until every cancellation that has been asked for by now is counted as work.
  func flushCancellations() {
    let waiting = tasks.withLock { tasks in
      tasks = tasks.filter { $0.value.state != .completed }
      return Array(tasks.values)
    }
    for task in waiting { TaskInternals.flushCancellation(of: task) }
  }
}
