import Foundation
import Synchronization
import Testing

@testable import AppHarness

@Suite("The clock moves only when it is moved")
struct VirtualClockTests {
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])
    var all: [String] { entries.withLock { $0 } }
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
  }

  private let clock = VirtualClock(start: Date(timeIntervalSince1970: 1000))

  @Test("what falls due is woken in the order of its time, then of its coming")
  func order() {
    let log = Log()
    let start = clock.now
    for (name, seconds) in [("c", 3), ("a", 1), ("b1", 2), ("b2", 2), ("d", 4)] {
      clock.schedule(at: start.advanced(by: .seconds(seconds))) { log.add(name) }
    }
    while clock.wakeNext(upTo: start.advanced(by: .seconds(3))) {
      log.add("at \(clock.now.offset / .seconds(1))")
    }
    #expect(log.all == ["a", "at 1.0", "b1", "at 2.0", "b2", "at 2.0", "c", "at 3.0"])
    #expect(clock.now.offset == .seconds(3))
    #expect(clock.date == Date(timeIntervalSince1970: 1003))
  }

  @Test("a moment that nobody moves the clock by shows, wakes nobody, and is taken back")
  func tick() {
    let log = Log()
    clock.schedule(at: clock.now.advanced(by: .seconds(1))) { log.add("early") }
    clock.tick(by: .milliseconds(1))
    #expect(clock.now.offset == .milliseconds(1))
    clock.schedule(at: clock.now.advanced(by: .seconds(1))) { log.add("late \(clock.now.offset)") }
    clock.advance(by: .milliseconds(999))
    #expect(log.all == [])
    #expect(clock.now.offset == .milliseconds(999))
    clock.tick(by: .milliseconds(1))
    clock.tick(by: .milliseconds(1))
    #expect(log.all == [])
    clock.advance(by: .milliseconds(1))
    // Who sleeps until a time sees it.
    #expect(log.all == ["early", "late 1.001 seconds"])
    clock.advance(by: .seconds(1))
    #expect(clock.now.offset == .seconds(2))
  }

  @Test(
    "what repeats by the time at which it was due keeps its rhythm, whatever moments were added")
  func rhythm() {
    let log = Log()
    @Sendable func schedule(_ deadline: VirtualClock.Instant) {
      clock.schedule(at: deadline) { [clock] in
        log.add("\(clock.timeToNext ?? .zero)")
        if log.all.count < 4 { schedule(deadline.advanced(by: .milliseconds(250))) }
      }
    }
    clock.tick(by: .milliseconds(1))
    schedule(clock.now.advanced(by: .milliseconds(250)))
    for _ in 0..<3 {
      clock.tick(by: .milliseconds(1))
      clock.advance(by: .milliseconds(1))
    }
    clock.advance(by: .milliseconds(996))
    #expect(log.all.count == 3)
    clock.advance(by: .milliseconds(1))
    #expect(log.all.count == 4)
  }

  @Test("what is taken back is not called")
  func unschedule() {
    let log = Log()
    let order = clock.schedule(at: clock.now.advanced(by: .seconds(1))) { log.add("called") }
    #expect(clock.unschedule(order))
    #expect(!clock.unschedule(order))
    clock.advance(by: .seconds(2))
    #expect(log.all == [])
  }

  @Test("what is due already runs at once")
  func due() {
    let log = Log()
    clock.schedule(at: clock.now) { log.add("now") }
    #expect(log.all == ["now"])
  }

  @Test("a sleeper wakes at its deadline")
  func sleep() async throws {
    let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
    while clock.nextDeadline == nil { await Task.yield() }
    #expect(!clock.wakeNext(upTo: clock.now.advanced(by: .milliseconds(4999))))
    #expect(clock.wakeNext(upTo: clock.now.advanced(by: .milliseconds(1))))
    try await sleeper.value
  }

  @Test("a cancelled sleep ends with CancellationError, whenever it was cancelled")
  func cancellation() async {
    let sleeping = Task { try await clock.sleep(for: .seconds(5)) }
    while clock.nextDeadline == nil { await Task.yield() }
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(clock.nextDeadline == nil)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(5))
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test("a debounce that is cancelled by the next call runs once, a time-out ends the slower one")
  func patterns() async throws {
    let log = Log()
    var last: Task<Void, Never>?
    for name in ["a", "b", "c"] {
      last?.cancel()
      last = Task {
        guard (try? await clock.sleep(for: .milliseconds(300))) != nil else { return }
        log.add(name)
      }
      while clock.nextDeadline == nil { await Task.yield() }
      clock.advance(by: .milliseconds(200))
    }
    clock.advance(by: .milliseconds(100))
    await last?.value
    #expect(log.all == ["c"])

    let race = Task {
      await withTaskGroup(of: String.self) { group in
        for (name, seconds) in [("answer", 5), ("time-out", 3)] {
          group.addTask { await self.outcome(name, after: seconds) }
        }
        defer { group.cancelAll() }
        return await group.next()
      }
    }
    while clock.sleeperCount < 2 { await Task.yield() }
    clock.advance(by: .seconds(3))
    #expect(await race.value == "time-out")
  }

  private func outcome(_ name: String, after seconds: Int) async -> String {
    do {
      try await clock.sleep(for: .seconds(seconds))
      return name
    } catch {
      return "cancelled"
    }
  }
}
