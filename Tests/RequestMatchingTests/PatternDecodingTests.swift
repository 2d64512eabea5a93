import RequestMatching
import Testing

@Suite("What is wrong in a request pattern is told at its place")
struct PatternDecodingTests {
  @Test(
    "Mistakes",
    arguments: [
      (
        #"{"urlPathTemplate": "/x/{id}"}"#,
        #"1:2: "urlPathTemplate" is WireMock's, but not supported here."#
      ),
      (
        #"{"queryParameters": {"a": {"hasExactly": []}}}"#,
        #"1:42: "hasExactly" needs one matcher or more."#
      ),
      (
        #"{"headers": {"a": {"and": [{"equalTo": "x"}]}}}"#,
        #"1:27: "and" needs 2 matchers or more."#
      ),
      (
        #"{"bodyPatterns": [{"includes": [{"equalTo": "x"}]}]}"#,
        #"1:20: "includes" belongs directly under a name in "queryParameters", "headers" or "cookies"."#
      ),
      (
        #"{"headers": {"a": {"not": {"equalTo": 1}}}}"#,
        #"1:39: "equalTo": expected a string, found the number 1."#
      ),
      (
        #"{"url": "/x", "otherParameters": false}"#,
        #"1:15: "otherParameters" needs "queryParameters" beside it. For a query without parameters, write "queryParameters": {}."#
      ),
      (
        #"{"and": [{"method": "GET"}]}"#,
        #"1:2: "and" belongs in a matcher, as {"and": …} under "queryParameters", "headers", "cookies" or "bodyPatterns"."#
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonSchema": "{}"}]}"#,
        #"1:20: "matchesJsonSchema" is WireMock's, but not supported here."#
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonPath": "$.a.[0]"}]}"#,
        #"1:44: "$.a.[0]" isn't a JSONPath: Expected a name or "*", found "["."#
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonPath": {"equalTo": "x"}}]}"#,
        #"1:39: "expression" is missing: a matcher with a JSONPath must have it."#
      ),
      (
        #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalTo": "x", "absent": true}}]}"#,
        #"1:39: A matcher has one condition, and this has "equalTo" and "absent". Keep one."#
      ),
      (
        #"{"bodyPatterns": [{"expression": "$.a", "equalTo": "x"}]}"#,
        #"1:20: "expression" belongs in "matchesJsonPath": {"expression": …}."#
      ),
      (
        #"{"host": "münchen.x"}"#,
        #"1:10: "münchen.x" is in the host of no request: hosts are sent in ASCII. Write names with other letters in their "xn--" form."#
      ),
      (
        #"{"host": {"not": {"or": [{"equalTo": "x"}, {"contains": "ünchen"}]}}}"#,
        #"1:57: "ünchen" is in the host of no request: hosts are sent in ASCII. Write names with other letters in their "xn--" form."#
      ),
      (#"{"ulr": "/x"}"#, #"1:2: Unknown key "ulr" in a request pattern."#),
      (
        #"{"equalTo": "x"}"#,
        #"1:2: "equalTo" belongs in a matcher, as {"equalTo": …} under "queryParameters", "headers", "cookies" or "bodyPatterns"."#
      ),
      (
        #"{"url": "/x", "urlPath": "/y"}"#,
        #"1:15: "urlPath" can't stand beside "url". Keep one of them."#
      ),
      (#"{"method": "post"}"#, #"1:12: "post" isn't a method: methods are written in capitals."#),
      (#"{"urlPattern": "a(b"}"#, #"1:16: "a(b" isn't a valid regular expression: expected ')'."#),
      (
        #"{"urlPattern": "a)(b"}"#,
        #"1:16: "a)(b" isn't a valid regular expression: closing ')' does not balance any groups openings."#
      ),
      (
        #"{"port": 70000}"#,
        #"1:10: "port": expected a whole number from 1 to 65535, found the number 70000."#
      ),
      (
        #"{"headers": {"A": "x"}}"#,
        #"1:19: "A" in "headers": expected an object, found the string "x"."#
      ),
      (
        #"{"headers": {"A": {"equalTo": 5}}}"#,
        #"1:31: "equalTo": expected a string, found the number 5."#
      ),
      (
        #"{"headers": {"A": {}}}"#,
        #"1:19: The matcher has no condition. Write one of "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "absent", "equalToJson", "matchesJsonPath", "and", "or", "not", "hasExactly", "includes"."#
      ),
      (
        #"{"headers": {"A": {"absent": true, "contains": "x"}}}"#,
        #"1:19: A matcher has one condition, and this has "contains" and "absent". Keep one."#
      ),
      (#"{"headers": {"A": {"absent": false}}}"#, #"1:30: "absent": expected true, found false."#),
      (
        #"{"headers": {"A": {"contains": "x", "caseInsensitive": true}}}"#,
        #"1:37: "caseInsensitive" belongs to "equalTo", and means nothing with "contains"."#
      ),
      (
        #"{"headers": {"A": {"absent": true}, "a": {"absent": true}}}"#,
        #"1:37: "a" is the same header as "A". Keep one of them."#
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": "{a"}]}"#,
        #"1:35: The string of "equalToJson" isn't valid JSON. Correct it, or write the JSON itself."#
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": "[{\"a\": 1, \"a\": 2}]"}]}"#,
        #"1:35: The key "a" is written twice, and such an object equals nothing. Keep one of them."#
      ),
      (
        #"{"bodyPatterns": [{"equalToJson": [{"a": 1, "a": 2}]}]}"#,
        #"1:45: The key "a" is written twice, and such an object equals nothing. Keep one of them."#
      ),
      (
        ##"{"bodyPatterns": [{"equalToJson": {"a": "${json-unit.any-array}"}}]}"##,
        ##"1:41: "${json-unit.any-array}" isn't a supported placeholder. There are "#{json-unit.ignore}", "#{json-unit.any-string}", "#{json-unit.any-number}", "#{json-unit.any-boolean}", "#{json-unit.regex}"."##
      ),
      (
        ##"{"bodyPatterns": [{"equalToJson": "[\"#{json-unit.any-string}s\"]"}]}"##,
        ##"1:35: Nothing may follow "#{json-unit.any-string}"."##
      ),
      (
        ##"{"bodyPatterns": [{"equalToJson": ["#{json-unit.regex}a("]}]}"##,
        #"1:36: "a(" isn't a valid regular expression: expected ')'."#
      ),
    ])
  func mistake(json: String, message: String) {
    #expect(decodedPattern(json).messages == [message])
  }

  @Test(
    "A pattern with a mistake is none, so that it can't match more than its author wants",
    arguments: [
      #"{"headers": {"A": {"equalTo": 5}}}"#, #"{"port": 70000}"#, #"{"method": "post"}"#,
      #"{"host": {"matches": "("}}"#,
    ])
  func noPattern(json: String) {
    #expect(decodedPattern(json).pattern == nil)
  }

  @Test(
    "What can never be is warned of",
    arguments: [
      (
        #"{"url": "ad.example/click"}"#,
        #"1:9: "ad.example/click" is neither an absolute URL nor a path: write "https://…", or begin with "/"."#
      ),
      (
        #"{"urlPattern": "ad\\.example/click.*"}"#,
        #"1:16: "ad\.example/click.*" matches no absolute URL, and isn't tried on paths, since it doesn't begin with "/". Begin it with "https://", ".*" or "/"."#
      ),
      (
        #"{"urlPath": "/x?a=1"}"#,
        #"1:13: "urlPath" is compared with the path alone, and this has a query. Use "url", or "queryParameters"."#
      ),
      (
        #"{"url": "/x?q=책"}"#,
        #"1:9: "책" is in no URL as it is sent: write it percent-encoded, or match the decoded value with "queryParameters"."#
      ),
    ])
  func warning(json: String, message: String) {
    #expect(decodedPattern(json).messages == [message])
    #expect(decodedPattern(json).pattern != nil)
  }

  @Test(
    "An expression that can match no absolute URL is warned of, one that may is not",
    arguments: [
      ("ad.example.com/.*", true), (#"(www\.)?example\.com/.*"#, true), ("(/a|/b)", true),
      ("(?:ad)?/x", true), ("click", true), (#"localhost:8080/x"#, true), ("[.]?/x", false),
      ("/a|/b", false), (#"\/a"#, false), ("^/a", false), (".*click", false), (".+/x", false),
      ("https?://a/.*", false), ("(https?://)?a/.*", false), (#"\w+://x"#, false),
      ("[a-z]+://x", false), ("(tel|sms):.*", false), ("tel:[0-9]+", false),
      ("(?i)HTTPS://x", false),
      ("https.//x", false), (#"https:\/\/x"#, false), ("[^/]*//a", false), (".{5}://x", false),
    ])
  func hopelessExpression(pattern: String, isWarned: Bool) {
    for key in ["urlPattern", "urlPathPattern"] {
      let json = #"{"\#(key)": "\#(pattern.replacing("\\", with: "\\\\"))"}"#
      #expect(decodedPattern(json).messages.isEmpty == !isWarned, "\(json)")
    }
  }
}
