#if canImport(Darwin)
  import Darwin
  import Dispatch
  import CoreFoundation

  /// Counts each job of Swift concurrency that is not the main actor's, from enqueued to run.
  ///
  /// The runtime calls a hook for every such job; it runs the job itself, so that the end is seen
  /// too. The main actor's jobs are blocks of the main queue, which is looked at by itself.
  enum ConcurrencyWatch {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// `RTLD_DEFAULT`, which the importer does not show.
    private static var defaultHandle: UnsafeMutableRawPointer? {
      UnsafeMutableRawPointer(bitPattern: -2)
    }

    /// To be called first in `main`, before any task exists.
    ///
    /// - Returns: whether jobs are seen from now on.
    static func install(isSerial: Bool) -> Bool {
      guard let symbol = dlsym(defaultHandle, "swift_task_enqueueGlobal_hook") else { return false }
      symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in runCounted(job) }
      return true
    }
  }

  private func runCounted(_ job: UnownedJob) {
    WorkCounter.process.begin(.job)
    DispatchQueue.global(qos: JobQueues.qualityOfService(of: job)).async {
      job.runSynchronously(on: noSerialExecutor)
      WorkCounter.process.end(.job)
    }
  }

  /// No serial executor: two null words, as the runtime's ABI has it.
  private let noSerialExecutor = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)

  extension MainLoop {
    /// A pass of the run loop that finds nothing to do has found the main queue empty.
    static var isMainQueueEmpty: Bool {
      CFRunLoopRunInMode(.defaultMode, 0, true) == .timedOut
    }
  }
#endif
