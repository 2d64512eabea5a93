import Foundation
import Synchronization

/// A clock that never moves by itself: the scenario moves it, with `advanceClock` and the waits.
///
/// Inject it wherever the app would use `ContinuousClock` or `Date()`.
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
    var order: Int
    var wake: @Sendable (Result<Void, any Error>) -> Void
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextOrder = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Sleeps that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  /// The date at which the clock starts.
  public let start: Date
  private let state = Mutex(State())

  public init(start: Date) {
    self.start = start
  }

  public var now: Instant { state.withLock { $0.now } }

  public var minimumResolution: Duration { .nanoseconds(1) }

  /// The date by this clock.
  public var date: Date { start.addingTimeInterval(now.offset / .seconds(1)) }

  /// Waits until the scenario has moved the clock to `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let order = state.withLock { state in
      state.nextOrder += 1
      return state.nextOrder
    }
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
    let end = now.advanced(by: duration)
    while wakeNext(upTo: end) {}
  }

  /// Calls `work` when the clock has been moved to `deadline`, at once if it is there already.
  package func schedule(at deadline: Instant, _ work: @escaping @Sendable () -> Void) {
    let order = state.withLock { state in
      state.nextOrder += 1
      return state.nextOrder
    }
    enqueue(order, until: deadline) { _ in work() }
  }

  /// When the next sleeper is due, if one sleeps.
  package var nextDeadline: Instant? {
    state.withLock { state in state.sleepers.values.map(\.deadline).min() }
  }

  /// How many wait for the clock.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Moves the clock to `instant` and wakes one sleeper that is due by then: the earliest, of equal
  /// ones the one that came first.
  ///
  /// - Returns: whether there was one; the clock then stands at its deadline.
  package func wakeNext(upTo instant: Instant) -> Bool {
    let due = state.withLock { state -> Sleeper? in
      let next = state.sleepers.values.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
      guard let next, next.deadline <= instant else {
        state.now = max(state.now, instant)
        return nil
      }
      state.now = max(state.now, next.deadline)
      state.sleepers[next.order] = nil
      return next
    }
    due?.wake(.success(()))
    return due != nil
  }

  private func enqueue(
    _ order: Int, until deadline: Instant,
    wake: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    let outcome = state.withLock { state -> Result<Void, any Error>? in
      if state.cancelled.remove(order) != nil { return .failure(CancellationError()) }
      if deadline <= state.now { return .success(()) }
      state.sleepers[order] = Sleeper(deadline: deadline, order: order, wake: wake)
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
