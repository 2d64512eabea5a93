import CAppWorld
import Foundation
import Synchronization

/// A clock that never moves by itself: the scenario moves it, with `advanceClock` and the waits.
///
/// It is the time of the whole process where the kit can reach that; inject it wherever you want to be
/// sure of it.
public final class VirtualClock: Clock {
  /// Time since launch, by this clock.
  public struct Instant: InstantProtocol, Hashable {
    /// Since the start of the clock.
    public var offset: Duration

    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset < right.offset
    }
  }

  private struct Sleeper {
    var deadline: Instant
    /// How far the scenario has moved the clock when this is due.
    var due: Duration
    var order: Int
    var wake: @Sendable (Result<Void, any Error>) -> Void
  }

  private struct State {
    var now = Instant(offset: .zero)
    /// How far the scenario has moved the clock. What it shows is ahead of that by the moments that
    /// `tick` adds.
    var driven = Duration.zero
    var isOfProcess = false
    /// While something is woken: how far ahead what the clock shows was when it was scheduled. A timer
    /// that repeats is scheduled anew meanwhile.
    var leadOfWoken: Duration?
    var nextOrder = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Sleeps that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  /// The date at which the clock starts.
  let start: Date
  private let state: Mutex<State>

  public convenience init(start: Date) { self.init(start: start, elapsed: .zero) }

  /// - Parameter elapsed: what the clock shows at first: in a relaunch the time of the processes before.
  init(start: Date, elapsed: Duration) {
    self.start = start
    state = Mutex(State(now: Instant(offset: elapsed), driven: elapsed))
  }

  public var now: Instant { state.withLock { $0.now } }

  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The date by this clock.
  public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }

  /// Waits until the scenario has moved the clock to `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let order = makeOrder()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        enqueue(order, until: deadline) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancel(order)
    }
  }

  /// Moves the clock, waking what falls due in order of its time; for unit tests of an app.
  ///
  /// It does not wait for what the woken tasks do then: under the runner, `advanceClock` does.
  public func advance(by duration: Duration) {
    let end = instant(after: duration)
    while wakeNext(upTo: end) {}
  }

  /// Calls `work` when the clock has been moved to `deadline`, at once if it is there already.
  ///
  /// - Returns: what takes it back.
  @discardableResult package func schedule(
    at deadline: Instant, _ work: @escaping @Sendable () -> Void
  ) -> Int {
    let order = makeOrder()
    enqueue(order, until: deadline) { _ in work() }
    return order
  }

  private func makeOrder() -> Int {
    state.withLock { state in
      state.nextOrder += 1
      return state.nextOrder
    }
  }

  /// Takes back what was scheduled.
  ///
  /// - Returns: whether it had not been called yet.
  package func unschedule(_ order: Int) -> Bool {
    state.withLock { $0.sleepers.removeValue(forKey: order) != nil }
  }

  /// When the next sleeper is due, if one sleeps.
  package var nextDeadline: Instant? {
    state.withLock { state in state.sleepers.values.map(\.deadline).min() }
  }

  /// How many wait for the clock.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// How far `advanceClock` has to move the clock until the next sleeper is due, if one sleeps.
  package var timeToNext: Duration? {
    state.withLock { state in
      state.sleepers.values.map(\.due).min().map { max(.zero, $0 - state.driven) }
    }
  }

  /// Where `wakeNext` ends after so much time.
  package func instant(after duration: Duration) -> Instant {
    state.withLock { Instant(offset: $0.driven + duration) }
  }

  /// Moves what the clock shows by a moment that is nobody's: nothing falls due by it, and the scenario's
  /// next moves take it back. So what two actions do bears different times.
  package func tick(by moment: Duration) {
    state.withLock { state in
      state.now.offset += moment
      publish(state)
    }
  }

  /// A `Double` of seconds, as `Date` has it, is off by up to a quarter of a microsecond.
  private static let precision = Duration.microseconds(1)

  /// Moves the clock to `instant` and wakes one sleeper that is due by then: the earliest, of equal
  /// ones the one that came first.
  ///
  /// - Parameter instant: how far the scenario has moved the clock then; see `instant(after:)`.
  /// - Returns: whether there was one; the clock then stands at its deadline.
  package func wakeNext(upTo instant: Instant) -> Bool {
    let due = state.withLock { state -> Sleeper? in
      defer { publish(state) }
      let next = state.sleepers.values.min { ($0.due, $0.order) < ($1.due, $1.order) }
      guard let next, next.due <= instant.offset + Self.precision else {
        // What `tick` added is taken back, as far as no time goes back.
        state.driven = max(state.driven, instant.offset)
        state.now.offset = max(state.now.offset, state.driven)
        return nil
      }
      state.driven = max(state.driven, min(next.due, instant.offset))
      state.now = max(state.now, next.deadline)
      state.sleepers[next.order] = nil
      state.leadOfWoken = next.deadline.offset - next.due
      return next
    }
    guard let due else { return false }
    let depth = appworld_begin_app_work()
    due.wake(.success(()))
    appworld_end_app_work(depth)
    state.withLock { $0.leadOfWoken = nil }
    return true
  }

  /// Makes this the time of the whole process.
  func takeOverProcess() {
    state.withLock { state in
      state.isOfProcess = true
      publish(state)
    }
  }

  private func publish(_ state: State) {
    if state.isOfProcess { appworld_set_now(state.now.offset.nanoseconds) }
  }

  private func enqueue(
    _ order: Int, until deadline: Instant,
    wake: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let outcome = state.withLock { state -> Result<Void, any Error>? in
      if state.cancelled.remove(order) != nil { return .failure(CancellationError()) }
      if deadline <= state.now { return .success(()) }
      let lead = state.leadOfWoken ?? (state.now.offset - state.driven)
      let due = deadline.offset - lead
      state.sleepers[order] = Sleeper(deadline: deadline, due: due, order: order, wake: wake)
      return nil
    }
    if let outcome { wake(outcome) }
  }

  private func cancel(_ order: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let sleeper = state.sleepers.removeValue(forKey: order) else {
        state.cancelled.insert(order)
        return nil
      }
      return sleeper
    }
    sleeper?.wake(.failure(CancellationError()))
  }
}

extension Duration {
  /// Whole nanoseconds, as far as 64 bits reach.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : whole + attoseconds / 1_000_000_000
  }
}
