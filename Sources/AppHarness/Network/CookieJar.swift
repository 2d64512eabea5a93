import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session's cookies: taken from answers and put into the requests that follow a redirect, which
/// the system does by itself only for its own HTTP.
struct CookieJar {
  private let storage: HTTPCookieStorage?

  init(_ configuration: URLSessionConfiguration?) {
    let takesCookies =
      configuration?.httpShouldSetCookies == true
      && configuration?.httpCookieAcceptPolicy != .never
    storage = takesCookies ? configuration?.httpCookieStorage : nil
  }

  func store(_ response: RequestAnswer.Response, from url: URL) {
    for header in response.headers where header.name.lowercased() == "set-cookie" {
      let cookies = HTTPCookie.cookies(
        withResponseHeaderFields: ["Set-Cookie": header.value], for: url)
      for cookie in cookies { storage?.setCookie(cookie) }
    }
  }

  func addCookies(to request: inout URLRequest) {
    guard let url = request.url, let cookies = storage?.cookies(for: url), !cookies.isEmpty else {
      return
    }
    for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) {
      request.setValue(value, forHTTPHeaderField: name)
    }
  }
}
