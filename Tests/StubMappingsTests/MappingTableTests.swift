import Testing

@testable import StubMappings

@Suite("Mappings answer the requests that WireMock would answer by them, and no others")
struct MappingTableTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var request: String
    var matches: [String]
    var others: [String]
    var testDescription: String { request }
  }

  static let rows: [Row] = [
    Row(
      request: #"{}"#, matches: ["GET https://a/b", "DELETE http://x/y?z=1 -- body"], others: []),
    Row(
      request: #"{"method": "POST", "url": "/v1/a?b=c"}"#,
      matches: ["POST https://any.host/v1/a?b=c", "POST http://other:81/v1/a?b=c"],
      others: [
        "GET https://any.host/v1/a?b=c", "POST https://any.host/v1/a",
        "POST https://any.host/v1/a?b=c&d=e", "POST https://any.host/v1/a?b=C",
      ]),
    Row(
      request: #"{"method": "ANY", "urlPath": "/v1/a"}"#,
      matches: ["PUT https://h/v1/a?x=1", "GET https://h/v1/a"],
      others: ["GET https://h/v1/a/", "GET https://h/v1/ab"]),
    Row(
      request: #"{"url": "https://ad.example.com/click?ad=A-1"}"#,
      matches: ["GET https://ad.example.com/click?ad=A-1"],
      others: [
        "GET http://ad.example.com/click?ad=A-1", "GET https://ad.example.com/click?ad=A-10",
        "GET https://x.example.com/click?ad=A-1",
      ]),
    Row(
      request: #"{"urlPattern": "/v[0-9]+/items\\?page=.*"}"#,
      matches: ["GET https://h/v12/items?page=3"],
      others: ["GET https://h/v/items?page=3", "GET https://h/x/v1/items?page=1"]),
    Row(
      request: #"{"urlPathPattern": "/items/[a-z]+"}"#,
      matches: ["GET https://h/items/abc?x=1"], others: ["GET https://h/items/123"]),
    Row(
      request: #"{"scheme": "https", "host": {"matches": ".*\\.example\\.com"}, "port": 443}"#,
      matches: ["GET https://a.example.com/", "GET https://a.example.com:443/x"],
      others: [
        "GET http://a.example.com:443/", "GET https://a.example.com:8443/", "GET https://b/",
      ]
    ),
    Row(
      request:
        #"{"urlPath": "/s", "queryParameters": {"q": {"equalTo": "a+b & 책"}, "debug": {"absent": true}}}"#,
      matches: [
        "GET https://h/s?q=a%2Bb%20%26%20%EC%B1%85", "GET https://h/s?q=a%2Bb+%26+%EC%B1%85",
      ],
      others: ["GET https://h/s?q=a+b", "GET https://h/s?q=a%2Bb%20%26%20%EC%B1%85&debug=1"]),
    Row(
      request: #"{"queryParameters": {"tag": {"contains": "x"}}}"#,
      matches: ["GET https://h/?tag=xa&tag=box"],
      others: ["GET https://h/?tag=a", "GET https://h/", "GET https://h/?tag=a&tag=box"]),
    Row(
      request: #"{"headers": {"authorization": {"matches": "KakaoAK .+"}}}"#,
      matches: ["GET https://h/ | Authorization: KakaoAK k"],
      others: ["GET https://h/ | Authorization: Bearer k", "GET https://h/"]),
    Row(
      request: #"{"headers": {"Accept": {"doesNotContain": "html"}}}"#,
      matches: ["GET https://h/ | accept: application/json"],
      others: ["GET https://h/ | accept: text/html"]),
    Row(
      request: #"{"cookies": {"session": {"equalTo": "ABC", "caseInsensitive": true}}}"#,
      matches: ["GET https://h/ | Cookie: a=b; session=abc"],
      others: ["GET https://h/ | Cookie: session=abcd", "GET https://h/"]),
    Row(
      request: #"{"bodyPatterns": [{"contains": "one"}, {"doesNotMatch": ".*two.*"}]}"#,
      matches: ["POST https://h/ -- one"],
      others: ["POST https://h/ -- one two", "POST https://h/"]),
    Row(
      request: #"{"bodyPatterns": [{"equalToJson": {"a": [1, 2], "b": null}}]}"#,
      matches: [#"POST https://h/ -- {"b":null,"a":[1.0,2]}"#],
      others: [#"POST https://h/ -- {"a":[2,1],"b":null}"#, #"POST https://h/ -- {"a":[1,2]}"#]),
    Row(
      request:
        #"{"bodyPatterns": [{"equalToJson": "{\"a\": [1, 2]}", "ignoreArrayOrder": true, "ignoreExtraElements": true}]}"#,
      matches: [#"POST https://h/ -- {"a":[3,2,1],"c":0}"#],
      others: [#"POST https://h/ -- {"a":[1]}"#]),
    Row(
      request: #"{"bodyPatterns": [{"absent": true}]}"#, matches: ["GET https://h/"],
      others: ["POST https://h/ -- x"]),
  ]

  @Test("A mapping answers what it describes and nothing else", arguments: rows)
  func table(_ row: Row) throws {
    let (set, messages) = decodedStubs(
      #"{"request": \#(row.request), "response": {"body": "yes"}}"#)
    #expect(messages.isEmpty)
    for line in row.matches { #expect(try StubReplay(set).short(line) == "yes", "\(line)") }
    for line in row.others { #expect(try StubReplay(set).short(line) == "-", "\(line)") }
  }

  @Test(
    "A pattern in a stub and the same in an expectation agree on every request", arguments: rows)
  func roundTrip(_ row: Row) throws {
    let (set, _) = decodedStubs(#"{"request": \#(row.request), "response": {"body": "yes"}}"#)
    let expectation = try #require(expectationPattern(row.request))
    for line in Self.rows.flatMap({ $0.matches + $0.others }) {
      let isExpected = try expectation.matches(request(line))
      #expect(try StubReplay(set).short(line) == (isExpected ? "yes" : "-"), "\(line)")
    }
  }
}
