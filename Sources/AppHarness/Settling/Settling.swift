import CAppWorld
import Dispatch
import Foundation
import Synchronization

/// Waits until the app is idle: no request under way, no work running or ready to run, the main queue
/// empty, every thread asleep.
struct Settling: Sendable {
  let counter: WorkCounter
  let mainLoop: MainLoop
  /// Waits for what requests have set in motion, as the app's callbacks, before a deadline.
  var flush: @Sendable (DispatchTime) -> Bool = { _ in true }
  /// Whether the work of every queue is counted and every thread can be looked at, so that nothing else
  /// has to be waited for.
  var isWhole = false
  /// How long an app may go on before it is said never to become idle.
  let limit: Duration
  /// How many pieces of work an app may begin meanwhile: an endless loop of them reaches it at the same
  /// one in every run.
  var workLimit = 1_000_000

  /// Until when what begins now may go on.
  var deadline: DispatchTime { .now() + limit / .seconds(1) }

  /// Blocks the calling thread, which must be the dialogue's own.
  ///
  /// - Throws: what is still running, where the app isn't idle within `limit`.
  func waitBlocking() throws(RestlessApp) {
    let deadline = deadline
    let lastEpoch = counter.epoch + workLimit
    var pause = Backoff()
    var stall = Stall()
    while true {
      let isIdle = counter.waitUntilIdle(
        before: min(deadline, .now() + Self.patience), limit: lastEpoch)
      guard counter.epoch < lastEpoch else { throw restless(isOverLimit: true) }
      guard isIdle else {
        if isStalled(&stall) { return }
        guard DispatchTime.now() < deadline else { throw restless() }
        continue
      }
      // Read before the count is looked at again: what begins in between must not be missed.
      let epoch = counter.epoch
      guard counter.isIdle else { continue }
      // Where callbacks and the main queue are not counted, what they start is. If all is empty twice
      // and nothing was counted in between, then nothing ran that could still start something.
      for _ in 0..<(isWhole ? 0 : 2) {
        guard flush(deadline) else { throw restless() }
        guard mainLoop.waitUntilIdle(before: deadline) else { throw restless() }
      }
      // Nothing is woken between this look at the threads and its end.
      if appworld_threads_sleep(), counter.isIdle, counter.epoch == epoch { return }
      guard DispatchTime.now() < deadline else { throw restless() }
      pause.wait()
    }
  }

  /// After how long what waits on queues is asked for what it waits for.
  private static let patience = DispatchTimeInterval.milliseconds(50)

  /// What was counted when all that was ready to run had got a thread.
  struct Stall {
    fileprivate var counted: [Int]?
  }

  /// Whether the app is idle at this moment.
  func isIdleNow(_ stall: inout Stall) -> Bool {
    counter.isIdle ? appworld_threads_sleep() && counter.isIdle : isStalled(&stall)
  }

  /// Whether nothing runs, and what waits on queues is behind something that waits itself.
  private func isStalled(_ stall: inout Stall) -> Bool {
    let counted = [counter.epoch, counter.outstanding(.queued)]
    guard isWhole, counter.isQuiet, appworld_threads_sleep(), counter.isQuiet,
      counted == [counter.epoch, counter.outstanding(.queued)]
    else { return false }
    if stall.counted == counted { return true }
    // Nothing else is counted once all have run that were ready: then the rest wasn't.
    if appworld_pools_flow(50_000_000) { stall.counted = counted }
    return false
  }

  private static var busyChild: String? {
    var name = [CChar](repeating: 0, count: 32)
    let process = appworld_busy_child(&name, name.count)
    guard process > 0 else { return nil }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return "\(String(decoding: bytes, as: UTF8.self)) (process \(process))"
  }

  private func restless(isOverLimit: Bool = false) -> RestlessApp {
    RestlessApp(
      reason: isOverLimit
        ? "The app never becomes idle: it began \(workLimit) jobs and requests"
        : "The app did not become idle within \(limit / .seconds(1)) s",
      running: WorkCounter.Kind.allCases.map { ($0, counter.outstanding($0)) },
      threads: Int(appworld_running_threads()),
      limitedThreads: Int(appworld_limited_threads()), child: Self.busyChild)
  }
}

/// Gives threads that run, and that nobody is told the end of, time to end: twice as long each time.
private struct Backoff {
  private var microseconds: UInt32 = 20

  mutating func wait() {
    usleep(microseconds)
    microseconds = min(2 * microseconds, 2_000)
  }
}

/// An app that doesn't become idle, with what is still running.
struct RestlessApp: Error, CustomStringConvertible {
  var reason: String
  var running: [(kind: WorkCounter.Kind, count: Int)]
  /// Threads that run, whatever they do.
  var threads = 0
  /// Threads that wait for a time that isn't the app's clock's.
  var limitedThreads = 0
  /// A child that the app waits for.
  var child: String?

  var description: String {
    var told = running.filter { $0.count > 0 }.map { "\($0.count) \(Self.words(for: $0.kind))" }
    if told.isEmpty, threads > 0 { told.append("\(threads) thread(s)") }
    if told.isEmpty, limitedThreads > 0 {
      told.append("\(limitedThreads) thread(s) that wait by the system's clock")
    }
    if told.isEmpty, let child { told.append("\(child), a child that the app waits for") }
    let rest =
      told.isEmpty
      ? "callbacks of a session, or blocks on the main queue that start each other"
      : told.joined(separator: ", ")
    return "\(reason). Still running: \(rest)."
  }

  private static func words(for kind: WorkCounter.Kind) -> String {
    switch kind {
    case .job: "job(s) of Swift concurrency"
    case .sleep: "Task.sleep in real time (inject the launch's clock instead)"
    case .queued: "block(s) that wait on dispatch queues"
    case .block: "block(s) on dispatch queues"
    case .request: "request(s) without an answer"
    case .announced: "announced piece(s) of work"
    }
  }
}

/// The main thread's loop, which knows when the main queue is empty.
///
/// The main actor's jobs, `DispatchQueue.main.async` and `OperationQueue.main` all run there.
final class MainLoop: Sendable {
  private let waiting = Mutex<[DispatchSemaphore]>([])

  /// Runs the main thread; call it from there, last.
  func run() -> Never {
    while true {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
      if Self.isMainQueueEmpty { waiting.signalAll() }
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
}

extension Mutex where Value == [DispatchSemaphore] {
  /// Wakes all that wait, each once.
  borrowing func signalAll() {
    let semaphores = withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for semaphore in semaphores { semaphore.signal() }
  }
}

extension DispatchSemaphore {
  /// Waits for a signal.
  ///
  /// - Returns: whether it came before the deadline.
  func wait(before deadline: DispatchTime) -> Bool {
    // WORKAROUND: on Linux libdispatch waits by the wall clock (`sem_timedwait`, in
    // https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src/shims/lock.c), so that a
    // clock that is set forward ends the wait too early.
    while wait(timeout: deadline) == .timedOut {
      if DispatchTime.now() >= deadline { return false }
    }
    return true
  }
}
