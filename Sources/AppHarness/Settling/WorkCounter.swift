import CAppWorld
import Dispatch
import Synchronization

/// Counts the work that is running or waiting to run, whatever kind it is of.
///
/// Work begets work only inside counted work: it is counted before the work that started it ends.
/// So the count is zero only when all of it has ended.
package final class WorkCounter: Sendable {
  /// What kind of work, for the message about an app that never rests.
  package enum Kind: Int, CaseIterable, Sendable {
    /// A job of Swift concurrency.
    case job
    /// A `Task.sleep` in real time, where time can't be taken over.
    case sleep
    /// A block on a dispatch queue that has not begun.
    case queued
    /// A block of a dispatch queue that runs.
    case block
    /// A request from `resume()` to the end of its completion handler.
    case request
    /// Work that the app announced.
    case announced
  }

  private let outstanding = Atomic<Int>(0)
  private let begun = Atomic<Int>(0)
  private let jobs = Atomic<Int>(0)
  private let sleeps = Atomic<Int>(0)
  private let queued = Atomic<Int>(0)
  private let blocks = Atomic<Int>(0)
  private let requests = Atomic<Int>(0)
  private let announcements = Atomic<Int>(0)
  private let limit = Atomic<Int>(.max)
  private let waiting = Mutex<[DispatchSemaphore]>([])

  package init() {}

  /// Grows with each piece of work, and never shrinks.
  package var epoch: Int { begun.load(ordering: .sequentiallyConsistent) }

  /// Whether nothing runs or is ready to run: what waits on a suspended queue is not.
  package var isIdle: Bool {
    let outstanding = outstanding.load(ordering: .sequentiallyConsistent)
    guard outstanding > 0, appworld_suspended_queues() > 0 else { return outstanding == 0 }
    return outstanding == queued.load(ordering: .sequentiallyConsistent)
  }

  /// Whether nothing runs, though something may wait on a dispatch queue.
  package var isQuiet: Bool {
    outstanding.load(ordering: .sequentiallyConsistent)
      == queued.load(ordering: .sequentiallyConsistent)
  }

  package func begin(_ kind: Kind) {
    count(kind, 1)
    // In this order: whoever has seen the epoch grow sees the work, or its end.
    outstanding.add(1, ordering: .sequentiallyConsistent)
    let epoch = begun.add(1, ordering: .sequentiallyConsistent).newValue
    if epoch == limit.load(ordering: .relaxed) { wakeWaiting() }
  }

  package func end(_ kind: Kind) {
    count(kind, -1)
    let left = outstanding.subtract(1, ordering: .sequentiallyConsistent).newValue
    if left == 0 || isIdle { wakeWaiting() }
  }

  /// A block that was queued begins.
  package func start() {
    queued.subtract(1, ordering: .relaxed)
    blocks.add(1, ordering: .relaxed)
  }

  private func wakeWaiting() {
    appworld_enter_kit()
    defer { appworld_leave_kit() }
    waiting.signalAll()
  }

  /// Blocks the calling thread until nothing is running; never call it from counted work.
  ///
  /// - Parameter limit: an epoch at which the wait is given up.
  /// - Returns: whether that came before the deadline, and before the limit.
  package func waitUntilIdle(before deadline: DispatchTime, limit: Int) -> Bool {
    self.limit.store(limit, ordering: .sequentiallyConsistent)
    while !isIdle {
      let semaphore = DispatchSemaphore(value: 0)
      waiting.withLock { $0.append(semaphore) }
      // What ended before the semaphore was there did not signal it.
      if isIdle { return true }
      if epoch >= limit { return false }
      if !semaphore.wait(before: deadline) { return isIdle }
    }
    return true
  }

  package func outstanding(_ kind: Kind) -> Int {
    switch kind {
    case .job: jobs.load(ordering: .relaxed)
    case .sleep: sleeps.load(ordering: .relaxed)
    case .queued: queued.load(ordering: .relaxed)
    case .block: blocks.load(ordering: .relaxed)
    case .request: requests.load(ordering: .relaxed)
    case .announced: announcements.load(ordering: .relaxed)
    }
  }

  private func count(_ kind: Kind, _ change: Int) {
    switch kind {
    case .job: jobs.add(change, ordering: .relaxed)
    case .sleep: sleeps.add(change, ordering: .relaxed)
    case .queued: queued.add(change, ordering: .relaxed)
    case .block: blocks.add(change, ordering: .relaxed)
    case .request: requests.add(change, ordering: .relaxed)
    case .announced: announcements.add(change, ordering: .relaxed)
    }
  }
}

/// On which dispatch queue a job of Swift concurrency runs.
enum JobQueues {
  static func qualityOfService(of job: UnownedJob) -> DispatchQoS.QoSClass {
    switch job.priority.rawValue {
    case TaskPriority.high.rawValue...: .userInitiated
    case TaskPriority.medium.rawValue...: .default
    case TaskPriority.utility.rawValue...: .utility
    default: .background
    }
  }
}

extension WorkCounter {
  /// The process's own counter: the runtime's executors have no other way to find it.
  package static let process = WorkCounter()
}
