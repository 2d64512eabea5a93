import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's cookies: taken from responses and put into requests, which the system does by itself
/// only for its own HTTP.
struct CookieJar {
  private let storage: HTTPCookieStorage?

  init(_ configuration: URLSessionConfiguration, _ request: URLRequest) {
    let isUsed =
      configuration.httpShouldSetCookies && request.httpShouldHandleCookies
      && configuration.httpCookieAcceptPolicy != .never
    storage = isUsed ? configuration.httpCookieStorage : nil
  }

  func store(_ response: RequestAnswer.Response, from url: URL) {
    guard let storage else { return }
    for value in response.values(of: "Set-Cookie") {
      let cookies = HTTPCookie.cookies(
        withResponseHeaderFields: ["Set-Cookie": value], for: url)
      for cookie in cookies { storage.setCookie(cookie) }
    }
  }

  /// Sets the header that the stored cookies make; leaves one that is there already.
  func addCookies(to request: inout URLRequest) {
    guard let storage, request.value(forHTTPHeaderField: "Cookie") == nil, let url = request.url,
      let cookies = storage.cookies(for: url), !cookies.isEmpty
    else { return }
    for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
      request.setValue(value, forHTTPHeaderField: name)
    }
  }
}
