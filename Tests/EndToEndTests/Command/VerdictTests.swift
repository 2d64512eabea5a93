import Foundation
import TestSupport
import Testing

@Suite("Passed means passed", .waitsForPrograms)
struct VerdictTests {
  /// An app that records what the environment says: for action 1 the words of `SEND_1`, three a
  /// request (answer, method, URL); it answers action 2 with an error where `FAIL_2` is set.
  private static let app = #"""
    #!/bin/sh
    set -f
    while IFS= read -r line; do
      id=${line#*\"id\":}; id=${id%%[!0-9]*}
      eval "set -- \$SEND_$id"
      while [ $# -ge 3 ]; do
        echo '{"url":"'"$3"'","method":"'$2'","answer":"'$1'","action":'$id'}'
        shift 3
      done >> "$SIMULATOR_SHARED_RESOURCES_DIRECTORY/storedRequests.jsonl"
      eval "fails=\$FAIL_$id"
      case $line in
        *\"initialize\"*) result='"protocolVersion":1,"app":{"name":"a"},"actions":["tap"]' ;;
        *) result= ;;
      esac
      if [ "$fails" ]
      then echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32005,"message":"not so"}}'
      else echo '{"jsonrpc":"2.0","id":'$id',"result":{'$result'}}'
      fi
    done
    """#

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What the app sends, by action, in the words of `SEND_…`.
    var sent: [Int: String] = [:]
    var failingAction: Int?
    var scenario: String
    var configuration = "{}"
    var code: Int32
    var output: [String] = []

    var files: [String: String] {
      var environment = sent.map { #""SEND_\#($0)": "\#($1)""# }
      if let failingAction { environment.append(#""FAIL_\#(failingAction)": "yes""#) }
      let members = environment.sorted().joined(separator: ", ")
      let stubs = scenario.contains(#""stubs""#) ? "" : #""stubs": "stubs.json", "#
      return [
        "recorder.sh": app, ".scenario-run.json": configuration,
        "Fixtures/stubs.json": #"{"mappings": []}"#,
        "S/a.json":
          #"{"app": "./recorder.sh", \#(stubs)"environment": {\#(members)}, \#(scenario)}"#,
      ]
    }
  }

  private static let tap = #""actions": [{"tap": "a"}]"#
  private static let trackers = #"{"tracking": ["ad.example"]}"#
  private static let click = "https://ad.example/click"

  static let verdicts = [
    Case(
      testDescription: "what must not have come so far is not named by that",
      sent: [2: "default GET \(click)"],
      scenario:
        #""actions": [{"expectRequests": [{"urlPath": "/click", "count": 0}]}, {"tap": "a"}], "expected": []"#,
      code: 1, output: ["unexpected https://ad.example/click"]),
    Case(
      testDescription: "a stubbed request has to be named where nobody says what is tracked",
      sent: [1: "stub GET \(click) stub GET https://api.example/a"],
      scenario: #"\#(tap), "expected": [{"urlPath": "/click", "count": 1}]"#, code: 1,
      output: [
        "unexpected https://api.example/a answered by a stub, and no expectation names it. If it "
          + "tracks nothing, list the hosts of your trackers as \"tracking\" in .scenario-run.json"
      ]),
    Case(
      testDescription: "with the trackers in the configuration, those of the API need not be",
      sent: [1: "stub GET \(click) stub GET https://api.example/a"],
      scenario: #"\#(tap), "expected": [{"urlPath": "/click", "count": 1}]"#,
      configuration: trackers, code: 0),
    Case(
      testDescription: "what a tracker in trouble gets twice is one too many",
      sent: [1: "stub GET \(click)", 2: "fault GET \(click)"],
      scenario:
        #""actions": [{"tap": "a", "sends": [{"url": "\#(click)", "count": 1}]}, {"tap": "b", "sends": []}], "expected": [{"urlPath": "/click", "count": 2}]"#,
      configuration: trackers, code: 1,
      output: [
        #"not among the "sends" of action 2, tap b answered by a stub; its host is in "tracking""#
      ]),
    Case(
      testDescription: "a scenario's own trackers hold in place of the configuration's",
      sent: [1: "stub GET \(click) stub GET https://api.example/a"],
      scenario: #"\#(tap), "expected": [], "tracking": ["api.*"]"#, configuration: trackers,
      code: 1, output: ["FAILED a", "unexpected https://api.example/a"]),
    Case(
      testDescription: "a method that is not written is GET",
      sent: [1: "default POST \(click)"],
      scenario: #"\#(tap), "expected": [{"url": "\#(click)", "count": 1}]"#, code: 1,
      output: [#"method - wanted "GET" + got "POST""#]),
    Case(
      testDescription: "whatever the method, nothing may come where nothing is wanted",
      sent: [1: "default POST \(click)"],
      scenario: #"\#(tap), "expected": [{"url": "\#(click)", "count": 0}]"#, code: 1,
      output: ["wanted 0, got 1 https://ad.example/click POST https://ad.example/click"]),
    Case(
      testDescription: "any method is meant where it is written",
      sent: [1: "default POST \(click)"],
      scenario: #"\#(tap), "expected": [{"method": "ANY", "url": "\#(click)", "count": 1}]"#,
      code: 0),
    Case(
      testDescription: "without expectations, whatever comes is unexpected",
      sent: [1: "default GET \(click)"], scenario: tap, code: 1,
      output: ["unexpected https://ad.example/click"]),
    Case(testDescription: "without expectations, nothing may come", scenario: tap, code: 0),
    Case(
      testDescription: "a fault without stubs was given in place of an answer, which hides nothing",
      sent: [1: "fault GET https://api.example/a"],
      scenario: #"\#(tap), "stubs": [], "expected": []"#, configuration: trackers, code: 1,
      output: ["unexpected https://api.example/a"]),
    Case(
      testDescription: "an action that fails hides no wrong request",
      sent: [1: "default GET \(click)?ad=2"], failingAction: 2,
      scenario:
        #""actions": [{"tap": "a"}, {"tap": "b"}, {"tap": "c"}], "expected": [{"url": "\#(click)?ad=1", "count": 1}]"#,
      code: 1,
      output: [
        "action 2, tap b: not so",
        #"sent instead: https://ad.example/click?ad=2 sent by action 1, tap a parameter ad - wanted "1" + got "2""#,
      ]),
  ]

  static let invalid = [
    Case(
      testDescription: "the same expectation twice", sent: [1: "default GET \(click)"],
      scenario:
        #"\#(tap), "expected": [{"url": "\#(click)", "count": 1}, {"count": 1, "url": "\#(click)"}]"#,
      code: 3, output: ["The same expectation is in this list twice"]),
    Case(
      testDescription: "the same expectation twice but for what the configuration sets aside",
      sent: [1: "default GET \(click)?ts=3"],
      scenario:
        #"\#(tap), "expected": [{"url": "\#(click)?ts=1", "count": 1}, {"url": "\#(click)?ts=2", "count": 1}]"#,
      configuration: #"{"volatileParameters": ["ts"]}"#, code: 3,
      output: ["The same expectation is in this list twice"]),
    Case(
      testDescription: "what is done no times",
      scenario:
        #""actions": [{"tap": "a"}, {"repeat": 0, "actions": [{"tap": "b"}]}], "expected": []"#,
      code: 3, output: [#""repeat": expected a whole number from 1 to"#]),
    Case(
      testDescription: "all parameters set aside",
      scenario: #"\#(tap), "expected": [], "volatileParameters": ["*"]"#, code: 3,
      output: [#""*" sets every query parameter aside"#]),
    Case(
      testDescription: "all parameters set aside by the configuration",
      scenario: #"\#(tap), "expected": []"#, configuration: #"{"volatileParameters": ["*"]}"#,
      code: 2, output: [#""*" sets every query parameter aside"#]),
    Case(
      testDescription: "neither actions nor expectations",
      scenario: #""actions": [], "expected": []"#, code: 3,
      output: ["The scenario has neither actions nor expectations"]),
    Case(
      testDescription: "no actions, and nothing said of expectations", scenario: #""actions": []"#,
      code: 3, output: ["The scenario has neither actions nor expectations"]),
    Case(
      testDescription: "a tracker as it is in no request",
      scenario: #"\#(tap), "tracking": ["*.münchen.x"]"#, code: 3,
      output: [
        #""*.münchen.x" is in the host of no request: hosts are sent in ASCII"#,
        #"did you mean "*.xn--mnchen-3ya.x"?"#,
      ]),
    Case(
      testDescription: "a tracker as it is in no request, in the configuration",
      scenario: #"\#(tap), "expected": []"#, configuration: #"{"tracking": ["münchen.x"]}"#,
      code: 2,
      output: [#"did you mean "xn--mnchen-3ya.x"?"#]),
    Case(
      testDescription: "an environment that says what the fixtures say", sent: [1: "x"],
      scenario: #"\#(tap), "expected": [], "fixtures": {"SEND_1": "stubs.json"}"#, code: 3,
      output: [#""SEND_1" is set by "environment" and by "fixtures""#]),
    Case(
      testDescription: "a body without a method",
      scenario:
        #"\#(tap), "expected": [{"urlPath": "/click", "bodyPatterns": [{"contains": "x"}], "count": 1}]"#,
      code: 3, output: [#"An expectation with "bodyPatterns" must say its "method""#]),
    Case(
      testDescription: "nothing said of what counting sends",
      scenario:
        #""actions": [{"expectRequests": [{"urlPath": "/a", "count": 0}], "sends": []}], "expected": []"#,
      code: 3, output: [#""sends" does not stand beside "expectRequests""#]),
  ]

  @Test("of a run", arguments: verdicts)
  func verdict(sample: Case) throws {
    let folder = try ShellFolder(sample.files)
    defer { folder.remove() }
    let outcome = try folder.bash("$RUN S")
    #expect(outcome.exitCode == sample.code, "\(outcome.output)\(outcome.errors)")
    let words = outcome.output.split(separator: " ").joined(separator: " ")
    for text in sample.output { #expect(words.contains(text)) }
  }

  @Test("so that what proves nothing is an error, in validate and in a run", arguments: invalid)
  func errors(sample: Case) throws {
    let folder = try ShellFolder(sample.files)
    defer { folder.remove() }
    for command in ["$RUN validate S", "$RUN S"] {
      let outcome = try folder.bash(command)
      #expect(outcome.exitCode == sample.code, "\(command): \(outcome.output)")
      for text in sample.output { #expect(outcome.errors.contains(text)) }
    }
  }

  @Test(
    "and a warning is a pass, unless warnings are to fail",
    arguments: [("", 0, "1 passed (1 with warnings)"), ("--strict", 1, "1 failed")])
  func warning(option: String, code: Int32, counts: String) throws {
    let sample = Case(
      testDescription: "", sent: [1: "default GET \(Self.click)"],
      scenario: #"\#(Self.tap), "expected": [], "unexpected": "warn""#, code: code)
    let folder = try ShellFolder(sample.files)
    defer { folder.remove() }
    let outcome = try folder.bash("$RUN S --quiet \(option)")
    #expect(outcome.exitCode == code)
    #expect(outcome.output.contains(counts) && outcome.output.contains(Self.click))
  }

  @Test(
    "and so is a warning of a file, which every report has",
    arguments: [
      ("$RUN S", 0, "WARNING a"), ("$RUN S --strict", 1, "FAILED a"),
      ("$RUN validate S", 0, "valid"),
      ("$RUN validate S --strict", 1, ""), ("$RUN S/b.json --strict", 0, "1 passed in"),
      // The file is looked at all the same.
      ("$RUN S --filter b --strict", 1, "1 passed, 1 doubtful file in"),
    ])
  func fileWarning(command: String, code: Int32, output: String) throws {
    var files = Case(
      testDescription: "",
      scenario: #"\#(Self.tap), "expected": [{"url": "ad.example", "count": 0}]"#,
      code: code
    ).files
    files["S/b.json"] = #"{"app": "./recorder.sh", "actions": [{"tap": "b"}]}"#
    let folder = try ShellFolder(files)
    defer { folder.remove() }
    let reports = ["junit", "html", "ctrf", "events"]
    let options = command.contains("validate") ? "" : reports.map { " --\($0) r-\($0)" }.joined()
    let outcome = try folder.bash("\(command)\(options)")
    let warning = #"is neither an absolute URL nor a path"#
    #expect(outcome.exitCode == code, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains(warning) == !command.contains("b.json"))
    let words = outcome.output.split(separator: " ").joined(separator: " ")
    #expect(output.isEmpty ? words.isEmpty : words.contains(output))
    guard ["$RUN S", "$RUN S --strict"].contains(command) else { return }
    #expect(outcome.output.contains(warning))
    for report in reports {
      #expect(try folder.bash("cat r-\(report)").output.contains(warning), "\(report)")
    }
  }

  @Test(
    "and a known issue may fail, until it is fixed", arguments: ["", "--fail-fast --retries 2"])
  func knownIssue(options: String) throws {
    let folder = try ShellFolder([
      "recorder.sh": Self.app,
      "a.json": """
      {"app": "./recorder.sh", "environment": {"SEND_1": "${sent}"},
       "cases": [
         {"name": "known", "sent": "default GET \(Self.click)", "knownIssue": "SHOP-7"},
         {"name": "passing", "sent": ""},
         {"name": "fixed", "sent": "", "knownIssue": "SHOP-8"}
       ], "actions": [{"tap": "a"}], "expected": []}
      """,
    ])
    defer { folder.remove() }
    let run = "$RUN --jobs 1 --junit r.xml \(options)"
    #expect(try folder.bash("\(run) a.json:3 a.json:4").exitCode == 0)
    #expect(try folder.bash("grep -c '<skipped message=.known issue: SHOP-7' r.xml").output == "1 ")
    let outcome = try folder.bash("\(run) a.json")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("known    a [known]  TIME  SHOP-7"), "\(outcome.output)")
    #expect(outcome.output.contains(#"it passes now: remove "knownIssue", which says "SHOP-8""#))
    #expect(outcome.output.contains("1 passed, 1 failed, 1 known issue in TIME"))
    #expect(!outcome.output.contains("tried again"))
  }

  @Test("and a known issue is neither kept nor does it hide anything by warnings that are to fail")
  func strictKnownIssue() throws {
    func table(_ cases: String...) -> String {
      """
      {"app": "./recorder.sh", "environment": {"SEND_1": "default GET \(Self.click)"},
       "fixtures": {"F": "f.json"}, "actions": [{"tap": "a"}], "unexpected": "allow",
       "cases": [\(cases.joined(separator: ", "))], "expected": [{"url": "${url}", "count": 1}]}
      """
    }
    let (known, passing) = (
      #"{"url": "https://ad.example/none", "knownIssue": "SHOP-8"}"#, #"{"url": "\#(Self.click)"}"#
    )
    let app = Self.app.replacing(#""actions":["tap"]"#, with: #""actions":["tap"],"asked":[]"#)
    let folder = try ShellFolder([
      "recorder.sh": app, "Fixtures/f.json": "{}",
      "fixed.json": """
      {"app": "./recorder.sh", "environment": {"SEND_1": "default GET \(Self.click)"},
       "knownIssue": "SHOP-7", "unexpected": "warn", "actions": [{"tap": "a"}], "expected": []}
      """,
      "last.json": table(passing, known), "first.json": table(known, passing),
    ])
    defer { folder.remove() }
    for option in ["", "--strict"] {
      let fixed = try folder.bash("$RUN fixed.json \(option)")
      #expect(fixed.exitCode == 1)
      #expect(fixed.output.contains(#"it passes now: remove "knownIssue", which says "SHOP-7""#))
      #expect(fixed.output.contains("unexpected"))
      // What no case uses is no case's own issue, whichever ends last.
      for file in ["last.json", "first.json"] {
        let outcome = try folder.bash("$RUN --jobs 1 \(file) \(option)")
        #expect(outcome.exitCode == (option.isEmpty ? 0 : 1), "\(outcome.output)")
        #expect(outcome.output.contains(#"The app never asked for the launch key "F""#))
      }
    }
  }

  @Test(
    "and what an answer says and can't be read isn't left out in silence",
    arguments: [
      (#""clock":"0.001""#, #""clock", which has to be a number"#),
      (#""asked":"F""#, #""asked", which has to be a list of strings"#),
      (#""unseen":["threads",1]"#, #""unseen", which has to be a list of strings"#),
      (#""undecodable":["F"]"#, #""undecodable", which has to be a list of objects"#),
      (#""timers":2"#, #""timers", which has to be an object"#), (#""clock":null"#, ""),
    ])
  func answerShape(member: String, message: String) throws {
    let folder = try ShellFolder([
      "recorder.sh": Self.app.replacing(
        #""actions":["tap"]"#, with: #""actions":["tap"],\#(member)"#),
      "a.json": #"{"app": "./recorder.sh", "actions": [{"tap": "a"}], "expected": []}"#,
    ])
    defer { folder.remove() }
    let outcome = try folder.bash("$RUN a.json")
    #expect(outcome.exitCode == (message.isEmpty ? 0 : 1))
    let start = #"The app's answer to "initialize" says "#
    #expect(message.isEmpty || outcome.output.contains(start + message), "\(outcome.output)")
  }

  @Test("and a line that isn't quite an answer is shown")
  func almostAnAnswer() throws {
    let folder = try ShellFolder([
      "recorder.sh": Self.app.replacing(
        #""jsonrpc":"2.0","id":'$id',"result":{'$result'}"#,
        with: #""id":'$id',"result":{'$result'}"#),
      "a.json": #"{"app": "./recorder.sh", "actions": [{"tap": "a"}], "timeout": 1}"#,
    ])
    defer { folder.remove() }
    let outcome = try folder.bash("$RUN a.json")
    #expect(
      outcome.output.contains(
        #"timeout. It wrote a line that looks like an answer and isn't one: {"id":0,"result":{"#),
      "\(outcome.output)")
    #expect(outcome.output.contains(#"as {"jsonrpc":"2.0","id":0,"result":{}}."#))
  }

  @Test("and a line beside all cases runs none of them", arguments: ["", "validate ", "list "])
  func line(subcommand: String) throws {
    let folder = try ShellFolder([
      "a.json": """
      {"app": "./app.sh",
       "cases": [
         {"name": "one"},
         {"name": "two"}
       ], "actions": [{"tap": "a"}], "expected": []}
      """
    ])
    defer { folder.remove() }
    #expect(try folder.bash("$RUN \(subcommand)a.json:4").exitCode == 0)
    let outcome = try folder.bash("$RUN \(subcommand)a.json:5")
    #expect(outcome.exitCode == 2)
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == #"scenario-run: No case is on line 5 of "a.json": they begin on lines 3, 4. "#
        + "Name one of these, or the file without a line. ")
  }

  @Test(
    "by one kind of regular expression, whatever is matched",
    arguments: [
      (#"\\d"#, "٣", 1), (#"\\d"#, "3", 0), (".*", #"a\nb"#, 0), ("a", #"a\n"#, 1),
      ("a)(b", "ab", 3),
    ] as [(String, String, Int32)])
  func expressions(pattern: String, text: String, code: Int32) throws {
    let folder = try ShellFolder([
      "a.json": """
      {"app": "demo-app", "arguments": ["-screen", "books"], "actions": [
        {"typeText": "\(text)", "into": "searchField"},
        {"assertText": "searchField", "matches": "\(pattern)"}], "expected": []}
      """
    ])
    defer { folder.remove() }
    let outcome = try folder.bash("$RUN a.json")
    #expect(outcome.exitCode == code, "\(outcome.output)\(outcome.errors)")
  }
}
