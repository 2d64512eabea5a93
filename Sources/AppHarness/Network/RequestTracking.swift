import Foundation
import HarnessProtocol
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The life of one request: counted as running from its creation until its outcome is in the session's
/// hands, but for the time that it waits for the clock.
final class RequestTracking: Sendable {
  private enum Life {
    case running, waiting, ended
  }

  private struct State {
    var life = Life.running
    /// The number of the record of the hop at hand, until it has ended.
    var number: Int?
  }

  let interceptor: RequestInterceptor
  private let state = Mutex(State())

  /// The action in hand when the request was caused.
  let action: Int

  init(_ interceptor: RequestInterceptor) {
    self.interceptor = interceptor
    action = interceptor.currentAction
    interceptor.counter.begin(.request)
  }

  deinit { end() }

  func recorded(as number: Int) {
    state.withLock { $0.number = number }
  }

  /// Records how the hop at hand ended; safe to be called again.
  func recordEnd(_ end: RequestEnd) {
    let number = state.withLock { state in
      defer { state.number = nil }
      return state.number
    }
    if let number { interceptor.recordEnd(end, of: number) }
  }

  /// Waits for the app's clock, which only an action moves: so the app can rest meanwhile.
  func wait(_ delay: Duration, then work: @escaping @Sendable () -> Void) {
    let clock = interceptor.clock
    // Held until the clock knows of it, so that the app does not seem at rest before.
    interceptor.counter.begin(.request)
    change(to: .waiting)
    clock.schedule(at: clock.now.advanced(by: delay)) {
      self.resume()
      work()
    }
    interceptor.counter.end(.request)
  }

  /// Has a schedule decide when the answer comes, which it does when the app is at rest.
  func hold(
    in schedule: AnswerSchedule, record: Int, then work: @escaping @Sendable (AnswerFate) -> Void
  ) {
    let counter = interceptor.counter
    // Held until the schedule knows of it, so that the app does not seem at rest before.
    counter.begin(.request)
    change(to: .waiting)
    schedule.hold(
      AnswerSchedule.HeldAnswer(
        action: interceptor.currentAction, isAwaited: { self.isWaiting }
      ) { fate in
        self.resume()
        work(fate)
      }, record: record)
    counter.end(.request)
  }

  private var isWaiting: Bool { state.withLock { $0.life == .waiting } }

  /// The app cancelled the request: that is its end, and what follows is work again.
  func cancel() {
    resume()
    recordEnd(.cancelled)
  }

  /// Safe to be called again.
  func end() { change(to: .ended) }

  private func resume() {
    state.withLock { state in
      guard state.life == .waiting else { return }
      state.life = .running
      interceptor.counter.begin(.request)
    }
  }

  private func change(to life: Life) {
    let wasRunning = state.withLock { state in
      defer { if state.life != .ended { state.life = life } }
      return state.life == .running
    }
    if wasRunning { interceptor.counter.end(.request) }
  }
}

/// The tasks whose answers wait for the app's clock.
///
/// They count as rest; but when one is cancelled, its end is on the way before anything counts it.
final class WaitingTasks: Sendable {
  private let tasks = Mutex<[ObjectIdentifier: URLSessionTask]>([:])

  func add(_ task: URLSessionTask) {
    tasks.withLock { $0[ObjectIdentifier(task)] = task }
  }

  func remove(_ task: URLSessionTask) {
    tasks.withLock { $0[ObjectIdentifier(task)] = nil }
  }

  /// Waits until every cancellation that has been asked for by now is counted as work.
  func flushCancellations() {
    let waiting = tasks.withLock { tasks in
      tasks = tasks.filter { $0.value.state != .completed }
      return Array(tasks.values)
    }
    for task in waiting { TaskInternals.flushCancellation(of: task) }
  }
}
