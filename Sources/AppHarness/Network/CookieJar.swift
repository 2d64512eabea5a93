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

  /// Sets the header that the stored cookies make; one that the app has set itself stays.
  func addCookies(to request: inout URLRequest) {
    guard let storage, let url = request.url, let stored = storage.cookies(for: url),
      !stored.isEmpty
    else { return }
    let written = request.value(forHTTPHeaderField: "Cookie")
    // swift-corelibs-foundation has written all cookies of the host, whatever their paths are.
    guard written == nil || written == Self.header(stored) else { return }
    let sent = stored.filter { Self.isSent($0, to: url) }.sorted(by: Self.comesFirst)
    request.setValue(sent.isEmpty ? nil : Self.header(sent), forHTTPHeaderField: "Cookie")
  }

  private static func header(_ cookies: [HTTPCookie]) -> String? {
    HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
  }

  /// RFC 6265, section 5.4, but for the host, which the storage looks at.
  private static func isSent(_ cookie: HTTPCookie, to url: URL) -> Bool {
    if cookie.isSecure, url.scheme?.lowercased() != "https" { return false }
    let path = url.path(percentEncoded: true).isEmpty ? "/" : url.path(percentEncoded: true)
    guard path.hasPrefix(cookie.path) else { return false }
    return cookie.path.hasSuffix("/") || path.count == cookie.path.count
      || path.dropFirst(cookie.path.count).first == "/"
  }

  /// Longer paths first; names decide where the storage keeps no order.
  private static func comesFirst(_ left: HTTPCookie, _ right: HTTPCookie) -> Bool {
    (right.path.count, left.name) < (left.path.count, right.name)
  }
}
