import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The way that each intercepted request takes: it is counted, recorded, then answered.
///
/// The system makes one for each request while the app's `resume()` is still running, so the
/// request is counted before the work that caused it has ended. Its state is touched on the loading
/// thread alone.
final class InterceptingProtocol: URLProtocol {
  let tracking: RequestTracking?
  private(set) var session: InterceptedSession?
  private var hasStarted = false
  /// Whether the client has been told the end, or does not want to know it any more.
  var isFinished = false

  override class func canInit(with request: URLRequest) -> Bool {
    switch request.url?.scheme {
    case "https", "http": true
    case let scheme: !["file", "data"].contains(scheme?.lowercased())
    }
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    tracking = RequestInterceptor.current.withLock { $0 }.map(RequestTracking.init)
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  override func startLoading() {
    // A task that was suspended is started again, though it was never stopped here.
    guard !hasStarted else { return }
    hasStarted = true
    guard let tracking, let task else { return fail(.unsupportedURL) }
    session = tracking.interceptor.sessions.session(of: task)
    if session == nil {
      tracking.interceptor.fail("Foundation no longer shows the session of a task.")
    }
    // Such a request goes nowhere on any system, and there is no cache.
    guard cachePolicy != .returnCacheDataDontLoad else { return fail(.resourceUnavailable) }
    switch RequestBody(request, task) {
    case .visible: sendFirst(request)
    case .data(let data): sendFirst(with: data)
    case .stream(let stream): read(stream)
    case .delegate: askForStream()
    }
  }

  override func stopLoading() {
    guard !isFinished, task?.state != .suspended else { return }
    isFinished = true
    tracking?.cancel()
    // The client is told after this returns: its callback has to be in the queue first.
    onLoadingThread { $0.tracking?.end() }
  }

  /// The request's own, or the session's.
  private var cachePolicy: URLRequest.CachePolicy {
    let own = request.cachePolicy
    guard own == .useProtocolCachePolicy, let session else { return own }
    return session.configuration.requestCachePolicy
  }

  private func sendFirst(with body: Data?) {
    var request = request
    request.httpBodyStream = nil
    request.httpBody = body
    sendFirst(request)
  }

  /// Sends the task's own request, with what the system adds for its own HTTP.
  private func sendFirst(_ request: URLRequest) {
    var request = request
    if let session {
      for header in session.additionalHeaders
      where request.value(forHTTPHeaderField: header.name) == nil {
        request.setValue(header.value, forHTTPHeaderField: header.name)
      }
      if TaskInternals.mayHaveCookies(request) {
        CookieJar(session.configuration, request).addCookies(to: &request)
      }
    }
    send(Hop(request: request, number: 0))
  }

  private func askForStream() {
    guard let task, let (session, delegate) = session?.delegate(of: task) else {
      return sendFirst(request)
    }
    let thread = LoadingThread(of: task)
    let continuation = Confined { (stream: InputStream?) in
      if let stream { self.read(stream) } else { self.sendFirst(self.request) }
    }
    delegate.askForBodyStream(session, task) { stream in
      let stream = Confined(stream)
      thread.perform { continuation.value(stream.value) }
    }
  }

  /// Reads on a thread of its own: the stream's other end may be written on this one.
  private func read(_ stream: InputStream) {
    let stream = Confined(stream)
    let continuation = Confined { (body: Data?) in
      if !self.isFinished { self.sendFirst(with: body) }
    }
    let thread = LoadingThread(of: task)
    DispatchQueue.global().async {
      let body = RequestBody.contents(of: stream.value)
      thread.perform { continuation.value(body) }
    }
  }
}

/// A value that is handed from thread to thread, and used by one at a time.
///
/// Unchecked: protocols and their streams are not `Sendable`, but the loading thread is the only one
/// that touches them, or the one that it has given them to.
struct Confined<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
