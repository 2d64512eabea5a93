import Foundation
import JSON
import RequestMatching
import Testing

@Suite("Which requests a pattern matches")
struct MatchingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var pattern: String
    var matching: [String]
    var others: [String]
    var testDescription: String { pattern }

    init(_ pattern: String, matches matching: [String] = [], not others: [String] = []) {
      self.pattern = pattern
      self.matching = matching
      self.others = others
    }
  }

  static let targets = [
    Row("{}", matches: ["https://a.example/", "POST /x"]),
    Row(
      #"{"url": "https://a.example/x?b=1&a=2"}"#, matches: ["https://a.example/x?b=1&a=2"],
      not: [
        "https://a.example/x?a=2&b=1", "https://a.example/x?b=1&a=2#f",
        "http://a.example/x?b=1&a=2",
        "https://a.example/x?b=1&a=%32", "https://a.example/x?b=1&a=2&",
      ]),
    Row(
      #"{"url": "/x?a=1"}"#,
      matches: [
        "https://a.example/x?a=1", "http://b.example:8080/x?a=1", "https://a.example/x?a=1#f",
      ],
      not: ["https://a.example/x", "https://a.example/y/x?a=1", "https://a.example/x?a=12"]),
    Row(#"{"url": "https://a.example/%C3%A9"}"#, not: ["https://a.example/%c3%a9"]),
    Row(#"{"url": "/é"}"#, matches: ["https://a.example/é"], not: ["https://a.example/e\u{301}"]),
    Row(
      #"{"urlPath": "/x/y"}"#, matches: ["https://a.example/x/y", "https://a.example/x/y?z=1#f"],
      not: ["https://a.example/x/y/", "https://a.example/x/yz", "https://a.example/x%2Fy"]),
    Row(
      #"{"urlPath": "https://a.example/x"}"#, matches: ["https://a.example/x?z=1"],
      not: ["https://b.example/x", "https://a.example/x/"]),
    Row(
      #"{"urlPattern": "https://(a|b)\\.example/x\\?t=\\d+"}"#,
      matches: ["https://a.example/x?t=123", "https://b.example/x?t=0"],
      not: ["https://aXexample/x?t=1", "https://a.example/x?t=1&u", "https://a.example/x?t=٣"]),
    Row(
      #"{"urlPattern": "/x.*"}"#, matches: ["https://a.example/x?t=1"],
      not: ["https://a.example/y?/x"]),
    Row(#"{"urlPattern": "a|https://a.example/x"}"#, matches: ["https://a.example/x"], not: ["ab"]),
    Row(
      #"{"urlPathPattern": "^/items/[0-9]{1,3}$"}"#, matches: ["https://a.example/items/12?x"],
      not: ["https://a.example/items/1234", "https://a.example/items/12/"]),
    Row(#"{"urlPathPattern": "https://a\\.example/i.+"}"#, matches: ["https://a.example/items?x"]),
    Row(
      #"{"scheme": "HTTPS", "host": "A.example", "port": 443}"#,
      matches: ["https://a.EXAMPLE/x", "https://u:p@a.example:443/"],
      not: ["http://a.example/", "https://a.example:8443/", "https://a.example.org/"]),
    Row(#"{"host": {"matches": ".*\\.example"}}"#, matches: ["http://AD.example/"], not: ["/x"]),
    Row(#"{"host": "[::1]", "port": 80}"#, matches: ["http://[::1]/"], not: ["http://[::2]:80/"]),
    Row(#"{"method": "POST"}"#, matches: ["POST https://a.example/"], not: ["https://a.example/"]),
    Row(#"{"method": "GET"}"#, matches: ["https://a.example/", "GET https://a.example/"]),
    Row(#"{"method": "ANY"}"#, matches: ["https://a.example/", "PURGE https://a.example/"]),
  ]

  static let matchers = [
    Row(
      #"{"queryParameters": {"q": {"equalTo": "책 + a&b"}}}"#,
      matches: [
        "/?q=%EC%B1%85+%2B+a%26b", "/?q=%EC%B1%85%20%2b%20a%26b", "/?r=x&%71=%EC%B1%85+%2B+a%26b",
      ],
      not: [
        "/?q=%EC%B1%85+++a%26b", "/?r=%EC%B1%85+%2B+a%26b", "/", "/?q=x&%71=%EC%B1%85+%2B+a%26b",
      ]),
    Row(
      #"{"queryParameters": {"a": {"equalTo": ""}}}"#, matches: ["/?a", "/?a=", "/?b&a=&c"],
      not: ["/"]),
    Row(#"{"queryParameters": {"a": {"equalTo": "100%"}}}"#, matches: ["/?a=100%", "/?a=100%25"]),
    Row(
      #"{"queryParameters": {"a b": {"equalTo": "1=2"}}}"#, matches: ["/?a+b=1=2", "/?a%20b=1%3D2"]),
    Row(
      #"{"queryParameters": {"a": {"absent": true}}}"#, matches: ["/", "/?b=1"],
      not: ["/?a", "/?b&a=1"]),
    Row(
      #"{"queryParameters": {"a": {"equalTo": "É", "caseInsensitive": true}}}"#,
      matches: ["/?a=%C3%A9", "/?a=%C3%89"], not: ["/?a=e"]),
    Row(
      #"{"queryParameters": {"a": {"contains": "bc"}}}"#, matches: ["/?a=bbcd", "/?a=xbc&a=bc"],
      not: ["/?a=bdc", "/", "/?a=x&a=bc"]),
    Row(
      #"{"queryParameters": {"a": {"doesNotContain": "bc"}}}"#, matches: ["/?a=b", "/", "/?b=bc"],
      not: ["/?a=abc", "/?a=bc&a=b"]),
    Row(
      #"{"queryParameters": {"a": {"matches": "\\w+|x y"}}}"#, matches: ["/?a=ab_1", "/?a=x+y"],
      not: ["/?a=a-b", "/?a=한"]),
    Row(
      #"{"queryParameters": {"a": {"matches": "a.b"}}}"#, matches: ["/?a=a%0Ab"],
      not: ["/?a=a%0Abc"]),
    Row(
      #"{"queryParameters": {"a": {"doesNotMatch": "a+"}}}"#, matches: ["/?a=ab", "/"],
      not: ["/?a=aa", "/?a=ab&a=aa"]),
    Row(
      #"{"queryParameters": {"ad": {"equalTo": "A-1"}}}"#,
      matches: ["/?ad=A-1", "/?ad=A-1&ad=A-1"],
      not: ["/?ad=A-1&ad=A-2", "/?ad=A-2&ad=A-1", "/?ad=A-1&ad"]),
    Row(
      #"{"headers": {"content-TYPE": {"contains": "json"}}}"#,
      matches: ["/ | Content-Type: application/json"],
      not: ["/ | Content-Type: text/plain", "/"]),
    Row(#"{"headers": {"X-A": {"absent": true}}}"#, matches: ["/"], not: ["/ | x-a: 1"]),
    Row(
      #"{"headers": {"X": {"equalTo": "A"}}}"#, matches: ["/ | X: A", "/ | X: A | x: A"],
      not: ["/ | X: A | x: B", "/ | X: B | x: A"]),
    Row(
      #"{"headers": {"X": {"doesNotContain": "A"}}}"#, matches: ["/", "/ | X: B"],
      not: ["/ | X: B | x: A"]),
    Row(
      #"{"cookies": {"id": {"equalTo": "1"}}}"#, matches: ["/ | Cookie: id=1; id=1"],
      not: ["/ | Cookie: id=1; id=2", "/ | Cookie: id=1 | cookie: id=2"]),
    Row(
      #"{"host": {"contains": "A.Example"}}"#, matches: ["https://AA.example.com/"],
      not: ["https://b.example/"]),
    Row(#"{"host": {"doesNotContain": "Ads"}}"#, matches: ["https://a.x/"], not: ["https://ads.x"]),
    Row(
      #"{"cookies": {"id": {"equalTo": "a=b"}}}"#,
      matches: ["/ | Cookie: x=1; id=a=b", "/ | cookie: id=a=b;"],
      not: ["/ | Cookie: xid=a=b", "/ | Cookie: ID=a=b", "/"]),
    Row(
      #"{"queryParameters": {"a": {"and": [{"contains": "b"}, {"doesNotMatch": ".*c"}]}}}"#,
      matches: ["/?a=b", "/?a=b&a=bcd"], not: ["/?a=bc", "/", "/?a=b&a=d"]),
    Row(
      #"{"queryParameters": {"a": {"or": [{"equalTo": "1"}, {"absent": true}]}}}"#,
      matches: ["/?a=1", "/", "/?a=1&a=1"], not: ["/?a=2", "/?a=1&a=2"]),
    Row(
      #"{"queryParameters": {"a": {"not": {"contains": "x"}}}}"#, matches: ["/?a=1", "/"],
      not: ["/?a=x", "/?a=1&a=x"]),
    Row(
      #"{"queryParameters": {"a": {"not": {"absent": true}}}}"#, matches: ["/?a", "/?a&a=1"],
      not: ["/"]),
    Row(
      #"{"queryParameters": {"a": {"hasExactly": [{"equalTo": "1"}, {"contains": "2"}]}}}"#,
      matches: ["/?a=1&a=2", "/?a=21&b&a=1"],
      not: ["/?a=1", "/?a=1&a=1", "/?a=1&a=2&a=2", "/?a=1&a=3", "/"]),
    Row(
      #"{"queryParameters": {"a": {"hasExactly": [{"matches": "1|2"}, {"equalTo": "1"}]}}}"#,
      matches: ["/?a=1&a=2", "/?a=2&a=1", "/?a=1&a=1"], not: ["/?a=2&a=2"]),
    Row(
      #"{"queryParameters": {"a": {"includes": [{"equalTo": "1"}, {"equalTo": "1"}]}}}"#,
      matches: ["/?a=1&a=1", "/?a=1&a=2&a=1"], not: ["/?a=1", "/?a=1&a=2", "/"]),
    Row(
      #"{"headers": {"X": {"hasExactly": [{"equalTo": "A"}, {"equalTo": "B"}]}}}"#,
      matches: ["/ | X: B | x: A"], not: ["/ | X: A", "/ | X: A, B"]),
    Row(
      #"{"cookies": {"c": {"includes": [{"equalTo": "1"}]}}}"#, matches: ["/ | Cookie: c=2; c=1"],
      not: ["/ | Cookie: c=2", "/"]),
    Row(
      #"{"urlPath": "/x", "queryParameters": {"a": {"equalTo": "1"}, "b": {"absent": true}}, "otherParameters": false}"#,
      matches: ["/x?a=1", "/x?a=1&&a=1"],
      not: ["/x?a=1&c=2", "/x?c&a=1", "/x?a=1&b=1", "/x?a=1&=2", "/x?a=1&A=1", "/x"]),
    Row(
      #"{"queryParameters": {}, "otherParameters": false}"#, matches: ["/x", "/x?", "/x?&"],
      not: ["/x?a", "/x?="]),
    Row(
      #"{"queryParameters": {"a": {"absent": true}}, "otherParameters": true}"#,
      matches: ["/?b=1"], not: ["/?a=1"]),
    Row(
      #"{"host": {"or": [{"equalTo": "A.example"}, {"not": {"contains": "X"}}]}}"#,
      matches: ["https://a.example/", "https://A.EXAMPLE/", "https://b.org/"],
      not: ["https://b.example/"]),
    Row(
      #"{"bodyPatterns": [{"or": [{"absent": true}, {"equalToJson": {"a": 1}}]}]}"#,
      matches: ["/", #"/ -- {"a":1}"#], not: ["/ -- {}"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": "$.a.b"}]}"#,
      matches: [#"/ -- {"a":{"b":[]}}"#, #"/ -- {"a":{"b":false}}"#],
      not: [#"/ -- {"a":{"b":null}}"#, #"/ -- {"a":{}}"#, #"/ -- {"a":{"b":1}"#, "/ -- b", "/"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": "$.a[?(@.b == 1)]"}]}"#,
      matches: [#"/ -- {"a":[{"b":2},{"b":1.0}]}"#], not: [#"/ -- {"a":[{"b":2}]}"#]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalTo": "11"}}]}"#,
      matches: [#"/ -- {"a":11}"#, #"/ -- {"a":"11"}"#],
      not: [#"/ -- {"a":[11]}"#, #"/ -- {"a":11,"a":12}"#, "/ -- {}", "/"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$..id", "matches": "A-\\d"}}]}"#,
      matches: [#"/ -- [{"id":"A-1"},{"x":{"id":"A-2"}}]"#],
      not: [#"/ -- [{"id":"A-1"},{"x":{"id":"B-2"}}]"#, "/ -- []"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "absent": true}}]}"#,
      matches: ["/ -- {}", #"/ -- {"a":null}"#, "/"], not: [#"/ -- {"a":0}"#, "/ -- no JSON"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "doesNotContain": "x"}}]}"#,
      matches: [#"/ -- {"a":"y"}"#], not: ["/ -- {}", #"/ -- {"a":"x"}"#, "/"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "or": [{"absent": true}, {"equalTo": "1"}]}}]}"#,
      matches: ["/ -- {}", #"/ -- {"a":1}"#], not: [#"/ -- {"a":2}"#]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalToJson": {"b": 1}, "ignoreExtraElements": true}}]}"#,
      matches: [#"/ -- {"a":{"b":1,"c":2}}"#, #"/ -- {"a":"{\"b\":1}"}"#],
      not: [#"/ -- {"a":{"b":2}}"#, #"/ -- {"a":"{\"b\":2}"}"#, "/ -- {}"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalToJson": 1}}]}"#,
      matches: [#"/ -- {"a":1.0}"#], not: [#"/ -- {"a":"1"}"#]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalToJson": null}}]}"#,
      matches: [#"/ -- {"a":null}"#], not: [#"/ -- {"a":"null"}"#, "/ -- {}"]),
    Row(
      #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$[*].a", "equalToJson": [1, 2]}}]}"#,
      matches: [#"/ -- [{"a":1},{"a":2}]"#],
      not: [#"/ -- [{"a":2},{"a":1}]"#, #"/ -- [{"a":[1,2]}]"#]),
    Row(
      #"{"queryParameters": {"q": {"matchesJsonPath": {"expression": "$.a", "contains": "x"}}}}"#,
      matches: ["/?q=%7B%22a%22:%22xy%22%7D"], not: ["/?q=%7B%22a%22:%22y%22%7D", "/?q=x", "/"]),
    Row(
      ##"{"bodyPatterns": [{"equalToJson": {"a": "#{json-unit.ignore}", "b": "${json-unit.any-string}", "c": "#{json-unit.any-number}", "d": "${json-unit.any-boolean}", "e": "#{json-unit.regex}[A-Z]+"}}]}"##,
      matches: [
        #"/ -- {"a":null,"b":"","c":-1e5,"d":false,"e":"XY"}"#,
        #"/ -- {"a":{"x":1,"x":2},"b":"x","c":0,"d":true,"e":"X"}"#,
      ],
      not: [
        #"/ -- {"b":"","c":1,"d":false,"e":"X"}"#, #"/ -- {"a":1,"b":1,"c":1,"d":false,"e":"X"}"#,
        #"/ -- {"a":1,"b":"","c":"1","d":false,"e":"X"}"#,
        #"/ -- {"a":1,"b":"","c":1,"d":0,"e":"X"}"#,
        #"/ -- {"a":1,"b":"","c":1,"d":true,"e":"Xy"}"#,
        #"/ -- {"a":1,"b":"","c":1,"d":true,"e":1}"#,
      ]),
    Row(
      ##"{"bodyPatterns": [{"equalToJson": "[\"#{json-unit.any-number}\", \"#{json-unit.ignore}\", 1]", "ignoreArrayOrder": true}]}"##,
      matches: [#"/ -- [1,2,"x"]"#, "/ -- [{},1,1]"],
      not: [#"/ -- [1,"x","y"]"#, "/ -- [2,3,4]"]),
    Row(
      ##"{"bodyPatterns": [{"equalToJson": [0, "#{json-unit.any-number}"], "ignoreArrayOrder": true}]}"##,
      matches: ["/ -- [0,1]"],
      not: [##"/ -- [0,"#{json-unit.any-number}"]"##, ##"/ -- ["#{json-unit.any-number}",0]"##]),
    Row(
      #"{"queryParameters": {"q": {"matches": "\\Q\\d[\\E\\d"}}}"#, matches: ["/?q=%5Cd%5B1"],
      not: ["/?q=1%5B1"]),
    Row(
      ##"{"bodyPatterns": [{"equalToJson": "\"#{json-unit.regex}a.b\""}]}"##,
      matches: [##"/ -- "a-b""##], not: [##"/ -- "a\nb""##, "/ -- 1"]),
    Row(
      ##"{"bodyPatterns": [{"equalToJson": ["x #{json-unit.ignore}"]}]}"##,
      matches: [##"/ -- ["x #{json-unit.ignore}"]"##], not: [#"/ -- ["x y"]"#]),
    Row(#"{"bodyPatterns": [{"equalTo": "x"}]}"#, matches: ["/ -- x"], not: ["/ -- xx", "/"]),
    Row(
      #"{"bodyPatterns": [{"contains": "x"}, {"contains": "y"}]}"#, matches: ["/ -- yx"],
      not: ["/ -- x"]),
    Row(#"{"bodyPatterns": [{"absent": true}]}"#, matches: ["/", "/ -- "], not: ["/ -- x"]),
    Row(#"{"bodyPatterns": [{"equalTo": ""}]}"#, matches: ["/", "/ -- "], not: ["/ -- x"]),
    Row(#"{"bodyPatterns": [{"matches": ".*"}]}"#, matches: ["/ -- x"], not: ["/", "/ -- "]),
    Row(#"{"bodyPatterns": [{"doesNotMatch": ".*"}]}"#, matches: ["/"], not: ["/ -- x"]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": {"n": 1, "a": [1, 2]}}]}"#,
      matches: [#"/ -- {"a":[1.0,2e0],"n":10e-1}"#, #"/ -- { "n":1 , "a":[1,2] }"#],
      not: [
        #"/ -- {"a":[2,1],"n":1}"#, #"/ -- {"a":[1,2],"n":1,"x":null}"#, #"/ -- {"a":[1,2]}"#,
        #"/ -- {"a":[1,2],"n":"1"}"#, #"/ -- {"a":[1,2],"n":1,}"#, #"/ -- {"a":[1,2],"n":true}"#,
        "/",
      ]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": "{\"n\": 12345678901234567890}"}]}"#,
      matches: [#"/ -- {"n":12345678901234567890}"#], not: [#"/ -- {"n":12345678901234567891}"#]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": 1}]}"#,
      matches: ["/ -- 1e0", "/ -- 100e-2", "/ -- 1e000"],
      not: [
        "/ -- 1e99999999999999999999", "/ -- 1e-99999999999999999999",
        "/ -- 1e18446744073709551616",
        "/ -- -1",
      ]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": 0}]}"#,
      matches: ["/ -- 0e99999999999999999999", "/ -- -0"],
      not: ["/ -- 1e-99999999999999999999"]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": "[1e99999999999999999999]", "ignoreArrayOrder": true}]}"#,
      matches: ["/ -- [1e99999999999999999999]"], not: ["/ -- [1e99999999999999999998]"]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": {"a": 1}, "ignoreExtraElements": true}]}"#,
      matches: [#"/ -- {"a":1,"b":{"c":1,"c":2}}"#],
      not: [#"/ -- {"a":2,"a":1}"#, #"/ -- {"a":1,"a":1}"#, #"/ -- {"a":1,"b":1,"b":2}"#]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": [{"a": 1}], "ignoreArrayOrder": true}]}"#,
      not: [#"/ -- [{"a":2,"a":1}]"#, #"/ -- [{"a":1,"a":1}]"#]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": [{"a": 1}, {"b": 2}], "ignoreArrayOrder": true}]}"#,
      matches: [#"/ -- [{"b":2},{"a":1}]"#],
      not: [#"/ -- [{"b":2},{"a":1},{"a":1}]"#, #"/ -- [{"b":2},{"b":2}]"#]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": {"l": [1, 3]}, "ignoreExtraElements": true}]}"#,
      matches: [#"/ -- {"l":[1,3,2,4],"m":1}"#],
      not: [#"/ -- {"l":[3,1]}"#, #"/ -- {"l":[1,2,3]}"#, #"/ -- {"l":[1]}"#]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": [{"a": 1}, {}], "ignoreArrayOrder": true, "ignoreExtraElements": true}]}"#,
      matches: [#"/ -- [{"a":1,"b":1},{"a":1}]"#, #"/ -- [[],{"a":1},{"a":2}]"#],
      not: [#"/ -- [{"a":2},{"b":1}]"#, #"/ -- [{"a":1},[]]"#]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": [[1, 2], [3]], "ignoreArrayOrder": true}]}"#,
      matches: ["/ -- [[3],[2,1]]"], not: ["/ -- [[3],[2,1,1]]", "/ -- [[3,1],[2]]"]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": [{}, {"a": 1}], "ignoreArrayOrder": true, "ignoreExtraElements": true}]}"#,
      matches: [#"/ -- [{"a":1},{"b":2}]"#, #"/ -- [0,{"b":2},{"a":1,"c":1}]"#],
      not: [#"/ -- [{"a":1}]"#]),
    Row(
      #"{"bodyPatterns": [{"equalToJson": {"é": 1}}]}"#, matches: [#"/ -- {"\u00e9":1}"#],
      not: ["/ -- {\"e\u{301}\":1}"]),
  ]

  @Test("Targets", arguments: targets)
  func target(row: Row) throws { try check(row) }

  @Test("Matchers", arguments: matchers)
  func matcher(row: Row) throws { try check(row) }

  private func check(_ row: Row) throws {
    let (decoded, messages) = decodedPattern(row.pattern)
    let pattern = try #require(decoded, "\(messages)")
    for text in row.matching {
      #expect(try pattern.matches(request(text)), "\(row.pattern) wants \(text)")
      #expect(pattern.differences(from: request(text)).isEmpty, "\(row.pattern): \(text)")
    }
    for text in row.others {
      #expect(try !pattern.matches(request(text)), "\(row.pattern) does not want \(text)")
      #expect(!pattern.differences(from: request(text)).isEmpty, "\(row.pattern): \(text)")
    }
  }

  @Test(
    "Volatile parameters don't count where URLs are compared",
    arguments: [
      (#"{"url": "https://a.example/x?a=1"}"#, "https://a.example/x?ts=5&a=1", true),
      (#"{"url": "https://a.example/x?a=1&ts=9"}"#, "https://a.example/x?a=1&ts=5", true),
      (#"{"url": "https://a.example/x"}"#, "https://a.example/x?ts=5&utm_a=1&utm_b=2", true),
      (#"{"url": "https://a.example/x"}"#, "https://a.example/x?ts=5&b=1", false),
      (#"{"url": "https://a.example/x"}"#, "https://a.example/x?", false),
      (#"{"url": "/x?a=1"}"#, "https://a.example/x?a=1&t%73=5", true),
      (#"{"urlPattern": "/x\\?a=\\d"}"#, "https://a.example/x?a=1&ts=5", true),
      (#"{"urlPattern": "/x\\?a=\\d&ts=\\d"}"#, "https://a.example/x?a=1&ts=5", true),
      (#"{"queryParameters": {"ts": {"equalTo": "4"}}}"#, "https://a.example/x?ts=5", false),
      (
        #"{"queryParameters": {"a": {"equalTo": "1"}}, "otherParameters": false}"#,
        "https://a.example/x?t%73=5&a=1", true
      ),
      (
        #"{"queryParameters": {"a": {"equalTo": "1"}}, "otherParameters": false}"#,
        "https://a.example/x?ts=5&a=1&b=1", false
      ),
    ])
  func volatile(pattern: String, url: String, isMatch: Bool) throws {
    let volatile = VolatileParameters(["ts", "utm_*"])
    let pattern = try #require(decodedPattern(pattern).pattern)
    #expect(try pattern.matches(request(url), ignoring: volatile) == isMatch)
    #expect(pattern.differences(from: request(url), ignoring: volatile).isEmpty == isMatch)
  }

  @Test(
    "POSIX classes are ASCII, as in Java",
    arguments: [
      ("Punct", ##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##), ("Lower", "az"), ("Upper", "AZ"),
      ("Alpha", "azAZ"), ("Digit", "09"), ("Alnum", "azAZ09"), ("XDigit", "09afAF"),
      ("Blank", " \t"), ("Space", " \t\n\u{B}\u{C}\r"), ("Cntrl", "\0\u{1F}\u{7F}"),
      ("Graph", "!~a"), ("Print", " ~a"), ("ASCII", "\0\u{7F}"),
    ])
  func posixClass(name: String, members: String) throws {
    let all = (0...0x7F).compactMap { Unicode.Scalar($0) } + ["é", "한", "٣", "Ａ", "\u{A0}", "¿"]
    let inside = try TextPattern(#"\p{\#(name)}"#)
    let outside = try TextPattern(#"[^x\P{\#(name)}]|x"#)
    for scalar in members.unicodeScalars {
      #expect(try inside.matches("\(scalar)".utf8), "\(scalar.value)")
      #expect(try outside.matches("\(scalar)".utf8), "\(scalar.value)")
    }
    for scalar in all where !scalar.isASCII {
      #expect(try !inside.matches("\(scalar)".utf8), "\(scalar.value)")
    }
    let punctuation = try all.filter { try inside.matches("\($0)".utf8) }
    if name == "Punct" { #expect(punctuation.count == 32) }
  }

  @Test(
    "A parenthesis that opens no group hides no alternative",
    arguments: [#"x(?#()|y"#, #"x\c(|y"#, "x(?x) # (\n|y"])
  func hiddenAlternative(pattern: String) throws {
    #expect(try TextPattern(pattern).matches("y".utf8))
  }

  @Test("A comment may end an expression that allows comments, and a line break is none of it")
  func comment() throws {
    for text in ["(?x) a b # c", "(?x)(?:a|z) b#)", "(?i)(?x:a)(?x)b # \\"] {
      let pattern = try TextPattern(text)
      #expect(try pattern.matches("ab".utf8), "\(text)")
      for other in ["ab\n", "abc", "ab # c"] {
        #expect(try !pattern.matches(other.utf8), "\(text): \(other)")
      }
    }
    #expect(try TextPattern("a # b").matches("a # b".utf8))
    #expect(throws: TextPatternError.self) { try TextPattern("(?x)a)(b # c") }
  }

  @Test("What is quoted in an expression stays as it is")
  func quoted() throws {
    #expect(try TextPattern(#"\Q\d\\E\d"#).matches(#"\d\7"#.utf8))
  }

  @Test("Long lists and texts are compared in bearable time", .timeLimit(.minutes(10)))
  func longValues() throws {
    let count = 500
    func list(_ elements: [String]) -> String { "[" + elements.joined(separator: ",") + "]" }
    func compare(_ wanted: [String], _ got: [String], extra: Bool) throws -> Bool {
      let json = #"{"bodyPatterns": [{"equalToJson": \#(list(wanted)), "ignoreArrayOrder": true"#
      let pattern = try #require(
        decodedPattern(json + #", "ignoreExtraElements": \#(extra)}]}"#).pattern)
      return try pattern.matches(request("/ -- " + list(got)))
    }
    let ones = Array(repeating: "1", count: count)
    #expect(try !compare(ones + ["2"], ones + ["3"], extra: false))
    #expect(try compare(ones + ["2"], ["2"] + ones, extra: false))
    let empty = Array(repeating: "{}", count: count)
    let filled = Array(repeating: #"{"a":1}"#, count: count)
    #expect(try compare(empty, filled, extra: true))
    #expect(try !compare(empty + [#"{"b":1}"#], filled + [#"{"a":2}"#], extra: true))
    let numbered = (0..<100).map { #"{"n":\#($0)}"# }
    let more = (0..<100).map { #"{"n":\#(99 - $0),"m":1}"# }
    #expect(try compare(numbered, more, extra: true))

    let long = String(repeating: "a", count: 200_000)
    let contains = ValueMatcher.contains(long.dropFirst(100_000) + "b")
    #expect(try !RequestPattern(bodyPatterns: [contains]).matches(request("/ -- " + long)))
  }

  @Test("An expression that would go on for ever is given up, and told apart from one that differs")
  func expensivePatterns() throws {
    let long = String(repeating: "a", count: 60)
    for text in ["(a+)+", "(a|aa)+", "(a|a?)+", "([a-z]+)*b"] {
      let pattern = try TextPattern(text)
      #expect(throws: MatchingDoubt.self) { try pattern.matches((long + "!").utf8) }
    }
    // The stack for going back is full.
    let deep = try TextPattern("(a|b)*")
    let body = String(repeating: "ab", count: 2_000_000)
    #expect(throws: MatchingDoubt.self) { try deep.matches(body.utf8) }
    #expect(try TextPattern("[^x]*").matches(String(repeating: "ab", count: 500_000).utf8))
  }

  @Test("What was captured with a key twice is what its last value says")
  func captured() throws {
    let wanted = WantedJSON(exactly: try JSONValue(parsing: #"[{"a": 1, "b": 0, "a": 2}]"#))
    let comparison = JSONComparison(ignoreArrayOrder: false, ignoreExtraElements: false)
    #expect(try comparison.matches(wanted, JSONValue(parsing: #"[{"b": 0, "a": 2}]"#)))
    for other in [#"[{"a": 1, "b": 0}]"#, #"[{"a": 1, "b": 0, "a": 2}]"#, #"[{"a": 2}]"#] {
      #expect(try !comparison.matches(wanted, JSONValue(parsing: other)), "\(other)")
    }
  }
}
