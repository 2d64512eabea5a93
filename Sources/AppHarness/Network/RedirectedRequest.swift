import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The request that follows a redirect.
enum RedirectedRequest {
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
