#if canImport(Darwin)
  import CoreFoundation
  import Foundation

  /// Where a protocol may speak to its client: on the thread that it was started on, which runs a
  /// run loop.
  ///
  /// Unchecked: a run loop may be given blocks and be woken from any thread.
  struct LoadingThread: @unchecked Sendable {
    private let runLoop: CFRunLoop

    /// Call it in `startLoading` or `stopLoading`.
    init(of task: URLSessionTask?) {
      runLoop = CFRunLoopGetCurrent()
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.commonModes.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }
  }
#endif
