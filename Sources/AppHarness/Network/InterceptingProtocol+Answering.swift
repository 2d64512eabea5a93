import Foundation
import HarnessProtocol
import StubMappings

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension InterceptingProtocol {
  /// Records a request, then has it answered.
  func send(_ hop: Hop) {
    guard let tracking, let url = hop.request.url else { return fail(.badURL) }
    // Such a request goes nowhere on any system.
    guard url.scheme != nil else { return fail(.unsupportedURL) }
    let interceptor = tracking.interceptor
    do {
      let (answer, doubt) = interceptor.answer(to: hop.request)
      let refusal = UnsupportedTask.refusal(of: task)
      let isAnswered =
        doubt == nil && refusal == nil && interceptor.schedule == nil && !isFinished
      let end = isAnswered ? answer.end(from: url) : nil
      let record = try interceptor.record(
        hop.request, action: hop.number == 0 ? tracking.action : interceptor.currentAction,
        answer: answer.source, end: end)
      if end == nil { tracking.recorded(as: record) }
      if let doubt {
        interceptor.fail(doubt)
        return fail(.cannotLoadFromNetwork)
      }
      if let refusal { return refuse(refusal) }
      if answer.delay > .zero {
        wait(answer.limited(to: timeout(of: hop.request)), hop, url, record)
      } else {
        deliver(answer, hop, url, record)
      }
    } catch {
      // The failure is told to the runner when the app is idle.
      interceptor.fail("\(error)")
      fail(.cannotWriteToFile)
    }
  }

  /// The system has its own HTTP time out only.
  private func timeout(of request: URLRequest) -> Duration {
    let standard = 60.0
    let configured = session?.configuration.timeoutIntervalForRequest ?? standard
    let ofRequest = request.timeoutInterval == standard ? configured : request.timeoutInterval
    let ofResource = session?.configuration.timeoutIntervalForResource ?? ofRequest
    return .seconds(min(ofRequest, ofResource))
  }

  private func wait(_ answer: RequestAnswer, _ hop: Hop, _ url: URL, _ record: Int) {
    guard let tracking, let task else { return take(answer, hop, url) }
    let thread = LoadingThread(of: task)
    let delivery = Confined { if !self.isFinished { self.deliver(answer, hop, url, record) } }
    tracking.interceptor.waiting.add(task)
    tracking.wait(answer.delay) {
      tracking.interceptor.waiting.remove(task)
      thread.perform { delivery.value() }
    }
  }

  /// At once, or when the schedule says.
  private func deliver(_ answer: RequestAnswer, _ hop: Hop, _ url: URL, _ record: Int) {
    guard let tracking, let task, let schedule = tracking.interceptor.schedule else {
      return take(answer, hop, url)
    }
    let thread = LoadingThread(of: task)
    let delivery = Confined { (fate: AnswerFate) in
      if !self.isFinished { self.take(answer.suffering(fate), hop, url) }
    }
    tracking.interceptor.waiting.add(task)
    tracking.hold(in: schedule, record: record) { fate in
      tracking.interceptor.waiting.remove(task)
      thread.perform { delivery.value(fate) }
    }
  }

  private func take(_ answer: RequestAnswer, _ hop: Hop, _ url: URL) {
    switch answer.outcome {
    case .failure(let code, let head):
      if let head { receive(head, from: url) }
      fail(code)
    case .response(let response):
      if let session, !response.headers.isEmpty {
        CookieJar(session.configuration, hop.request).store(response, from: url)
      }
      guard let target = response.redirect(from: url) else { return succeed(response, from: url) }
      follow(response, hop, from: url, to: target)
    }
  }

  private func follow(
    _ response: RequestAnswer.Response, _ hop: Hop, from url: URL, to target: URL
  ) {
    tracking?.recordEnd(.status(response.status))
    guard hop.number < Redirect.limit else { return fail(.httpTooManyRedirects) }
    guard ["http", "https"].contains(target.scheme?.lowercased()) else {
      return fail(.unsupportedURL)
    }
    var next = hop.following(response, to: target)
    if let session {
      CookieJar(session.configuration, next.request).addCookies(to: &next.request)
    }
    askDelegate(response, from: url, next)
  }

  /// Has the app's delegate decide about a redirect, where there is one.
  private func askDelegate(_ response: RequestAnswer.Response, from url: URL, _ next: Hop) {
    guard let intercepted = session, let task,
      let (session, delegate) = intercepted.delegate(of: task),
      let head = HTTPResponseHead.make(response, url: url)
    else { return send(next) }
    let decided = Confined { (request: URLRequest?) in
      guard !self.isFinished else { return }
      guard let request else { return self.succeed(response, from: url) }
      self.send(Hop(request: request, number: next.number))
    }
    let thread = LoadingThread(of: task)
    intercepted.performOnDelegateQueue {
      delegate.askAboutRedirect(session, task, head, next.request) { request in
        thread.perform { decided.value(request) }
      }
    }
  }
}

extension InterceptingProtocol {
  private func receive(_ response: RequestAnswer.Response, from url: URL) {
    guard let head = HTTPResponseHead.make(response, url: url) else { return }
    client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
  }

  private func succeed(_ response: RequestAnswer.Response, from url: URL) {
    finish(.status(response.status)) {
      receive(response, from: url)
      // In one piece: of several only the last is kept on some systems.
      if !response.body.isEmpty { client?.urlProtocol(self, didLoad: response.body) }
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  func fail(_ code: URLError.Code) {
    var details: [String: Any] = [:]
    if let url = request.url {
      details[NSURLErrorFailingURLErrorKey] = url
    }
    fail(URLError(code, userInfo: details))
  }

  private func fail(_ error: URLError) {
    finish(RequestEnd(error.code)) {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  /// Tells the app what its task can't do here.
  private func refuse(_ error: URLError) {
    tracking?.interceptor.warn(error.localizedDescription)
    fail(error)
    // Whoever waits for a message of a web socket hears of its end only from a cancellation.
    if let socket = task as? URLSessionWebSocketTask { socket.cancel() }
  }

  private func finish(_ end: RequestEnd, _ tell: () -> Void) {
    guard !isFinished else { return }
    isFinished = true
    tracking?.recordEnd(end)
    tell()
    // What the app's handlers do is waited for by the sessions' queues.
    tracking?.end()
  }

  func onLoadingThread(_ work: @escaping (InterceptingProtocol) -> Void) {
    let work = Confined { work(self) }
    LoadingThread(of: task).perform { work.value() }
  }
}
