import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the response that an app sees.
enum HTTPResponseHead {
  static func make(_ response: RequestAnswer.Response, url: URL) -> HTTPURLResponse? {
    var fields: [String: String] = [:]
    var names: [String: String] = [:]
    for (name, value) in response.headers where isPassedOn(name, response.status) {
      // A header that comes several times is one with a list (RFC 9110, section 5.3).
      let key = names[name.lowercased()] ?? name
      names[name.lowercased()] = key
      fields[key] = fields[key].map { "\($0), \(value)" } ?? value
    }
    return HTTPURLResponse(
      url: url, statusCode: response.status, httpVersion: "HTTP/1.1", headerFields: fields)
  }

  /// swift-corelibs-foundation answers a challenge by going to the network itself, past every
  /// protocol of the session: so there must be no challenge.
  private static func isPassedOn(_ name: String, _ status: Int) -> Bool {
    #if canImport(FoundationNetworking)
      !(status == 401 && name.lowercased() == "www-authenticate")
    #else
      true
    #endif
  }
}

extension RequestAnswer.Response {
  var hasCookies: Bool { headers.contains { $0.name.lowercased() == "set-cookie" } }
}
