import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request of a task: the first, or one that a redirect leads to.
struct Hop {
  /// With all its headers and its body.
  var request: URLRequest
  /// 0 is the first.
  var number: Int

  func following(_ response: RequestAnswer.Response, to url: URL) -> Hop {
    Hop(
      request: Redirect.following(request, status: response.status, to: url),
      number: number + 1)
  }
}

/// What follows a response that leads elsewhere.
enum Redirect {
  /// More hops than that are a loop, as `URLSession` has it.
  static let limit = 20

  /// 303, and 301 or 302 after a POST, become a GET without a body; 307 and 308 are sent as they were
  /// (RFC 9110, section 15.4). Credentials stay with their origin, cookies with their storage.
  static func following(_ request: URLRequest, status: Int, to url: URL) -> URLRequest {
    var next = request
    next.url = url
    let method = request.httpMethod ?? "GET"
    if status == 303 && method != "HEAD" || (301...302).contains(status) && method == "POST" {
      next.httpMethod = "GET"
      next.httpBody = nil
      for header in ["Content-Type", "Content-Length", "Transfer-Encoding"] {
        next.setValue(nil, forHTTPHeaderField: header)
      }
    }
    next.setValue(nil, forHTTPHeaderField: "Cookie")
    if !isSameOrigin(url, request.url) { next.setValue(nil, forHTTPHeaderField: "Authorization") }
    return next
  }

  private static func isSameOrigin(_ url: URL, _ other: URL?) -> Bool {
    url.host() == other?.host() && url.scheme == other?.scheme && url.port == other?.port
  }
}

extension RequestAnswer.Response {
  private static let redirects = [301, 302, 303, 307, 308]

  /// Where a redirect leads.
  ///
  /// - Returns: `nil` where the response isn't a redirect.
  func redirect(from url: URL) -> URL? {
    guard 300..<400 ~= status, Self.redirects.contains(status),
      let location = values(of: "Location").first
    else { return nil }
    return URL(string: location, relativeTo: url)?.absoluteURL
  }
}
