import ScenarioCore
import ScenarioReporting
import SourceText
import Testing

@Suite struct ScenarioExplanationTests {
  private struct NoFiles: FileAccess {
    func bytes(ofFile path: String, limitBytes: Int) throws -> [UInt8] { throw FileFault.missing }
    func kind(of path: String) -> FileKind? { nil }
    func resolved(_ path: String) -> String? { path }
    func names(inFolder path: String) -> [String] { [] }
  }

  private func explanation(_ text: String) -> String {
    let output = ScenarioDecoder(files: NoFiles()).decode(
      SourceFile(path: "cart.json", text: text))
    #expect(DiagnosticRenderer().render(output.diagnostics) == "")
    return output.scenarios.map { scenario in
      ScenarioExplanation.lines(of: scenario).map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  @Test("A scenario is told in plain sentences")
  func whole() {
    #expect(
      explanation(
        """
        {
          "name": "Cart", "description": "The cart button is counted.", "tags": ["ads", "search"],
          "app": ["demo-app", "-v"], "arguments": ["-reset"],
          "fixtures": {"FakeSearch": "A.json"}, "stubs": ["B.json", "C.json"],
          "environment": {"LOCALE": "ko_KR"},
          "actions": [
            {"launch": true, "sends": [{"url": "/start", "count": 1}]},
            {"tap": "SearchResults/cell:Item[0]/cart",
             "sends": [{"url": "https://ad.example.com/click?area=cart", "count": 1}]},
            {"waitForExistence": "toast", "timeout": 2, "sends": []},
            {"repeat": 3, "actions": [{"swipe": "up", "on": "list"}],
             "sends": [{"urlPath": "/impression", "count": {"atLeast": 2}}]},
            {"typeText": "swift", "into": "field"}, {"clearText": "field"},
            {"assertText": "button:title", "contains": "Swift"},
            {"openURL": "app://home"}, {"setNetwork": "offline"}, {"advanceClock": 1},
            {"push": {"aps": {"alert": {"title": "News"}}}, "tapped": false},
            {"perform": "logIn", "with": {"user": 1}, "name": "Log in"},
            {"expectRequests": [{"url": "/x", "count": 2}]},
            {"terminate": true}, {"relaunch": true}
          ],
          "expected": [
            {"method": "POST", "urlPath": "/x", "host": "a", "count": {"atLeast": 1, "atMost": 2},
             "queryParameters": {"ad": {"equalTo": "A-1"}}, "otherParameters": false,
             "headers": {"X": {"and": [{"contains": "x"}, {"or": [{"equalTo": "ex", "caseInsensitive": true}, {"not": {"absent": true}}]}]},
               "Cookie": {"hasExactly": [{"equalTo": "secret"}, {"contains": "s"}]}},
             "cookies": {"c": {"includes": [{"equalTo": "secret"}]}},
             "bodyPatterns": [{"equalToJson": {"b": [1], "a": "x"}, "ignoreArrayOrder": true, "ignoreExtraElements": true},
               {"matchesJsonPath": "$.a"}, {"matchesJsonPath": {"expression": "$.b[0]", "contains": "1"}}]},
            {"urlPattern": "/y.*", "count": 0}
          ],
          "volatileParameters": ["ts", "r*"], "tracking": ["ad.example.com"], "timeout": 1.5
        }
        """) == """
          Cart
          ====
          The cart button is counted.
          Tags: ads, search.

          At the start
            The app "demo-app" is launched with the arguments -v -reset.
            This sends, and nothing else:
              - exactly 1 GET request to /start
            FakeSearch is faked with the file A.json.
            Requests to the network are answered from B.json and C.json.
            LOCALE is "ko_KR".

          What the user does
            1. Tap "cart" in the 1st cell "Item" in "SearchResults".
               This sends, and nothing else:
                 - exactly 1 GET request to https://ad.example.com/click?area=cart
            2. Wait until "toast" is there, 2 seconds at most.
               This sends nothing.
            3 to 5. Swipe up on "list". (3 times, one after the other)
            6. Type "swift" into "field".
            7. Empty "field".
            8. Check that the text of the button "title" contains "Swift".
            9. Open the link app://home.
            10. Lose the connection to the network.
            11. Let 1 second pass on the app's clock.
            12. Receive the push notification "News", without opening it.
            13. Log in: Do the app's own action "logIn" with {"user":1}.
            14. Check what has been sent since the launch:
                 - exactly 2 GET requests to /x
            15. End the app.
            16. Start the app anew.
            Together, 3 to 5 send:
              - at least 2 GET requests to the path /impression

          What must have been sent in the end
            - 1 to 2 POST requests to the path /x (host a) where the parameter "ad" is "A-1", there is no other parameter, the header "X" contains "x" and (is "ex" in capitals or not or not (is absent)), the header "Cookie" has exactly these values: "secret", one that contains "s", the cookie "c" has these values, maybe among others: "secret", the body is the JSON {"b":[1],"a":"x"} in any order, maybe with more, the body has $.a and the body at $.b[0] contains "1"
            - no request to a URL like /y.*
            Any other request that no stub answers, and any other to ad.example.com, makes the scenario fail.
            The value of ts and r* in a URL does not matter.
            All of it may take 1.5 seconds.

          """)
  }

  @Test("A scenario without actions and expectations says so")
  func empty() {
    #expect(
      explanation(#"{"actions": [], "expected": [], "unexpected": "allow", "skip": "not yet"}"#)
        == """
        cart
        ====
        It is not run: not yet

        At the start
          The app is launched.

        What the user does
          Nothing: the app is only launched.

        What must have been sent in the end
          No request is named.
          Other requests are allowed.

        """)
  }
}
