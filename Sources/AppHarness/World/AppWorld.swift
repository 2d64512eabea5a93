import CAppWorld
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the process under the app is made to be: its work is counted, its time is the clock's, its random
/// numbers follow from a seed, and its sessions lead to the interceptor.
///
/// The runtime and the libraries call it, so there is one a process.
enum AppWorld {
  private struct State {
    var clock: VirtualClock?
    var reach: Int32 = 0
  }

  private static let state = Mutex(State())

  /// Takes the process over; to be called first in `main`, once.
  static func takeOver(clock: VirtualClock, seed: UInt64) {
    var hooks = appworld_hooks()
    hooks.begin = { WorkCounter.process.begin(WorkCounter.Kind($0)) }
    hooks.end = { WorkCounter.process.end(WorkCounter.Kind($0)) }
    hooks.start = { WorkCounter.process.start() }
    hooks.schedule = { deadline, fire, context, generation in
      AppWorld.schedule(deadline, fire, context, generation)
    }
    hooks.cancel = { AppWorld.clock?.unschedule(Int($0)) ?? false }
    hooks.tick = { AppWorld.clock?.tick(by: .nanoseconds($0)) }
    hooks.configure = { configuration in
      guard let configuration else { return }
      RequestInterceptor.intercept(
        Unmanaged<URLSessionConfiguration>.fromOpaque(configuration).takeUnretainedValue())
    }
    state.withLock { $0.clock = clock }
    let start = Int64((clock.start.timeIntervalSince1970 * 1000).rounded()) * 1_000_000
    let reach = appworld_activate(&hooks, start, seed)
    state.withLock { $0.reach = reach }
    clock.takeOverProcess()
  }

  /// Whether time is the clock's.
  static var hasTime: Bool { reaches(APPWORLD_TIME) }

  /// Whether all work is seen, in whatever way it was started.
  static var isWhole: Bool { reaches(APPWORLD_WORK) && reaches(APPWORLD_THREADS) }

  /// What the app did too early, with what follows from that; `nil` where it didn't.
  static var early: String? {
    if reaches(APPWORLD_EARLY_SESSIONS) {
      return
        "a URLSession, or the configuration of one, was made before Harness.run, so that nobody would "
        + "see its requests"
    }
    if reaches(APPWORLD_EARLY_TIMERS) {
      return
        "a timer was set, or a run loop used, before Harness.run, so that it would keep to the system's "
        + "time, and fire in any action"
    }
    return nil
  }

  /// What the kit can't reach in this process, for the answer to `initialize`.
  static var unseen: [String] {
    let parts: [(appworld_reach, String)] = [
      (APPWORLD_WORK, "work on dispatch and operation queues"),
      (APPWORLD_THREADS, "threads"),
      (APPWORLD_CALLS, "waits by the system's clock, and for children"),
      (APPWORLD_TIME, "time that is not the launch's clock"),
      (APPWORLD_RANDOM, "random numbers"),
      (APPWORLD_SESSIONS, "sessions that the launch did not configure"),
    ]
    return parts.filter { !reaches($0.0) }.map(\.1)
  }

  private static var clock: VirtualClock? { state.withLock { $0.clock } }

  private static func reaches(_ part: appworld_reach) -> Bool {
    state.withLock { $0.reach } & Int32(part.rawValue) != 0
  }

  private static func schedule(
    _ deadline: Int64, _ fire: (@convention(c) (UnsafeMutableRawPointer?, UInt64) -> Void)?,
    _ context: UnsafeMutableRawPointer?, _ generation: UInt64
  ) -> UInt64 {
    // The address of something of C's, which takes care of it.
    nonisolated(unsafe) let context = context
    let instant = VirtualClock.Instant(offset: .nanoseconds(deadline))
    return UInt64(clock?.schedule(at: instant) { fire?(context, generation) } ?? 0)
  }
}

extension WorkCounter.Kind {
  fileprivate init(_ work: appworld_work) {
    switch work {
    case APPWORLD_QUEUED: self = .queued
    case APPWORLD_BLOCK: self = .block
    default: self = .job
    }
  }
}
