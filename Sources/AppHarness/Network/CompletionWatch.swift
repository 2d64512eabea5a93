import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells when the app's completion handler, or its delegate, has returned.
enum CompletionWatch {
  /// Calls `done` after the last callback of a task whose protocol has told the outcome.
  ///
  /// A session runs the callbacks as operations of its delegate queue: an operation of a serial queue
  /// comes after them, a barrier after those of another.
  /// Asynchronous methods call back at once, and the task has completed already.
  static func whenCompleted(_ task: URLSessionTask, _ done: @escaping @Sendable () -> Void) {
    if task.state == .completed { return done() }
    guard let session = TaskInternals.session(of: task) else { return done() }
    let queue = session.delegateQueue
    if queue.maxConcurrentOperationCount == 1 {
      queue.addOperation(done)
    } else {
      queue.addBarrierBlock(done)
    }
  }
}
