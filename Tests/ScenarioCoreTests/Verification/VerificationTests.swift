import ScenarioCore
import Testing

@Suite("What recorded requests come to")
struct VerificationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var scenario: String
    var actions: [String] = ["", "", ""]
    var requests: [String]
    var findings: [String]
  }

  static let a1 = #"{"url": "https://ad.example/click?ad=1&area=cart", "count": 1}"#
  static let sendsA1 = #", "sends": [\#(a1)]"#
  static let nothing = #", "sends": []"#

  static let counts = [
    Row(
      testDescription: "Exactly what was expected",
      scenario: #""expected": [\#(a1), {"urlPath": "/click", "count": 1}]"#,
      requests: ["1 https://ad.example/click?ad=1&area=cart default"], findings: []),
    Row(
      testDescription: "Nothing at all was sent", scenario: #""expected": [\#(a1)]"#, requests: [],
      findings: [
        "expected https://ad.example/click?ad=1&area=cart: wanted 1, got 0; nothing was sent"
      ]),
    Row(
      testDescription: "Sent twice", scenario: #""expected": [\#(a1)]"#,
      requests: [
        "1 https://ad.example/click?ad=1&area=cart", "3 https://ad.example/click?ad=1&area=cart",
      ],
      findings: ["expected https://ad.example/click?ad=1&area=cart: wanted 1, got 2 [@1 @3]"]),
    Row(
      testDescription: "Must not be sent",
      scenario: #""expected": [{"urlPath": "/click", "count": 0}]"#,
      requests: ["4 https://ad.example/click"],
      findings: ["expected /click: wanted 0, got 1 [@shutdown]"]),
    Row(
      testDescription: "Bounds",
      scenario:
        #""expected": [{"urlPath": "/a", "count": {"atLeast": 2}}, {"urlPath": "/b", "count": {"atMost": 1}}, {"urlPath": "/c", "count": {"atLeast": 1, "atMost": 2}}]"#,
      requests: ["0 http://x/a", "0 http://x/b", "0 http://x/b", "0 http://x/c", "0 http://x/c"],
      findings: [
        "expected /a: wanted at least 2, got 1 [@launch]",
        "expected /b: wanted at most 1, got 2 [@launch @launch]",
      ]),
    Row(
      testDescription:
        "Stubbed requests of hosts that aren't tracked need no expectation, others do, equal ones are grouped",
      scenario: #""expected": [], "tracking": [], "stubs": "s.json""#,
      requests: [
        "1 http://x/a stub", "1 http://x/b fault", "1 http://x/c default", "2 http://x/c default",
        "2 http://x/d offline",
      ],
      findings: ["unexpected 2: http://x/c@1, http://x/c@2", "unexpected 1: http://x/d@2"]),
    Row(
      testDescription: "Stubbed requests count all the same",
      scenario: #""expected": [{"urlPath": "/a", "count": 0}]"#,
      requests: ["1 http://x/a stub"], findings: ["expected /a: wanted 0, got 1 [@1]"]),
    Row(
      testDescription: "Stubbed requests must be named as well where nobody says what is tracked",
      scenario: #""expected": [{"urlPath": "/a", "count": 1}]"#,
      requests: ["1 http://x/a stub", "1 http://x/b stub", "2 http://x/c fault"],
      findings: ["unexpected 1: http://x/b@1", "unexpected 1: http://x/c@2"]),
    Row(
      testDescription: "Of stubbed requests only those to tracked hosts must be named",
      scenario: #""expected": [], "tracking": ["ad.example", "*.Track.example"]"#,
      requests: [
        "1 http://api.example/a stub", "1 http://ad.example/a stub", "1 https://AD.example./b stub",
        "1 http://u@eu.track.example:8080/c fault", "1 http://track.example/d stub",
        "1 http://ad.example.org/e stub", "1 http://api.example/?u=http://ad.example/f stub",
      ],
      findings: [
        "unexpected 1: http://ad.example/a@1", "unexpected 1: https://AD.example./b@1",
        "unexpected 1: http://u@eu.track.example:8080/c@1",
      ]),
    Row(
      testDescription: "A host is the same with its letters as they are and in ASCII",
      scenario: #""expected": [], "tracking": ["xn--mnchen-3ya.x"]"#,
      requests: [
        "1 http://xn--mnchen-3ya.x/a stub", "1 http://m%C3%BCnchen.x/b stub",
        "1 http://münchen.x/c stub", "1 http://bonn.x/d stub",
      ],
      findings: [
        "unexpected 1: http://xn--mnchen-3ya.x/a@1", "unexpected 1: http://m%C3%BCnchen.x/b@1",
        "unexpected 1: http://münchen.x/c@1",
      ]),
    Row(
      testDescription: "A host is the same where it is percent-encoded",
      scenario: #""expected": [], "tracking": ["ad.example"]"#,
      requests: ["1 http://%61d%2eexample/a stub", "1 http://api%2eexample/a stub"],
      findings: ["unexpected 1: http://%61d%2eexample/a@1"]),
    Row(
      testDescription: "A tracked host is the same with the dot of the DNS at its end",
      scenario: #""expected": [], "tracking": ["ad.example.", "*.track.example."]"#,
      requests: ["1 http://ad.example/a stub", "1 http://eu.track.example./b stub"],
      findings: [
        "unexpected 1: http://ad.example/a@1", "unexpected 1: http://eu.track.example./b@1",
      ]),
    Row(
      testDescription: "Sent once too often to a tracker that a stub answers",
      scenario: #""expected": [\#(a1)], "tracking": ["ad.example"]"#,
      requests: Array(repeating: "1 https://ad.example/click?ad=1&area=cart stub", count: 2),
      findings: ["expected https://ad.example/click?ad=1&area=cart: wanted 1, got 2 [@1 @1]"]),
    Row(
      testDescription: "A method that is not written is GET where the count excludes 0",
      scenario:
        #""expected": [{"urlPath": "/a", "count": 1}, {"method": "ANY", "urlPath": "/b", "count": 2}, {"urlPath": "/c", "count": {"atMost": 1}}]"#,
      requests: [
        "1 http://x/a", "1 http://x/a POST", "1 http://x/b GET", "1 http://x/b PUT",
        "1 http://x/c HEAD",
      ],
      findings: ["unexpected 1: http://x/a@1"]),
    Row(
      testDescription: "A method that is not written is any where nothing may be sent",
      scenario: #""expected": [{"urlPath": "/a", "count": 0}]"#,
      requests: ["1 http://x/a POST"], findings: ["expected /a: wanted 0, got 1 [@1]"]),
    Row(
      testDescription: "What a wanted GET gets instead is told",
      scenario: #""expected": [{"url": "http://x/a", "count": 1}]"#,
      requests: ["1 http://x/a POST"],
      findings: ["expected http://x/a: wanted 1, got 0; near ×1 @1 method GET→POST"]),
    Row(
      testDescription: "What must not come so far is not named by that",
      scenario: #""expected": []"#,
      actions: [
        #"{"expectRequests": [{"urlPath": "/click", "count": 0}, {"urlPath": "/v", "count": {"atMost": 2}}]}"#,
        "", #"{"expectRequests": [{"urlPath": "/w", "count": 1}]}"#, "",
      ],
      requests: ["2 http://x/click", "2 http://x/v", "2 http://x/w", "4 http://x/w"],
      findings: [
        "unexpected 1: http://x/click@2", "unexpected 1: http://x/v@2",
        "unexpected 1: http://x/w@4",
      ]),
    Row(
      testDescription: "Unexpected requests may be allowed",
      scenario: #""expected": [], "unexpected": "allow""#, requests: ["1 http://x/a"], findings: []),
    Row(
      testDescription:
        "Unexpected requests may be warned about, what is wrong is wrong all the same",
      scenario: #""expected": [{"urlPath": "/b", "count": 1}], "unexpected": "warn""#,
      actions: ["", nothing, ""],
      requests: ["1 http://x/a", "2 http://x/a", "3 http://x/a", "3 http://x/b?q", "3 http://x/b"],
      findings: [
        "expected /b: wanted 1, got 2 [@3 @3]", "unexpected 1 in @2: http://x/a@2",
        "warning: unexpected 2: http://x/a@1, http://x/a@3",
      ]),
    Row(
      testDescription: "Volatile parameters are set aside",
      scenario:
        #""volatileParameters": ["ts"], "expected": [{"url": "http://x/a?ts=0&b=1", "count": 1}]"#,
      requests: [
        "1 http://x/a?b=1&ts=5", "1 http://x/a?b=1&ts=6", "1 http://x/z?ts=1", "1 http://x/z?ts=2",
      ],
      findings: [
        "expected http://x/a?ts=(any)&b=1: wanted 1, got 2 [@1 @1]",
        "unexpected 2: http://x/z?ts=1@1, http://x/z?ts=2@1",
      ]),
    Row(
      testDescription: "Requests without an action belong to the scenario",
      scenario: #""expected": [{"urlPath": "/a", "count": 1}]"#,
      requests: ["- http://x/a", "- http://x/b"],
      findings: ["unexpected 1: http://x/b@?"]),
  ]

  static let nearMisses = [
    Row(
      testDescription: "A wrong parameter is one finding", scenario: #""expected": [\#(a1)]"#,
      requests: ["2 https://ad.example/click?ad=1&area=list"],
      findings: [
        #"expected https://ad.example/click?ad=1&area=cart: wanted 1, got 0; near ×1 @2 queryParameter("area") cart→list"#
      ]),
    Row(
      testDescription: "Pairs are the cheapest for the whole scenario, not the first that fit",
      scenario:
        #""expected": [{"url": "http://x/c?a=1&b=1&c=1", "count": 1}, {"url": "http://x/c?a=1&b=2&c=2", "count": 1}]"#,
      requests: ["1 http://x/c?a=1&b=2&c=1", "1 http://x/c?a=9&b=1&c=1"],
      findings: [
        #"expected http://x/c?a=1&b=1&c=1: wanted 1, got 0; near ×1 @1 queryParameter("a") 1→9"#,
        #"expected http://x/c?a=1&b=2&c=2: wanted 1, got 0; near ×1 @1 queryParameter("c") 2→1"#,
      ]),
    Row(
      testDescription: "The nearest is told also where it stands for another expectation",
      scenario:
        #""expected": [{"url": "http://x/c?a=1", "count": 1}, {"url": "http://x/c?a=2", "count": 1}]"#,
      requests: ["1 http://x/c?a=3"],
      findings: [
        #"expected http://x/c?a=1: wanted 1, got 0; near ×1 @1 queryParameter("a") 1→3"#,
        #"expected http://x/c?a=2: wanted 1, got 0; nearest @1 queryParameter("a") 2→3"#,
      ]),
    Row(
      testDescription: "The nearest is told also where another expectation is met by it",
      scenario:
        #""expected": [{"url": "https://x/c", "count": 1}, {"url": "http://x/c", "count": 1}, {"url": "http://z/d", "count": 1}]"#,
      requests: ["1 https://x/c"],
      findings: [
        #"expected http://x/c: wanted 1, got 0; nearest @1 scheme http→https"#,
        "expected http://z/d: wanted 1, got 0",
      ]),
    Row(
      testDescription: "The nearest is told where unexpected requests are allowed",
      scenario: #""expected": [\#(a1)], "unexpected": "allow""#,
      requests: ["2 https://ad.example/click?ad=1&area=list"],
      findings: [
        #"expected https://ad.example/click?ad=1&area=cart: wanted 1, got 0; near ×1 @2 queryParameter("area") cart→list"#
      ]),
    Row(
      testDescription: "Another request isn't a near miss", scenario: #""expected": [\#(a1)]"#,
      requests: ["2 https://sdk.example/config", "2 https://ad.example/config"],
      findings: [
        "expected https://ad.example/click?ad=1&area=cart: wanted 1, got 0",
        "unexpected 1: https://sdk.example/config@2", "unexpected 1: https://ad.example/config@2",
      ]),
    Row(
      testDescription: "A near miss that came more often than it can explain is unexpected beyond",
      scenario: #""expected": [\#(a1)]"#,
      requests: Array(repeating: "2 https://ad.example/click?ad=1&area=list", count: 3),
      findings: [
        #"expected https://ad.example/click?ad=1&area=cart: wanted 1, got 0; near ×1 @2 queryParameter("area") cart→list"#,
        "unexpected 2: https://ad.example/click?ad=1&area=list@2, https://ad.example/click?ad=1&area=list@2",
      ]),
    Row(
      testDescription: "Headers and bodies are compared too",
      scenario:
        #""expected": [{"method": "POST", "urlPath": "/e", "headers": {"X-Id": {"equalTo": "1"}}, "bodyPatterns": [{"equalToJson": {"n": 1, "m": 2}}], "count": 1}]"#,
      requests: [#"1 http://x/e POST header:X-Id=1 body:{"n":2,"m":2}"#],
      findings: [
        #"expected POST /e with header X-Id=1, body = {"n":1,"m":2}: wanted 1, got 0; near ×1 @1 body("$.n") 1→2"#
      ]),
    Row(
      testDescription: "A request that a stub answered may be the near miss",
      scenario: #""expected": [{"url": "http://x/s?q=a", "count": 1}]"#,
      requests: ["1 http://x/s?q=b stub"],
      findings: [#"expected http://x/s?q=a: wanted 1, got 0; near ×1 @1 queryParameter("q") a→b"#]),
  ]

  static let attribution = [
    Row(
      testDescription: "What the launch sends is asked of the first action",
      scenario: #""expected": [\#(a1)]"#,
      actions: [#"{"launch": true, "sends": [\#(a1)]}"#, nothing],
      requests: ["0 https://ad.example/click?ad=1&area=cart"], findings: []),
    Row(
      testDescription: "The launch sends what it should not",
      scenario: #""expected": [{"urlPath": "/b", "count": 1}]"#,
      actions: [#"{"launch": true, "sends": []}"#, ""],
      requests: ["0 http://x/b"],
      findings: ["unexpected 1 in @0: http://x/b@launch"]),
    Row(
      testDescription: "Sent by the right action",
      scenario: #""expected": [\#(a1)], "tracking": ["ad.example"]"#,
      actions: [nothing, sendsA1, nothing],
      requests: ["0 http://x/launch stub", "2 https://ad.example/click?ad=1&area=cart"],
      findings: []),
    Row(
      testDescription: "What sends and expected both miss is one finding",
      scenario: #""expected": [\#(a1)], "tracking": ["ad.example"]"#, actions: ["", sendsA1, ""],
      requests: ["1 http://x/a stub"],
      findings: [
        "sends@2 https://ad.example/click?ad=1&area=cart: wanted 1, got 0; also expected 1/0"
      ]),
    Row(
      testDescription: "A wrong parameter that offends sends and expected is one finding",
      scenario: #""expected": [\#(a1)]"#, actions: ["", sendsA1, ""],
      requests: ["2 https://ad.example/click?ad=1&area=list"],
      findings: [
        #"sends@2 https://ad.example/click?ad=1&area=cart: wanted 1, got 0; near ×1 @2 queryParameter("area") cart→list; also expected 1/0"#
      ]),
    Row(
      testDescription: "Sent twice by the action is one finding",
      scenario: #""expected": [\#(a1)]"#, actions: ["", sendsA1, ""],
      requests: Array(repeating: "2 https://ad.example/click?ad=1&area=cart", count: 2),
      findings: [
        "sends@2 https://ad.example/click?ad=1&area=cart: wanted 1, got 2 [@2 @2]; also expected 1/2"
      ]),
    Row(
      testDescription: "Sent by an action that should send nothing",
      scenario: #""expected": [\#(a1)]"#, actions: ["", sendsA1, nothing],
      requests: ["3 https://ad.example/click?ad=1&area=cart"],
      findings: [
        "sends@2 https://ad.example/click?ad=1&area=cart: wanted 1, got 0; elsewhere @3"
      ]),
    Row(
      testDescription: "Sent by an action that says nothing about it",
      scenario: #""expected": [\#(a1)]"#, actions: ["", sendsA1, ""],
      requests: ["3 https://ad.example/click?ad=1&area=cart"],
      findings: [
        "sends@2 https://ad.example/click?ad=1&area=cart: wanted 1, got 0; elsewhere @3"
      ]),
    Row(
      testDescription: "Sent by another action that sends one of its own",
      scenario: #""expected": [{"urlPath": "/click", "count": 2}]"#,
      actions: ["", sendsA1, sendsA1],
      requests: Array(repeating: "3 https://ad.example/click?ad=1&area=cart", count: 2),
      findings: [
        "sends@2 https://ad.example/click?ad=1&area=cart: wanted 1, got 0; elsewhere @3; also sends@3 1/2"
      ]),
    Row(
      testDescription: "sends is strict, also where unexpected requests are allowed or expected",
      scenario:
        #""expected": [{"urlPath": "/a", "count": 2}], "unexpected": "allow", "tracking": []"#,
      actions: [nothing, "", nothing],
      requests: ["1 http://x/a", "2 http://x/b", "3 http://x/a", "3 http://x/c stub"],
      findings: ["unexpected 2 in @1,@3: http://x/a@1, http://x/a@3"]),
    Row(
      testDescription: "sends is strict for the stubbed requests of tracked hosts",
      scenario: #""expected": [{"host": "ad.example", "count": 3}], "tracking": ["ad.example"]"#,
      actions: [nothing, sendsA1, ""],
      requests: [
        "1 http://ad.example/x stub", "2 https://ad.example/click?ad=1&area=cart stub",
        "2 http://ad.example/y stub", "2 http://api.example/z stub",
      ],
      findings: [
        "unexpected 1 in @1: http://ad.example/x@1", "unexpected 1 in @2: http://ad.example/y@2",
      ]),
    Row(
      testDescription: "A parameter that is set aside and asked for tells two requests apart",
      scenario:
        #""expected": [{"urlPath": "/a", "count": 2}], "unexpected": "allow", "volatileParameters": ["ts"]"#,
      actions: [
        #", "sends": [{"urlPath": "/a", "queryParameters": {"ts": {"equalTo": "1"}}, "count": 1}]"#
      ],
      requests: ["1 http://x/a?ts=1", "1 http://x/a?ts=2"],
      findings: ["unexpected 1 in @1: http://x/a?ts=2@1"]),
    Row(
      testDescription: "expectRequests counts what came before it",
      scenario: #""expected": [{"urlPath": "/a", "count": 1}]"#,
      actions: ["", #"{"expectRequests": [{"urlPath": "/a", "count": 1}]}"#, ""],
      requests: ["3 http://x/a"],
      findings: ["expectRequests@2 /a: wanted 1, got 0; elsewhere @3"]),
    Row(
      testDescription: "What is still missing at the end is told where it was missing first",
      scenario: #""expected": [{"urlPath": "/a", "count": 1}], "tracking": ["ad.example"]"#,
      actions: [
        "", #"{"expectRequests": [{"urlPath": "/a", "count": 1}]}"#,
        #"{"expectRequests": [{"urlPath": "/a", "count": 1}]}"#,
      ],
      requests: ["1 http://x/b stub"],
      findings: [
        "expectRequests@2 /a: wanted 1, got 0; also expectRequests@3 1/0; also expected 1/0"
      ]),
  ]

  @Test("Counts", arguments: counts)
  func count(row: Row) throws { try check(row) }

  @Test("Near misses", arguments: nearMisses)
  func nearMiss(row: Row) throws { try check(row) }

  @Test("Attribution", arguments: attribution)
  func attribute(row: Row) throws { try check(row) }

  private func check(_ row: Row) throws {
    let scenario = try scenario(row.scenario, actions: row.actions)
    #expect(try judged(scenario, row.requests) == row.findings)
  }

  @Test("When actions stopped early, only what is certain is told")
  func stoppedEarly() throws {
    let scenario = try scenario(
      #""expected": [{"urlPath": "/a", "count": 1}, {"urlPath": "/b", "count": 0}, {"urlPath": "/c", "count": 1}]"#,
      actions: [
        #", "sends": [{"urlPath": "/a", "count": 1}]"#,
        #", "sends": [{"urlPath": "/c", "count": 1}]"#, "",
      ])
    let sent = ["2 http://x/b default", "2 http://x/d"]
    let certain = ["unexpected 1 in @2: http://x/b@2", "unexpected 1 in @2: http://x/d@2"]
    let tooMany = ["expected /b: wanted 0, got 1 [@2]"]
    #expect(
      try judged(scenario, sent, completed: .through(1))
        == ["sends@1 /a: wanted 1, got 0"] + tooMany + certain + ["unjudged 3"])
    #expect(try judged(scenario, sent, completed: .none) == tooMany + certain + ["unjudged 4"])
  }

  @Test("When actions stopped early, what came instead of what was to come is told with it")
  func stoppedEarlyNearMiss() throws {
    let scenario = try scenario(
      #""expected": [\#(Self.a1), {"urlPath": "/never", "count": 1}], "tracking": []"#,
      actions: ["", "", #", "sends": [{"url": "http://x/b", "count": 1}]"#])
    let sent = ["1 https://ad.example/click?ad=1&area=list", "1 http://x/b", "1 http://x/z?q=1"]
    #expect(
      try judged(scenario, sent, completed: .through(1)) == [
        "sends@3 http://x/b: wanted 1, got 0; elsewhere @1",
        #"expected https://ad.example/click?ad=1&area=cart: wanted 1, got 0; near ×1 @1 queryParameter("area") cart→list"#,
        "unexpected 1: http://x/z?q=1@1", "unjudged 1",
      ])
  }

  @Test(
    "A pattern that takes too many steps is a doubt, and named for what it is",
    arguments: [
      (
        #"{"matches": "(a+)+"}"#, String(repeating: "a", count: 40) + "!",
        "The expression \"(a+)+\""
      ),
      (
        #"{"matchesJsonPath": {"expression": "$[?$[*]]", "contains": "x"}}"#,
        "[" + Array(repeating: "1", count: 2_500).joined(separator: ",") + "]",
        "The JSONPath \"$[?$[*]]\""
      ),
    ])
  func expensive(matcher: String, body: String, words: String) throws {
    let scenario = try scenario(
      #""expected": [{"url": "http://x/a", "method": "PUT", "count": 1, "bodyPatterns": [\#(matcher)]}]"#
    )
    var verification = Verification(scenario: scenario)
    verification.observe(recorded("1 http://x/a PUT body:\(body)", time: 0))
    let errors = texts(of: verification.outcome(completedSteps: .all).findings)
    #expect(errors.count == 1)
    #expect(errors[0].hasPrefix("error expensivePattern: \(words) takes too many steps on"))
    #expect(errors[0].contains("in a repetition") == words.hasPrefix("The expression"))
  }

  @Test(
    "A body that can't be decoded meets no condition that its bytes don't meet, and isn't without anything",
    arguments: [
      (#"{"doesNotContain": "x"}"#, "gzip", 1, "isn't valid gzip"),
      (#"{"doesNotMatch": ".*x.*"}"#, "br", 1, #"has the content coding "br", which isn't undone"#),
      (#"{"not": {"contains": "x"}}"#, "gzip", 1, "isn't valid gzip"),
      (#"{"and": [{"contains": "ad"}, {"not": {"equalTo": "x"}}]}"#, "gzip", 1, "isn't valid gzip"),
      (
        #"{"matchesJsonPath": {"expression": "$.x", "absent": true}}"#, "deflate", 1,
        "isn't valid deflate"
      ),
      (#"{"contains": "x"}"#, "gzip", 0, "isn't valid gzip"),
      (#"{"matchesJsonPath": "$.x"}"#, "gzip", 0, "isn't valid gzip"),
      (#"{"contains": "ad"}"#, "gzip", 1, nil), (#"{"equalToJson": {"ad": 1}}"#, "gzip", 1, nil),
      (#"{"doesNotContain": "x"}"#, "utf-8", 1, nil),
      (#"{"doesNotContain": "x"}"#, "identity", 1, nil),
    ])
  func undecodable(matcher: String, coding: String, count: Int, problem: String?) throws {
    let scenario = try scenario(
      #""expected": [{"urlPath": "/a", "method": "PUT", "count": \#(count), "bodyPatterns": [\#(matcher)]}]"#
    )
    let request = #"1 http://x/a PUT header:Content-Encoding=\#(coding) body:{"ad":1}"#
    let start = problem.map {
      "error undecodableBody: The body of PUT http://x/a, sent by action 1, tap e1, \($0). "
    }
    let errors = try judged(scenario, [request])
    #expect(errors.count == (start == nil ? 0 : 1))
    if let start { #expect(errors.first?.hasPrefix(start) == true) }
  }

  @Test(
    "JSON that is nested too deeply meets no condition about JSON, and isn't without anything",
    arguments: [
      (#"{"matchesJsonPath": "$.a"}"#, 0, true),
      (#"{"not": {"matchesJsonPath": "$.a"}}"#, 1, true),
      (#"{"equalToJson": {"a": 1}}"#, 0, true), (#"{"contains": "[[["}"#, 1, false),
      (#"{"doesNotContain": "x"}"#, 1, false),
    ])
  func tooDeep(matcher: String, count: Int, isError: Bool) throws {
    let scenario = try scenario(
      #""expected": [{"urlPath": "/a", "method": "PUT", "count": \#(count), "bodyPatterns": [\#(matcher)]}]"#
    )
    let body = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let errors = try judged(
      scenario, Array(repeating: "1 http://x/a PUT body:\(body)", count: count == 0 ? 40 : 1))
    let start =
      "error undecodableBody: The body of PUT http://x/a, sent by action 1, tap e1, is JSON "
    #expect(errors.count == (isError ? 1 : 0))
    if isError { #expect(errors.first?.hasPrefix(start + "nested deeper than 256") == true) }
  }

  @Test("What only a later request without an action can tell is a doubt")
  func doubtfulNaming() throws {
    let scenario = try scenario(
      #""expected": []"#,
      actions: ["", #"{"expectRequests": [{"urlPath": "/a", "count": {"atLeast": 1}}]}"#, ""])
    let errors = try judged(scenario, ["1 http://x/a", "- http://x/a"])
    #expect(errors.count == 1 && errors[0].hasPrefix("error unattributedRequests"))
  }

  @Test(
    "Requests that say no action make sends and expectRequests doubtful where they matter",
    arguments: [
      (["- http://x/a"], true), (["1 http://x/a"], false),
      (["1 http://x/a", "- http://x/b"], true),
      (["1 http://x/a", "1 http://x/a", "- http://x/a"], true),
    ])
  func doubt(requests: [String], isDoubtful: Bool) throws {
    let scenario = try scenario(
      #""expected": [], "unexpected": "allow""#,
      actions: [#", "sends": [{"urlPath": "/a", "count": 1}]"#])
    let errors = try judged(scenario, requests).filter {
      $0.hasPrefix("error unattributedRequests")
    }
    #expect(errors.count == (isDoubtful ? 1 : 0))
  }

  @Test("Unattributed requests that make no difference aren't a doubt")
  func noDoubt() throws {
    let scenario = try scenario(
      #""expected": [{"urlPath": "/a", "count": 2}]"#,
      actions: ["", #"{"expectRequests": [{"urlPath": "/a", "count": {"atLeast": 1}}]}"#])
    #expect(try judged(scenario, ["1 http://x/a", "- http://x/a"]).isEmpty)
    #expect(
      try judged(scenario, ["- http://x/a", "- http://x/a"]).first?.hasPrefix("error") == true)
  }

  @Test("A pattern that takes too long is an error, and hides no surplus")
  func expensivePattern() throws {
    let scenario = try scenario(
      #""expected": [{"urlPattern": "/(a+)+", "count": 0}, {"urlPath": "/b", "count": 0}]"#)
    let long = "1 http://x/" + String(repeating: "a", count: 60) + "!"
    let findings = try judged(scenario, [long, long, "1 http://x/b"])
    #expect(
      findings.map { $0.prefix(24) } == ["error expensivePattern: ", "expected /b: wanted 0, g"])
  }

  @Test("Of endlessly many different requests the first are told apart, all are counted")
  func manyStrays() throws {
    let scenario = try scenario(#""expected": []"#)
    var verification = Verification(scenario: scenario)
    for index in 0..<FindingLimits.unexpectedRequests + 30 {
      verification.observe(recorded("1 http://x/\(index)", time: 0))
    }
    let findings = verification.outcome(completedSteps: .all).findings
    #expect(findings.count == FindingLimits.unexpectedRequests + 1)
    guard case .unexpectedRequest(let last)? = findings.last else {
      Issue.record("The rest is a finding.")
      return
    }
    #expect(last.count == 30 && last.distinctCount == 30)
    #expect(last.occurrences.count == FindingLimits.occurrences)
  }
}
