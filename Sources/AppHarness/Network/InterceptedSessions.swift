import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The sessions that the interceptor has met.
final class InterceptedSessions: Sendable {
  private let known = Mutex<[ObjectIdentifier: InterceptedSession]>([:])

  /// The session of a task.
  ///
  /// - Returns: `nil` where Foundation does not show it as it did when this was written.
  func session(of task: URLSessionTask) -> InterceptedSession? {
    guard let session = TaskInternals.session(of: task) else { return nil }
    return known.withLock { known in
      let identifier = ObjectIdentifier(session)
      if let found = known[identifier], found.isAlive { return found }
      known = known.filter { $0.value.isAlive }
      let found = InterceptedSession(session)
      known[identifier] = found
      return found
    }
  }

  /// Waits until the app's handlers and delegates have returned that were to be called by now.
  ///
  /// - Returns: whether they did before the deadline.
  func waitForCallbacks(before deadline: DispatchTime) -> Bool {
    let sessions = known.withLock { Array($0.values) }
    let returned = DispatchGroup()
    for session in sessions {
      returned.enter()
      session.afterCallbacks { returned.leave() }
    }
    return returned.wait(timeout: deadline) == .success
  }
}

/// A session of the app whose requests come through the interceptor.
final class InterceptedSession: Sendable {
  private weak let session: URLSession?
  /// Headers for all requests, which the task's own request does not show.
  let additionalHeaders: [(name: String, value: String)]
  let configuration: URLSessionConfiguration

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

  /// Calls `done` once the callbacks that are in the delegate queue by now have returned.
  func afterCallbacks(_ done: @escaping @Sendable () -> Void) {
    guard let queue = session?.delegateQueue else { return done() }
    // A barrier of swift-corelibs-foundation stalls now and then; behind the operations of a serial
    // queue any operation will do.
    if queue.maxConcurrentOperationCount == 1 {
      queue.addOperation(done)
    } else {
      queue.addBarrierBlock(done)
    }
  }
}

/// Keeps nothing, and says so at once.
///
/// The shared session can't do without a cache; swift-corelibs-foundation asks it on a queue of its own, on
/// which nobody would see the request.
///
/// Unchecked, as its superclass is: it has no state.
final class NoCache: URLCache, @unchecked Sendable {
  override func cachedResponse(for request: URLRequest) -> CachedURLResponse? { nil }

  override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {}

  override func getCachedResponse(
    for dataTask: URLSessionDataTask,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(nil)
  }

  override func storeCachedResponse(
    _ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask
  ) {}
}
