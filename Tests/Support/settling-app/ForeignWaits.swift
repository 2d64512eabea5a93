// Nothing of the kit here: this is how a library waits that has never heard of it.
@preconcurrency import Dispatch
import Foundation
import Synchronization

/// Everything that waits for a second.
///
/// Unchecked: called on the main thread alone.
final class ForeignWaits: @unchecked Sendable {
  enum Kind: String, CaseIterable {
    case taskSleep, taskNanoseconds, continuousClock, suspendingClock, after, afterWall, afterItem
    case timerSource, repeatingSource, wallSource, releasedSource, timer, repeatingTimer,
      threadTimer
    case runUntil, threadSleep, sleepUntil, microsleep, blockSleep, operationSleep, semaphore, group
    case condition, behindSleep, jobSleep, debounce, dates, sequence, mainSleep, mainBehindSleep
  }

  private let done: Counter
  private let queue = DispatchQueue(label: "waits", attributes: .concurrent)
  private let serial = DispatchQueue(label: "one at a time")
  private let operations = OperationQueue()
  private let log = Log()
  private var sources: [any DispatchSourceTimer] = []
  private var last: DispatchWorkItem?

  init(_ done: Counter) {
    self.done = done
    operations.maxConcurrentOperationCount = Counter.pieces
  }

  /// What happened in `sequence`, in its order.
  var order: String { log.text }

  /// What the process's clocks show.
  static var time: String {
    let date = Date().formatted(.iso8601)
    let uptime = ProcessInfo.processInfo.systemUptime
    let monotonic = Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    let seconds = time_t(Date().timeIntervalSince1970)
    return "\(date) \(Int(uptime)) \(Int(monotonic)) \(Foundation.time(nil) == seconds)"
  }

  func start(_ kind: Kind, _ piece: Int) {
    let done = done
    let finish: @Sendable () -> Void = { DispatchQueue.global().async { done.add() } }
    switch kind {
    case .taskSleep:
      Task {
        try? await Task.sleep(for: .seconds(1))
        finish()
      }
    case .taskNanoseconds:
      Task.detached {
        try? await Task.sleep(nanoseconds: 1_000_000_000)
        finish()
      }
    case .continuousClock:
      Task {
        try? await ContinuousClock().sleep(until: .now + .seconds(1))
        finish()
      }
    case .suspendingClock:
      Task {
        try? await SuspendingClock().sleep(until: .now + .seconds(1))
        finish()
      }
    case .after: after(finish)
    case .afterWall: queue.asyncAfter(wallDeadline: .now() + 1, execute: finish)
    case .afterItem:
      queue.asyncAfter(deadline: .now() + .seconds(1), execute: DispatchWorkItem(block: finish))
    case .timerSource, .repeatingSource, .wallSource, .releasedSource: source(kind, finish)
    case .timer: _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in finish() }
    case .repeatingTimer: repeatingTimer(finish)
    case .threadTimer, .runUntil, .threadSleep, .sleepUntil, .microsleep, .semaphore, .group,
      .condition:
      Thread.detachNewThread { Self.wait(kind, finish) }
    case .blockSleep:
      DispatchQueue(label: "sleeper").async {
        Thread.sleep(forTimeInterval: 1)
        finish()
      }
    case .behindSleep:
      if piece == 0 { serial.async { Thread.sleep(forTimeInterval: 1) } }
      serial.async(execute: finish)
    case .operationSleep:
      // No more than the pool has threads for.
      operations.addOperation {
        if piece < 2 { sleep(1) }
        finish()
      }
    case .jobSleep: Task { if piece == 0 { await Self.sleepInJob(finish) } else { finish() } }
    case .debounce: debounce(piece, finish)
    case .dates: dates(finish)
    case .sequence: if piece == 0 { sequence() }
    case .mainBehindSleep:
      DispatchQueue.main.async(execute: finish)
      if piece == 0 { Thread.sleep(forTimeInterval: 1) }
    case .mainSleep:
      if piece == 0 { Thread.sleep(forTimeInterval: 1) }
      finish()
    }
  }

  private func source(_ kind: Kind, _ finish: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeTimerSource(queue: queue)
    let fired = Counter()
    switch kind {
    case .repeatingSource: source.schedule(deadline: .now() + 0.25, repeating: 0.25)
    case .wallSource: source.schedule(wallDeadline: .now() + 1)
    default: source.schedule(deadline: .now() + 1)
    }
    source.setEventHandler {
      fired.add()
      if kind != .repeatingSource || fired.value == 4 { finish() }
    }
    source.resume()
    // One whose last reference goes is over.
    if kind == .releasedSource { return after(finish) }
    sources.append(source)
  }

  private func after(_ finish: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + 1, execute: finish)
  }

  private func repeatingTimer(_ finish: @escaping @Sendable () -> Void) {
    let fired = Counter()
    _ = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { timer in
      fired.add()
      guard fired.value == 10 else { return }
      timer.invalidate()
      finish()
    }
  }

  /// What blocks a thread of its own for a second.
  private static func wait(_ kind: Kind, _ finish: @escaping @Sendable () -> Void) {
    switch kind {
    case .threadTimer:
      let date = Date(timeIntervalSinceNow: 1)
      let timer = Timer(fire: date, interval: 0, repeats: false) { _ in finish() }
      RunLoop.current.add(timer, forMode: .default)
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 2))
      return
    case .runUntil:
      // A run loop without anything to wait for ends at once.
      RunLoop.current.add(
        Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 1))
    case .threadSleep: Thread.sleep(forTimeInterval: 1)
    case .sleepUntil: Thread.sleep(until: Date(timeIntervalSinceNow: 1))
    case .microsleep: for _ in 0..<4 { usleep(250_000) }
    case .semaphore:
      guard DispatchSemaphore(value: 0).wait(timeout: .now() + 1) == .timedOut else { return }
    case .group:
      let group = DispatchGroup()
      group.enter()
      guard group.wait(timeout: .now() + 1) == .timedOut else { return }
      group.leave()
    default:
      let condition = NSCondition()
      condition.lock()
      guard !condition.wait(until: Date(timeIntervalSinceNow: 1)) else { return }
      condition.unlock()
    }
    finish()
  }

  /// Bad manners, which happen: a thread of Swift concurrency that sleeps.
  private static func sleepInJob(_ finish: @Sendable () -> Void) async {
    usleep(1_000_000)
    finish()
  }

  /// Each call puts off what the one before wanted to do.
  private func debounce(_ piece: Int, _ finish: @escaping @Sendable () -> Void) {
    last?.cancel()
    let item = DispatchWorkItem { for _ in 0..<Counter.pieces { finish() } }
    last = item
    queue.asyncAfter(deadline: .now() + 1, execute: item)
  }

  /// Asks again and again what time it is.
  private func dates(_ finish: @escaping @Sendable () -> Void) {
    let end = Date(timeIntervalSinceNow: 1)
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now(), repeating: .milliseconds(50))
    source.setEventHandler {
      guard Date() >= end else { return }
      source.cancel()
      finish()
    }
    source.resume()
  }

  private func sequence() {
    let log = log
    for (name, seconds) in [("e", 0.9), ("a", 0.1), ("c", 0.5), ("b", 0.3), ("d", 0.7)] {
      queue.asyncAfter(deadline: .now() + seconds) { log.add("after \(name)") }
      let source = DispatchSource.makeTimerSource(queue: queue)
      source.schedule(deadline: .now() + seconds + 0.02)
      source.setEventHandler { log.add("source \(name)") }
      source.resume()
      sources.append(source)
      _ = Timer.scheduledTimer(withTimeInterval: seconds + 0.04, repeats: false) { _ in
        log.add("timer \(name)")
      }
      Task {
        try? await Task.sleep(for: .seconds(seconds + 0.06))
        log.add("task \(name)")
      }
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: seconds + 0.08)
        log.add("thread \(name)")
      }
    }
  }
}

final class Log: Sendable {
  private let entries = Mutex<[String]>([])

  var text: String { entries.withLock { $0.joined(separator: ", ") } }
  func add(_ entry: String) { entries.withLock { $0.append(entry) } }
}

/// What an app gets that asks for random numbers, in each way that it can.
enum RandomValues {
  static let text: String = {
    var bytes = [UInt8](repeating: 0, count: 4)
    let file = FileHandle(forReadingAtPath: "/dev/urandom")
    let read = (try? file?.read(upToCount: 4)).flatMap { $0 } ?? Data()
    #if canImport(Glibc)
      _ = getentropy(&bytes, 4)
    #endif
    return "\(UUID()) \(Int.random(in: 0..<1_000_000)) \(Array(0..<10).shuffled()) "
      + "\(Array(read)) \(bytes) \(Set(["a", "b", "c", "d"]).joined())"
  }()
}
