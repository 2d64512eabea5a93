#if os(Linux)
  // WORKAROUND: the executors of a process can be replaced through this interface only until the
  // proposal for custom main and global executors is part of the language:
  // https://forums.swift.org/t/pitch-2-custom-main-and-global-executors/78437
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
  import Dispatch
  import Foundation

  /// Counts each job of Swift concurrency, from enqueued to run: the process gets executors that do.
  ///
  /// (The runtime's `swift_task_enqueueGlobal_hook` misses jobs, those of `Task.yield` for one.)
  enum ConcurrencyWatch {
    /// To be called first in `main`, before any task exists.
    ///
    /// - Returns: whether jobs are seen from now on.
    static func install() -> Bool {
      _createExecutors(factory: CountedExecutors.self)
      return true
    }
  }

  /// What the compiler would take from a `typealias DefaultExecutorFactory`.
  private struct CountedExecutors: ExecutorFactory {
    static var mainExecutor: any MainExecutor { CountedMainExecutor.shared }
    static var defaultExecutor: any TaskExecutor { CountedGlobalExecutor.shared }
  }

  /// The global executor: a job runs on the dispatch queue of its priority.
  private final class CountedGlobalExecutor: TaskExecutor {
    static let shared = CountedGlobalExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      WorkCounter.process.begin(.job)
      JobQueues.queue(for: job).async {
        SchedulingJitter.pause()
        job.runSynchronously(on: noSerialExecutor)
        WorkCounter.process.end(.job)
      }
    }
  }

  /// `Task.sleep` in real time comes here: it is work until it is over.
  extension CountedGlobalExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      let job = UnownedJob(job)
      let seconds = (delay as? Duration ?? .zero) / .seconds(1)
      WorkCounter.process.begin(.sleep)
      JobQueues.queue(for: job).asyncAfter(deadline: .now() + seconds) {
        job.runSynchronously(on: noSerialExecutor)
        WorkCounter.process.end(.sleep)
      }
    }
  }

  /// The main actor's executor: the main dispatch queue.
  private final class CountedMainExecutor: MainExecutor {
    static let shared = CountedMainExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      WorkCounter.process.begin(.job)
      DispatchQueue.main.async {
        SchedulingJitter.pause()
        job.runSynchronously(on: self.asUnownedSerialExecutor())
        WorkCounter.process.end(.job)
      }
    }

    var isMainExecutor: Bool { true }

    // Called for an asynchronous `main` only, which an app under the kit does not have.
    func run() throws { preconditionFailure("call Harness.run in a main that is not async") }
    func stop() { preconditionFailure("the main loop never ends") }

    // `MainActor.assumeIsolated` in a block of the main queue asks here.
    func checkIsolated() { precondition(Thread.isMainThread, "not on the main actor") }
    func isIsolatingCurrentContext() -> Bool? { Thread.isMainThread }
  }

  /// No serial executor: two null words, as the runtime's own global executor passes it.
  private var noSerialExecutor: UnownedSerialExecutor {
    unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
  }
#endif
