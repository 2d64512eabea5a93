import RequestMatching
import Testing

@Suite("In what a request differs from a pattern")
struct DifferenceTests {
  @Test(
    "Differences",
    arguments: [
      (
        #"{"url": "https://a.example/x?a=1&b=2"}"#, "https://a.example/x?a=1&b=3",
        ["query b: 2 → 3"]
      ),
      (
        #"{"url": "https://a.example/x?q=%EC%B1%85"}"#, "https://a.example/x?q=%EB%B0%A5",
        ["query q: 책 → 밥"]
      ),
      (#"{"url": "https://a.example/x"}"#, "http://a.example/x", ["scheme: https → http"]),
      (
        #"{"url": "https://a.example/x?a=1"}"#, "http://b.example:81/y?a=1&c=#f",
        [
          "scheme: https → http", "host: a.example → b.example", "port: 443 → 81", "path: /x → /y",
          "query c: - → ", "fragment: - → f",
        ]
      ),
      (
        #"{"url": "/x?a=1&a=2&b=3"}"#, "https://a.example/x?a=2&a=4",
        ["query a: 1 → 4", "query b: 3 → -"]
      ),
      (#"{"url": "/x?a=1&b=2"}"#, "https://a.example/x?b=2&a=1", ["url: /x?a=1&b=2 → /x?b=2&a=1"]),
      (#"{"url": "/x?a=b%20c"}"#, "https://a.example/x?a=b+c", ["query a: a=b%20c → a=b+c"]),
      (#"{"url": "/x?a=1"}"#, "https://a.example/x?a=%FF", ["query a: 1 → %FF"]),
      (
        #"{"method": "POST", "urlPath": "/x"}"#, "GET https://a.example/y",
        ["method: POST → GET", "path: /x → /y"]
      ),
      (
        #"{"urlPattern": "/x+"}"#, "https://a.example/y",
        ["url: matches /x+ (condition) → https://a.example/y"]
      ),
      (
        #"{"queryParameters": {"a": {"absent": true}, "b": {"contains": "x"}}}"#, "/?a=1&b=2&b=3",
        ["query a: - (condition) → 1", "query b: contains \"x\" (condition) → 2, 3"]
      ),
      (
        #"{"queryParameters": {"a": {"and": [{"contains": "b"}, {"or": [{"equalTo": "1"}, {"absent": true}]}]}}}"#,
        "/?a=b", [#"query a: contains "b" and (is "1" or is absent) (condition) → b"#]
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$..id", "contains": "A"}}]}"#,
        #"/ -- [{"id":"A"},{"id":2}]"#, [#"body $..id: contains "A" (condition) → A, 2"#]
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonPath": "$.a"}]}"#, "/ -- {}",
        ["body $.a: is there (condition) → -"]
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "absent": true}}]}"#,
        #"/ -- {"a":1}"#, ["body $.a: - (condition) → 1"]
      ),
      (
        ##"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalToJson": {"b": 1, "c": "#{json-unit.any-string}"}}}]}"##,
        #"/ -- {"a":{"b":2,"c":3}}"#,
        ["body $.a.b: 1 → 2", ##"body $.a.c: "#{json-unit.any-string}" → 3"##]
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalTo": "1"}}]}"#,
        "/ -- x",
        [#"body $: at $.a is "1" (condition) → x"#]
      ),
      (
        #"{"bodyPatterns": [{"and": [{"contains": "x"}, {"equalToJson": {"a": 1}}]}]}"#,
        #"/ -- {"a":2}"#, [#"body $: contains "x" (condition) → {"a":2}"#, "body $.a: 1 → 2"]
      ),
      (
        #"{"queryParameters": {"a": {"not": {"matches": "b+"}}}}"#, "/?a=b",
        [#"query a: not (matches b+) (condition) → b"#]
      ),
      (
        #"{"queryParameters": {"a": {"hasExactly": [{"equalTo": "1"}, {"contains": "2"}]}}}"#,
        "/?a=1&a=3",
        [
          #"query a: has exactly these values: "1", one that contains "2" (condition) → 1, 3"#
        ]
      ),
      (
        #"{"queryParameters": {"a": {"includes": [{"equalTo": "1"}]}}}"#, "/",
        [#"query a: has these values, maybe among others: "1" (condition) → -"#]
      ),
      (
        #"{"queryParameters": {"a": {"equalTo": "1"}}, "otherParameters": false}"#,
        "/?b=%EC%B1%85&a=1&c", ["query b: - → 책", "query c: - → "]
      ),
      (
        #"{"queryParameters": {"ad": {"equalTo": "A-1"}}}"#, "/?ad=A-1&ad=A-2",
        ["query ad: A-1 → A-1, A-2"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": {"a": 1, "b": 2}}]}"#,
        #"/ -- {"a":1,"a":2,"b":2,"c":3,"c":3}"#,
        ["body $.a: 1 → 1, 2", "body $.c: - → 3", "body $.c: - → 3"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": [1, 2]}]}"#, "/ -- [1,3,4]",
        ["body $[1]: 2 → 3", "body $[2]: - → 4"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": [1, 3], "ignoreExtraElements": true}]}"#,
        "/ -- [1,2,3]",
        ["body $[1]: 3 → 2"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": [{"a": 1}, 2], "ignoreArrayOrder": true}]}"#,
        #"/ -- [2,{"a":3}]"#, ["body $[1].a: 1 → 3"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": [1, 2, 3], "ignoreArrayOrder": true}]}"#,
        "/ -- [4,3,5,6]",
        [
          "body $[0]: 1 → -", "body $[1]: 2 → -", "body $[0]: - → 4", "body $[2]: - → 5",
          "body $[3]: - → 6",
        ]
      ),
      (
        #"{"headers": {"X": {"equalTo": "1"}}, "cookies": {"c": {"equalTo": "1"}}}"#, "/ | x: 2",
        ["header X: 1 → 2", "cookie c: 1 → -"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": {"a": [{"b": 1}], "c d": 2}}]}"#,
        #"/ -- {"a":[{"b":"1"}],"e":null}"#,
        ["body $.a[0].b: 1 → \"1\"", "body $['c d']: 2 → -", "body $.e: - → null"]
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": {"a": 1}}]}"#, "/ -- no JSON",
        [#"body $: {"a":1} → no JSON"#]
      ),
    ])
  func differences(pattern: String, sent: String, differences: [String]) throws {
    let pattern = try #require(decodedPattern(pattern).pattern)
    #expect(pattern.differences(from: request(sent)).map(text) == differences)
  }

  private func text(_ difference: Difference) -> String {
    let part =
      switch difference.part {
      case .queryParameter(let name): "query \(name)"
      case .header(let name): "header \(name)"
      case .cookie(let name): "cookie \(name)"
      case .body(let path): "body \(path)"
      default: "\(difference.part)"
      }
    let condition = difference.isCondition ? " (condition)" : ""
    return "\(part): \(difference.wanted ?? "-")\(condition) → \(difference.got ?? "-")"
  }
}
