import Foundation
import HarnessWire

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
    guard let tracking, let url = request.url else { return fail(URLError(.unsupportedURL)) }
    let isOnline = tracking.interceptor.network.isOnline
    do {
      let ordinal = try tracking.interceptor.record(
        request, body: RequestBody.of(request), action: tracking.action,
        answer: isOnline ? .default : .offline)
      tracking.recorded(as: ordinal)
    } catch {
      // The failure is told to the runner when the app has come to rest.
      return fail(URLError(.cannotWriteToFile))
    }
    guard isOnline else { return fail(URLError(.notConnectedToInternet)) }
    succeed(url)
  }

  override func stopLoading() {
    guard task?.state != .completed else { return }
    tracking?.cancelled()
    endAfterCompletion()
  }

  private func succeed(_ url: URL) {
    guard
      let response = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
    else { return fail(URLError(.badServerResponse)) }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
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
