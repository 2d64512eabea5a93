#if os(Linux)
  // WORKAROUND: the executors of a process can be replaced through this interface only until the
  // proposal for custom main and global executors is part of the language:
  // https://forums.swift.org/t/pitch-2-custom-main-and-global-executors/78437
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency
  import CAppWorld
  import Dispatch
  import Foundation
  import CSystem
  import Glibc
  import Synchronization

  /// Counts each job of Swift concurrency, from enqueued to run: the process gets executors that do.
  ///
  /// (The runtime's `swift_task_enqueueGlobal_hook` misses jobs, those of `Task.yield` for one.)
  enum ConcurrencyWatch {
    /// To be called first in `main`, before any task exists.
    ///
    /// - Parameter isSerial: whether all jobs run one after the other, on the main thread: then their order is
    ///   the same in each run.
    /// - Returns: whether jobs are seen from now on.
    static func install(isSerial: Bool) -> Bool {
      CountedGlobalExecutor.isSerial.store(isSerial, ordering: .relaxed)
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
    static let isSerial = Atomic(false)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      appworld_enqueue_job(Self.quality(of: job), Self.run, Self.pointer(to: job))
    }

    fileprivate static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { job in
      CountedGlobalExecutor.job(at: job).runSynchronously(on: noSerialExecutor)
    }

    /// A job is one word.
    fileprivate static func pointer(to job: UnownedJob) -> UnsafeMutableRawPointer? {
      unsafeBitCast(job, to: UnsafeMutableRawPointer?.self)
    }

    fileprivate static func job(at pointer: UnsafeMutableRawPointer?) -> UnownedJob {
      unsafeBitCast(pointer, to: UnownedJob.self)
    }

    private static func quality(of job: UnownedJob) -> Int {
      if isSerial.load(ordering: .relaxed) { return 0 }
      return switch JobQueues.qualityOfService(of: job) {
      case .userInitiated: 0x19
      case .utility: 0x11
      case .background: 0x09
      default: 0x15
      }
    }
  }

  /// `Task.sleep`, by whichever clock, comes here: it waits for the app's. Where time can't be taken over,
  /// it is work until it is over.
  extension CountedGlobalExecutor: SchedulingExecutor {
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      let job = UnownedJob(job)
      let delay = delay as? Duration ?? .zero
      if AppWorld.hasTime {
        let (deadline, overflow) = appworld_now().addingReportingOverflow(delay.nanoseconds)
        appworld_schedule_job(
          overflow ? .max : deadline, Self.quality(of: job), Self.run, Self.pointer(to: job))
      } else {
        WorkCounter.process.begin(.sleep)
        DispatchQueue.global(qos: JobQueues.qualityOfService(of: job))
          .asyncAfter(deadline: .now() + delay / .seconds(1)) {
            job.runSynchronously(on: noSerialExecutor)
            WorkCounter.process.end(.sleep)
          }
      }
    }
  }

  /// The main actor's executor: the main dispatch queue.
  private final class CountedMainExecutor: MainExecutor {
    static let shared = CountedMainExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = CountedGlobalExecutor.pointer(to: UnownedJob(job))
      appworld_enqueue_job(0, Self.run, job)
    }

    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { job in
      CountedGlobalExecutor.job(at: job).runSynchronously(on: shared.asUnownedSerialExecutor())
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

  extension MainLoop {
    static var isMainQueueEmpty: Bool {
      var handle = pollfd(fd: csystem_main_queue_handle(), events: Int16(POLLIN), revents: 0)
      return poll(&handle, 1, 0) == 0
    }
  }
#endif
