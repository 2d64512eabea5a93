import RequestMatching
import Testing

@Suite("Looking patterns up finds what trying them finds")
struct PatternSetTests {
  static let patterns = [
    "{}", #"{"url": "http://x/a?b=1"}"#, #"{"url": "/a?b=1"}"#, #"{"url": "/a"}"#,
    #"{"url": "http://x/a?ts=1&b=1"}"#, #"{"urlPath": "/a"}"#, #"{"urlPath": "http://x/a"}"#,
    #"{"urlPath": "/a", "queryParameters": {"b": {"equalTo": "1"}}}"#,
    #"{"urlPath": "/a", "queryParameters": {"b": {"equalTo": ""}}}"#,
    #"{"urlPath": "/a", "queryParameters": {"b c": {"equalTo": "1 2"}, "d": {"absent": true}}}"#,
    #"{"urlPath": "/a", "queryParameters": {"d": {"absent": true}}}"#,
    #"{"urlPath": "http://x/a", "queryParameters": {"d": {"equalTo": "1"}, "b": {"equalTo": "1"}}}"#,
    #"{"urlPattern": "http://x/a\\?b=[0-9]+"}"#, #"{"urlPattern": "/a\\?b=.*"}"#,
    #"{"urlPattern": ".*b=1"}"#, #"{"urlPattern": "/a\\?ts=\\d+&b=1"}"#,
    #"{"urlPathPattern": "/a|/b"}"#, #"{"method": "POST", "url": "/a"}"#,
    #"{"urlPath": "/a", "queryParameters": {}, "otherParameters": false}"#,
    #"{"urlPath": "/a", "queryParameters": {"b": {"equalTo": "1"}}, "otherParameters": false}"#,
    #"{"urlPath": "/a", "queryParameters": {"b": {"includes": [{"equalTo": "1"}]}}}"#,
    #"{"method": "GET", "url": "/a"}"#, #"{"method": "GET", "urlPattern": "/a.*"}"#,
    #"{"method": "ANY", "url": "http://x/a?b=1"}"#,
    #"{"host": "x", "queryParameters": {"b": {"equalTo": "1"}}}"#,
  ]

  static let urls = [
    "http://x/a?b=1", "http://y/a?b=1", "http://x/a", "http://x/a?", "http://x/a?b=1&ts=3",
    "http://x/a?ts=3&b=1", "http://x/a?t%73=3&b=1", "http://x/a?ts=3", "http://x/a?b",
    "http://x/a?b=&b=1&b=1", "http://x/a?b+c=1%202", "http://x/a?%62=%31", "http://x/a?d=1&b=1",
    "http://x/b?utm_x=1", "http://x/a?b=1#f", "http://x/a?ts=1&&b=1", "a", "", "http://x",
    "http://x/a?bb=1", "http://x/a?b=12",
  ]

  @Test(
    "Each pattern once, with and without volatile parameters", arguments: [[], ["ts", "utm_*"]])
  func agreement(names: [String]) throws {
    let volatile = VolatileParameters(names)
    let patterns = try Self.patterns.map { try #require(decodedPattern($0).pattern) }
    let set = PatternSet(patterns, ignoring: volatile)
    for url in Self.urls {
      for method in ["GET", "POST"] {
        let request = MatchableRequest(method: method, url: url)
        let wanted = try patterns.indices.filter {
          try patterns[$0].matches(request, ignoring: volatile)
        }
        var found: [Int] = []
        Array(url.utf8).withUnsafeBufferPointer { bytes in
          set.forEachMatch(url: bytes, isGet: method == "GET", request: { request }) { index, _ in
            found.append(index)
          }
        }
        #expect(found.sorted() == wanted, "\(method) \(url)")
      }
    }
  }
}
