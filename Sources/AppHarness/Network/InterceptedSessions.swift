import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The sessions that the interceptor has met.
final class InterceptedSessions: Sendable {
  private struct State {
    var known: [ObjectIdentifier: InterceptedSession] = [:]
    var place = SessionPlace()
  }

  private let state = Mutex(State())

  /// The session of a task.
  ///
  /// - Returns: `nil` where Foundation does not show it as it did when this was written.
  func session(of task: URLSessionTask) -> InterceptedSession? {
    let known = state.withLock { state -> InterceptedSession? in
      guard let identifier = state.place.identifier(in: task), let known = state.known[identifier],
        known.isAlive
      else { return nil }
      return known
    }
    return known ?? find(task)
  }

  /// Waits until the app's handlers and delegates have returned that were to be called by now.
  ///
  /// - Returns: whether they did before the deadline.
  func waitForCallbacks(before deadline: DispatchTime) -> Bool {
    let sessions = state.withLock { Array($0.known.values) }
    let returned = DispatchGroup()
    for session in sessions {
      returned.enter()
      session.afterCallbacks { returned.leave() }
    }
    return returned.wait(timeout: deadline) == .success
  }

  private func find(_ task: URLSessionTask) -> InterceptedSession? {
    guard let session = TaskInternals.session(of: task) else { return nil }
    return state.withLock { state in
      state.known = state.known.filter { $0.value.isAlive }
      state.place.learn(from: task, session)
      let identifier = ObjectIdentifier(session)
      if let known = state.known[identifier] { return known }
      let found = InterceptedSession(session)
      state.known[identifier] = found
      return found
    }
  }
}
