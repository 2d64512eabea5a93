import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The way that each intercepted request takes: it is counted, recorded, then answered.
///
/// The system makes one for each request while the app's `resume()` is still running, so the
/// request is counted before the work that caused it has ended.
final class InterceptingProtocol: URLProtocol {
  private let tracking: RequestTracking?

  override class func canInit(with request: URLRequest) -> Bool {
    !["file", "data"].contains(request.url?.scheme?.lowercased())
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    tracking = RequestInterceptor.current.withLock { $0 }.map(RequestTracking.init)
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  override func startLoading() {
    guard let tracking else { return fail(URLError(.unsupportedURL)) }
    send(request, hop: 0, tracking)
  }

  override func stopLoading() {
    guard let tracking, task?.state != .completed else { return }
    tracking.cancel()
    endAfterCompletion()
  }

  /// Records and answers a request; the first, or the one that a redirect leads to.
  private func send(_ request: URLRequest, hop: Int, _ tracking: RequestTracking) {
    guard let url = request.url else { return fail(URLError(.badURL)) }
    do {
      let body = hop == 0 ? RequestBody.of(request, task) : request.httpBody
      let interceptor = tracking.interceptor
      let answer = try interceptor.answer(to: request, body: body)
      tracking.recorded(
        as: try interceptor.record(
          request, body: body, action: tracking.action, answer: answer.source))
      if let refusal = UnsupportedTask.refusal(of: task) { return fail(refusal) }
      var next = request
      next.httpBody = body
      next.httpBodyStream = nil
      take(answer, of: next, from: url, hop: hop, tracking)
    } catch {
      // Told to the runner when the app has come to rest: nothing can be said about its requests.
      tracking.interceptor.fail("\(error)")
      fail(URLError(.cannotLoadFromNetwork))
    }
  }

  private func take(
    _ answer: RequestAnswer, of request: URLRequest, from url: URL, hop: Int,
    _ tracking: RequestTracking
  ) {
    guard answer.delay > .zero else {
      return deliver(answer, of: request, from: url, hop: hop, tracking)
    }
    let delivery = Delivery {
      guard !tracking.isCancelled else { return }
      self.deliver(answer, of: request, from: url, hop: hop, tracking)
    }
    tracking.wait(answer.delay) { [task] in
      TaskInternals.deliver(for: task) { delivery.run() }
    }
  }

  /// Unchecked: it runs where the system lets a protocol speak, one call at a time.
  private struct Delivery: @unchecked Sendable {
    let run: () -> Void
  }

  private func deliver(
    _ answer: RequestAnswer, of request: URLRequest, from url: URL, hop: Int,
    _ tracking: RequestTracking
  ) {
    switch answer.outcome {
    case .failure(let error): fail(error)
    case .response(let response):
      let cookies = response.hasCookies || hop > 0 || answer.redirect(from: url) != nil ? jar : nil
      cookies?.store(response, from: url)
      guard let target = answer.redirect(from: url) else { return succeed(response, from: url) }
      guard hop < RedirectedRequest.limit else { return fail(URLError(.httpTooManyRedirects)) }
      var next = RedirectedRequest.following(request, status: response.status, to: target)
      cookies?.addCookies(to: &next)
      send(next, hop: hop + 1, tracking)
    }
  }

  private var jar: CookieJar {
    CookieJar(task.flatMap(TaskInternals.session)?.configuration)
  }

  private func succeed(_ response: RequestAnswer.Response, from url: URL) {
    guard let head = HTTPResponseHead.make(response, url: url) else {
      return fail(URLError(.badServerResponse))
    }
    client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
    // In one piece: of several only the last is kept on some systems.
    if !response.body.isEmpty { client?.urlProtocol(self, didLoad: response.body) }
    client?.urlProtocolDidFinishLoading(self)
    endAfterCompletion()
  }

  private func fail(_ error: URLError) {
    client?.urlProtocol(self, didFailWithError: error)
    endAfterCompletion()
  }

  /// The request counts as running until the app's completion handler has returned.
  private func endAfterCompletion() {
    guard let tracking else { return }
    guard let task else { return tracking.end() }
    CompletionWatch.whenCompleted(task) { tracking.end() }
  }
}
