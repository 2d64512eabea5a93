import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

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
