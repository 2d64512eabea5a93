import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the response that an app sees.
enum HTTPResponseHead {
  static func make(_ response: RequestAnswer.Response, url: URL) -> HTTPURLResponse? {
    HTTPURLResponse(
      url: url, statusCode: response.status, httpVersion: "HTTP/1.1",
      headerFields: response.headers.isEmpty ? nil : fields(response))
  }

  private static func fields(_ response: RequestAnswer.Response) -> [String: String] {
    var fields: [String: String] = [:]
    var names: [String: String] = [:]
    for header in response.headers where isPassedOn(header.name, response.status) {
      // A header that comes several times is one with a list (RFC 9110, section 5.3).
      let key = names[header.name.lowercased()] ?? header.name
      names[header.name.lowercased()] = key
      fields[key] = fields[key].map { "\($0), \(header.value)" } ?? header.value
    }
    return fields
  }

  private static func isPassedOn(_ name: String, _ status: Int) -> Bool {
    !(TaskInternals.answersChallengesByItself && status == 401
      && name.lowercased() == "www-authenticate")
  }
}
