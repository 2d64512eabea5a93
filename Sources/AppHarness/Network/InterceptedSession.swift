import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of the app whose requests come through the interceptor.
final class InterceptedSession: Sendable {
  private struct State {
    /// Requests that were answered, and whose callbacks may still be in the delegate queue.
    var answered: [RequestTracking] = []
    var isWatching = false
  }

  private weak let session: URLSession?
  /// Headers for all requests, which the task's own request does not show.
  let additionalHeaders: [(name: String, value: String)]
  let configuration: URLSessionConfiguration
  private let state = Mutex(State())

  init(_ session: URLSession) {
    self.session = session
    configuration = session.configuration
    let headers = configuration.httpAdditionalHeaders ?? [:]
    additionalHeaders = headers.map { ("\($0.key)", "\($0.value)") }
  }

  var isAlive: Bool { session != nil }

  /// The delegate that is asked about a task's redirects.
  func delegate(of task: URLSessionTask) -> (URLSession, any URLSessionTaskDelegate)? {
    guard let session,
      let delegate = task.delegate ?? session.delegate as? any URLSessionTaskDelegate
    else { return nil }
    return (session, delegate)
  }

  func performOnDelegateQueue(_ work: @escaping @Sendable () -> Void) {
    session?.delegateQueue.addOperation(work)
  }

  /// Ends the tracking of a request once the callbacks that are in the delegate queue by now have
  /// returned.
  func endAfterCallbacks(_ tracking: RequestTracking) {
    let isFirst = state.withLock { state in
      state.answered.append(tracking)
      defer { state.isWatching = true }
      return !state.isWatching
    }
    if isFirst { watch() }
  }

  /// One operation behind all that are there: many requests at once share it.
  private func watch() {
    let ending = state.withLock { state in
      defer { state.answered = [] }
      return state.answered
    }
    let finish: @Sendable () -> Void = { [self] in
      for tracking in ending { tracking.end() }
      let isDone = state.withLock { state in
        if state.answered.isEmpty { state.isWatching = false }
        return state.answered.isEmpty
      }
      if !isDone { watch() }
    }
    guard let queue = session?.delegateQueue else { return finish() }
    // A barrier of swift-corelibs-foundation stalls now and then; behind the operations of a serial
    // queue any operation will do.
    if queue.maxConcurrentOperationCount == 1 {
      queue.addOperation(finish)
    } else {
      queue.addBarrierBlock(finish)
    }
  }
}
