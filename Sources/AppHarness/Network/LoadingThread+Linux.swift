#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation
  import FoundationNetworking

  /// Where a protocol may speak to its client: on the task's own serial queue, so that an answer and
  /// a cancellation don't cross.
  struct LoadingThread: Sendable {
    private let queue: DispatchQueue

    /// Call it in `startLoading` or `stopLoading`.
    init(of task: URLSessionTask?) {
      queue = task.flatMap(TaskInternals.workQueue) ?? DispatchQueue(label: "loading")
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      queue.async(execute: work)
    }
  }
#endif
