import Testing

/// A text that schema and decoder both accept, or both reject.
struct SchemaSample: CustomTestStringConvertible {
  var text: String
  var isValid: Bool

  static func valid(_ texts: String...) -> [SchemaSample] {
    texts.map { SchemaSample(text: $0, isValid: true) }
  }

  static func invalid(_ texts: String...) -> [SchemaSample] {
    texts.map { SchemaSample(text: $0, isValid: false) }
  }

  var testDescription: String { (isValid ? "accepted: " : "rejected: ") + text }
}

enum SchemaSamples {
  static let actions =
    SchemaSample.valid(
      #"{"tap": "a/cell:b[0]/한글 c", "name": "n", "sends": []}"#, #"{"doubleTap": "a\\/b"}"#,
      #"{"longPress": "a", "duration": 0.5}"#, #"{"swipe": "up"}"#,
      #"{"swipe": "left", "on": "a"}"#,
      #"{"scrollTo": "a"}"#, #"{"typeText": "", "into": "a"}"#, #"{"clearText": "a"}"#,
      #"{"waitForExistence": "a", "timeout": 2}"#, #"{"waitForNonExistence": "a"}"#,
      #"{"assertExists": "a"}"#, #"{"assertNotExists": "a"}"#,
      #"{"assertText": "a", "equals": ""}"#, #"{"assertText": "a", "contains": "x"}"#,
      #"{"assertText": "a", "matches": "x.*"}"#,
      #"{"expectRequests": [{"url": "/x", "count": 1}]}"#,
      #"{"openURL": "myapp://home"}"#, #"{"push": {"aps": {}, "id": 1}, "tapped": false}"#,
      #"{"push": "a.apns"}"#, #"{"background": true}"#, #"{"foreground": true}"#,
      #"{"terminate": true}"#, #"{"relaunch": true}"#, #"{"advanceClock": 1.5}"#,
      #"{"setNetwork": "offline"}"#, #"{"repeat": 2, "actions": [{"tap": "a"}]}"#,
      #"{"perform": "x", "with": {"a": [1, null]}}"#)
    + SchemaSample.invalid(
      #"{"tap": "a//b"}"#, #"{"tap": "/a"}"#, #"{"tap": "a[x]"}"#, #"{"tap": ""}"#, #"{"tap": 1}"#,
      #"{"tap": "a", "timeout": 1}"#, #"{"tap": "a", "swipe": "up"}"#, #"{}"#, #"{"name": "n"}"#,
      #"{"tpa": "a"}"#, #"{"tap": "a", "name": ""}"#, #"{"tap": "a", "sends": {}}"#,
      #"{"tap": "a", "sends": [{"url": "/x"}]}"#, #"{"longPress": "a", "duration": "1"}"#,
      #"{"longPress": "a", "duration": -1}"#, #"{"swipe": "sideways"}"#, #"{"typeText": "a"}"#,
      #"{"waitForExistence": "a", "timeout": -1}"#, #"{"assertText": "a"}"#,
      #"{"assertText": "a", "equals": "x", "contains": "x"}"#,
      #"{"assertText": "a", "contains": ""}"#,
      #"{"expectRequests": {}}"#, #"{"openURL": "home"}"#, #"{"openURL": "a:b c"}"#,
      #"{"push": {"id": 1}}"#, #"{"push": {"aps": 1}}"#, #"{"push": "a.json"}"#, #"{"push": []}"#,
      #"{"push": {"aps": {}}, "tapped": "no"}"#, #"{"background": false}"#,
      #"{"terminate": "true"}"#,
      #"{"advanceClock": -1}"#, #"{"advanceClock": "1"}"#, #"{"setNetwork": "on"}"#,
      #"{"repeat": 2}"#, #"{"repeat": -1, "actions": [{"tap": "a"}]}"#,
      #"{"repeat": 1, "actions": []}"#,
      #"{"repeat": 0, "actions": [{"tap": "a"}]}"#, #"{"expectRequests": []}"#,
      #"{"expectRequests": [{"url": "/x", "count": 1}], "sends": []}"#,
      #"{"repeat": 1.5, "actions": []}"#,
      #"{"repeat": 100001, "actions": []}"#, #"{"repeat": 1, "actions": {}}"#,
      #"{"repeat": 1, "actions": [{"tpa": "a"}]}"#, #"{"use": 1}"#, #"{"perform": ""}"#,
      #"{"perform": "x", "with": [1]}"#, #""tap""#, "null")

  static let expectations =
    SchemaSample.valid(
      #"{"url": "/x", "count": 1, "as": "x"}"#,
      #"{"url": "https://a/x", "count": 0}"#, #"{"urlPath": "/x", "count": {"atLeast": 1}}"#,
      #"{"urlPattern": "/x.*", "count": {"atMost": 1}}"#,
      #"{"urlPathPattern": "/x.*", "method": "GET", "count": {"atLeast": 1, "atMost": 2}}"#,
      #"{"host": "a", "count": 1.0}"#, #"{"host": {"matches": "a.*"}, "port": 80, "count": 1}"#,
      #"{"queryParameters": {"a": {"equalTo": "", "caseInsensitive": true}}, "count": 1}"#,
      #"{"headers": {"A": {"absent": true}}, "cookies": {"a": {"contains": "x"}}, "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"equalToJson": {"a": 1}, "ignoreArrayOrder": true}],"#
        + #" "count": 1}"#,
      #"{"method": "ANY", "bodyPatterns": [{"doesNotMatch": "x"}], "count": {"atLeast": 1}}"#,
      #"{"bodyPatterns": [{"doesNotMatch": "x"}, {"doesNotContain": "y"}], "count": 0}"#,
      #"{"bodyPatterns": [{"equalTo": "x"}], "count": {"atMost": 1}}"#,
      #"{"bodyPatterns": [{"equalTo": "x"}], "count": {"atLeast": 0}}"#,
      #"{"method": "PUT", "bodyPatterns": [{"and": [{"contains": "x"}, {"not": {"absent": true}}]}], "count": 1}"#,
      #"{"host": {"or": [{"equalTo": "a"}, {"equalTo": "b"}]}, "count": 1}"#,
      #"{"headers": {"a": {"hasExactly": [{"equalTo": "x"}]}}, "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"matchesJsonPath": "$.a"}], "count": 1}"#,
      ##"{"method": "PUT", "bodyPatterns": [{"equalToJson": {"a": "#{json-unit.ignore}"}}], "count": 1}"##,
      #"{"method": "PUT", "bodyPatterns": [{"equalToJson": {"a": "${json-unit.any-string}"}}], "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "absent": true}}], "count": 1}"#,
      #"{"cookies": {"a": {"includes": [{"contains": "x"}, {"contains": "y"}]}}, "count": 1}"#,
      #"{"queryParameters": {}, "otherParameters": false, "count": 1}"#,
      #"{"queryParameters": {"a": {"absent": true}}, "otherParameters": true, "count": 1}"#)
    + SchemaSample.invalid(
      #"{"url": "/x", "count": 1, "as": ""}"#, #"{"url": "/x", "count": 1, "after": 1}"#,
      #"{"url": "/x", "count": 1, "forEach": "ads.json"}"#,
      #"{"url": "/x", "host": {"sameAs": ""}, "count": 1}"#,
      #"{"url": "/x"}"#, #"{"url": "/x", "count": -1}"#, #"{"url": "/x", "count": "1"}"#,
      #"{"url": "/x", "count": {}}"#, #"{"url": "/x", "count": {"exactly": 1}}"#,
      #"{"url": "/x", "count": 1.5}"#, #"{"url": "", "count": 1}"#, #"{"url": 1, "count": 1}"#,
      #"{"url": "/x", "urlPath": "/x", "count": 1}"#, #"{"port": 0, "count": 1}"#,
      #"{"queryParameters": {"a": "x"}, "count": 1}"#, #"{"headers": {"a": {}}, "count": 1}"#,
      #"{"cookies": {"a": {"equalTo": "x", "contains": "x"}}, "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"contains": "x", "caseInsensitive": true}], "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"equalTo": "x", "ignoreArrayOrder": true}], "count": 1}"#,
      #"{"bodyPatterns": {"equalTo": "x"}, "count": 1}"#,
      #"{"bodyPatterns": [{"equalTo": "x"}], "count": 1}"#,
      #"{"bodyPatterns": [{"equalTo": "x"}], "count": {"atLeast": 1}}"#,
      #"{"headers": {"a": {"and": []}}, "count": 1}"#,
      #"{"headers": {"a": {"or": [{"contains": "x"}]}}, "count": 1}"#,
      #"{"headers": {"a": {"not": []}}, "count": 1}"#,
      #"{"headers": {"a": {"not": {"includes": [{"contains": "x"}]}}}, "count": 1}"#,
      #"{"headers": {"a": {"hasExactly": []}}, "count": 1}"#,
      #"{"headers": {"a": {"includes": [{"x": 1}]}}, "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"hasExactly": [{"contains": "x"}]}], "count": 1}"#,
      #"{"host": {"includes": [{"contains": "x"}]}, "count": 1}"#,
      #"{"otherParameters": false, "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"matchesJsonPath": ""}], "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"matchesJsonPath": {"absent": true}}], "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.a"}}], "count": 1}"#,
      #"{"method": "PUT", "bodyPatterns": [{"expression": "$.a", "absent": true}], "count": 1}"#,
      #"{"queryParameters": {}, "otherParameters": "no", "count": 1}"#,
      #"{"uri": "/x", "count": 1}"#, #"{"url": "/x", "count": 1, "sends": []}"#, "[]", "1")

  private static func scenario(_ more: String) -> String {
    #"{"actions": [], "expected": [{"url": "/none", "count": 0}], "# + more + "}"
  }

  static let scenarios =
    SchemaSample.valid(
      #"{"actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      scenario(#""tracking": []"#), scenario(#""tracking": ["ad.example.com", "*.x", "[::1]"]"#),
      scenario(#""name": "n", "description": "", "tags": ["a"], "$schema": "s""#),
      scenario(#""app": "a""#), scenario(#""app": ["a", "b"]"#),
      scenario(#""fixtures": {"A": "a"}"#),
      scenario(#""stubs": "a""#), scenario(#""stubs": ["a"]"#), scenario(#""stubs": []"#),
      scenario(#""environment": {"A": ""}"#), scenario(#""arguments": ["", "a"]"#),
      scenario(#""variables": {"a": 1, "b": true, "c": ""}, "name": "${a}${b}${c}""#),
      scenario(#""cases": [{"name": "a"}, {"name": "b"}]"#), scenario(#""unexpected": "allow""#),
      scenario(#""unexpected": "warn", "knownIssue": "later""#),
      scenario(#""cases": [{"knownIssue": "a"}]"#),
      scenario(#""volatileParameters": ["t*"]"#), scenario(#""timeout": 0.5"#),
      scenario(#""skip": "later""#), #"{"actions": [], "expected": [], "skip": "later"}"#,
      #"{"actions": [{"tap": "a"}], "expected": []}"#, #"{"actions": [{"tap": "a"}]}"#,
      #"{"actions": [], "skip": "later"}"#, scenario(#""tracking": ["xn--mnchen-3ya.x"]"#),
      #"{"actions": [{"launch": true}], "expected": []}"#,
      #"{"actions": [{"launch": true, "name": "n", "sends": []}, {"tap": "a"}], "expected": []}"#,
      #"{"variables": {"n": 1}, "actions": [{"typeText": "${n}", "into": "${n}"}]}"#,
      #"{"variables": {"n": 1, "m": "up", "b": true}, "expected": [{"url": "/x", "count": "${n}"}],"#
        + #" "actions": [{"swipe": "${m}", "on": "a/b[${n}]"}, {"push": {"aps": {}}, "tapped": "${b}"}]}"#
    )
    + SchemaSample.invalid(
      "{}", "[]", #"{"actions": []}"#, #"{"actions": {}, "expected": []}"#,
      #"{"actions": [], "expected": []}"#,
      #"{"actions": [{"tap": "a"}, {"launch": true}], "expected": []}"#,
      #"{"actions": [{"launch": false}], "expected": []}"#,
      #"{"actions": [{"launch": true, "tap": "a"}], "expected": []}"#,
      #"{"actions": [{"repeat": 2, "actions": [{"launch": true}]}], "expected": []}"#,
      #"{"actions": [], "expected": [{"url": "/x", "count": 1}, {"count": 1, "url": "/x"}]}"#,
      scenario(#""volatileParameters": ["ts", "*"]"#), scenario(#""volatileParameters": [""]"#),
      #"{"actions": [], "expected": {}}"#, scenario(#""name": """#), scenario(#""nmae": "a""#),
      scenario(#""tags": "a""#), scenario(#""tags": [1]"#), scenario(#""app": []"#),
      scenario(#""app": {}"#), scenario(#""fixtures": {"A": 1}"#), scenario(#""fixtures": ["a"]"#),
      scenario(#""stubs": 1"#), scenario(#""environment": {"A": 1}"#),
      scenario(#""arguments": "a""#),
      scenario(#""variables": []"#), scenario(#""variables": {"a": []}"#),
      scenario(#""cases": []"#),
      scenario(#""cases": [1]"#), scenario(#""cases": [{"a": {}}]"#), scenario(#""cases": 1"#),
      scenario(#""unexpected": "no""#), scenario(#""tracking": "ad.example.com""#),
      scenario(#""tracking": [""]"#), scenario(#""tracking": ["https://ad.example.com"]"#),
      scenario(#""tracking": ["ad.example.com:8080"]"#), scenario(#""tracking": ["a b"]"#),
      scenario(#""tracking": ["münchen.x"]"#),
      scenario(#""volatileParameters": "t""#),
      scenario(#""timeout": 0"#), scenario(#""timeout": "5""#), scenario(#""skip": true"#),
      scenario(#""knownIssue": """#),
      scenario(#""tap": "a""#), scenario(#""jobs": 1"#))

  private static func mapping(_ response: String, _ more: String = "") -> String {
    #"{"request": {"url": "/x"}, "response": "# + response + more + "}"
  }

  static let stubs =
    SchemaSample.valid(
      #"{"mappings": []}"#, mapping("{}"), #"{"request": {}, "responses": [{}, {"status": 500}]}"#,
      mapping(#"{"status": 204, "headers": {"A": "b", "C": ["d", "e"]}, "body": "x"}"#),
      mapping(#"{"jsonBody": [1, null], "fixedDelayMilliseconds": 10}"#),
      mapping(#"{"base64Body": "AAAA"}"#), mapping(#"{"bodyFileName": "a.png"}"#),
      mapping(#"{"fault": "EMPTY_RESPONSE"}"#),
      mapping(#"{"urlError": "timedOut", "status": 200}"#),
      mapping("{}", #", "priority": 1, "id": "x", "metadata": {"a": []}"#),
      mapping(
        "{}", #", "scenarioName": "s", "requiredScenarioState": "a", "newScenarioState": "b""#))
    + SchemaSample.invalid(
      #"{"mappings": {}}"#, #"{"mappings": [1]}"#, #"{"request": {}}"#, #"{"response": {}}"#,
      #"{"request": {}, "response": {}, "responses": [{}]}"#, #"{"request": {}, "responses": []}"#,
      mapping(#"{"status": 99}"#), mapping(#"{"status": "200"}"#), mapping("[]"),
      mapping(#"{"body": "x", "jsonBody": 1}"#), mapping(#"{"fault": "X"}"#),
      mapping(#"{"urlError": "timeOut"}"#), mapping(#"{"fault": "EMPTY_RESPONSE", "body": "x"}"#),
      mapping(#"{"urlError": "timedOut", "headers": {}}"#),
      mapping(#"{"fault": "EMPTY_RESPONSE", "urlError": "timedOut"}"#),
      mapping(#"{"headers": {"A": 1}}"#), mapping(#"{"fixedDelayMilliseconds": -1}"#),
      mapping("{}", #", "priority": 0"#), mapping("{}", #", "newScenarioState": "a""#),
      mapping("{}", #", "postServeActions": []"#), mapping("{}", #", "status": 200"#),
      #"{"request": {"url": "/x", "urlPath": "/x"}, "response": {}}"#,
      #"{"request": {"formParameters": {}}, "response": {}}"#)

  static let configurations =
    SchemaSample.valid(
      "{}",
      #"{"$schema": "s", "app": "a", "fixturesDirectory": "F", "jobs": 2, "timeout": 1.5}"#,
      #"{"app": ["a", "-b"], "environment": {"A": "b"}, "volatileParameters": ["t"]}"#,
      #"{"network": "open"}"#, #"{"network": {"ignored": ["*.example.com"]}}"#,
      #"{"network": {"ignored": []}}"#, #"{"tracking": ["ad.example.com"]}"#,
      #"{"stubs": "a.json"}"#, #"{"stubs": ["a.json"], "lint": "off"}"#, #"{"lint": {}}"#,
      #"{"lint": {"nil": "fail", "http": "warn"}, "trackingPlan": {"a": "a.json"}}"#)
    + SchemaSample.invalid(
      #"{"lint": "no"}"#, #"{"lint": {"nill": "fail"}}"#, #"{"lint": {"nil": true}}"#,
      #"{"trackingPlan": "a.json"}"#, #"{"trackingPlan": {"a": 1}}"#, #"{"stubs": 1}"#,
      "[]", #"{"app": []}"#, #"{"app": 1}"#, #"{"jobs": 0}"#, #"{"jobs": "2"}"#, #"{"timeout": 0}"#,
      #"{"fixturesDirectory": ""}"#, #"{"fixtures": "F"}"#, #"{"environment": {"A": 1}}"#,
      #"{"tracking": ["a/b"]}"#, #"{"volatileParameters": ["**"]}"#,
      #"{"volatileParameters": "t"}"#, #"{"network": "closed"}"#, #"{"network": {}}"#,
      #"{"network": {"ignored": "a"}}"#, #"{"network": {"ignored": [""]}}"#, #"{"timeout": "${a}"}"#
    )
}
