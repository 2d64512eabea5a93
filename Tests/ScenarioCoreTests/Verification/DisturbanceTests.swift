import HarnessProtocol
import JSON
import ScenarioCore
import Testing

@Suite("What is judged where answers fail on purpose")
struct DisturbanceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The members of the three taps, or whole actions.
    var actions = ["", "", ""]
    var members: String
    /// As `recorded` reads them, with `end:…` and `clock:…`.
    var requests: [String]
    /// After which action the app was killed, and when.
    var kill: (action: Int, clock: Double)?
    var findings: [String] = []
  }

  private static let click = "https://t.example/click"
  private static let oneClick = #", "sends": [{"url": "\#(click)", "count": 1}]"#
  private static let expected = #""tracking": ["t.example"], "expected": "#
  private static let billedTwice = "expected \(click): wanted at most 1, got 2 delivered [@1 @1]"

  private static let rows = [
    Row(
      testDescription: "What went nowhere and is sent again with the next counts for both",
      actions: [oneClick, oneClick, ""], members: expected + "[]",
      requests: ["1 \(click) end:notConnectedToInternet", "2 \(click)", "2 \(click)"]),
    Row(
      testDescription: "What several actions send together is the most that may arrive",
      actions: [oneClick, oneClick, ""], members: expected + "[]",
      requests: ["1 \(click) end:networkConnectionLost", "2 \(click)", "2 \(click)"],
      findings: ["expected \(click): wanted at most 2, got 3 delivered [@1 @2 @2]"]),
    Row(
      testDescription: "The sends of a group say all that is inside",
      actions: [
        #"{"repeat": 2, "sends": [{"url": "\#(click)", "count": 2}], "actions": [{"tap": "a"\#(oneClick)}]}"#
      ], members: expected + "[]", requests: ["1 \(click)", "2 \(click)", "2 \(click)"],
      findings: ["expected \(click): wanted at most 2, got 3 delivered [@1 @2 @2]"]),
    Row(
      testDescription: "Another pattern of another action may have asked for it",
      actions: [oneClick, #", "sends": [{"urlPath": "/click", "count": 1}]"#, ""],
      members: expected + "[]", requests: ["1 \(click)", "1 \(click)"]),
    Row(
      testDescription: "Patterns of one action allow what each allows",
      actions: [
        #", "sends": [{"url": "\#(click)", "count": 1}, {"urlPath": "/click", "count": 1}]"#
      ], members: expected + "[]", requests: ["1 \(click)", "1 \(click)"],
      findings: [
        "expected \(click): wanted at most 1, got 2 delivered [@1 @1]",
        "expected /click: wanted at most 1, got 2 delivered [@1 @1]",
      ]),
    Row(
      testDescription: "What an action without sends may have sent is judged by expected",
      actions: [oneClick, "", ""], members: expected + #"[{"url": "\#(click)", "count": 2}]"#,
      requests: ["1 \(click)", "2 \(click)"]),
    Row(
      testDescription: "What several sends want delivered has to be",
      actions: Array(
        repeating: #", "sends": [{"url": "\#(click)", "delivered": 1}]"#, count: 2),
      members: expected + "[]", requests: ["1 \(click) end:500", "2 \(click)"],
      findings: ["expected \(click): wanted 2, got 1 delivered [@2]"]),
    Row(
      testDescription: "A page of an API may be asked for again",
      members: expected + #"[{"url": "https://a.example/page", "count": 1}]"#,
      requests: [
        "1 https://a.example/page stub end:networkConnectionLost", "1 https://a.example/page stub",
      ]),
    Row(
      testDescription: "An order of an API may not, nor what no stub answers",
      members: expected
        + #"[{"method": "POST", "url": "https://a.example/order", "count": 1}, {"url": "https://a.example/b", "count": 1}]"#,
      requests: [
        "1 https://a.example/order POST stub", "1 https://a.example/order POST stub",
        "1 https://a.example/b", "1 https://a.example/b",
      ],
      findings: [
        "expected POST https://a.example/order: wanted at most 1, got 2 delivered [@1 @1]",
        "expected https://a.example/b: wanted at most 1, got 2 delivered [@1 @1]",
      ]),
    Row(
      testDescription:
        "Without a network nothing arrives, though the app is killed before it hears so",
      members: expected + #"[{"url": "\#(click)", "delivered": 1}]"#,
      requests: ["1 \(click) offline", "1 \(click)"], kill: (1, 1)),
    Row(
      testDescription: "What a tap led to must not come again after a restart",
      members: expected + #"[{"url": "\#(click)", "count": 1}]"#,
      requests: ["1 \(click) clock:1", "1 \(click) clock:3"], kill: (1, 2), findings: [billedTwice]),
    Row(
      testDescription: "What a launch sends comes again with each launch",
      members: expected + #"[{"url": "\#(click)", "count": 1}]"#,
      requests: ["0 \(click) clock:1", "1 \(click) clock:3"], kill: (1, 2)),
    Row(
      testDescription: "A launch may not send twice what comes once with each launch",
      members: expected + #"[{"url": "\#(click)", "count": 1}]"#,
      requests: ["0 \(click) clock:1", "1 \(click) clock:3", "1 \(click) clock:3"], kill: (1, 2),
      findings: ["expected \(click): wanted at most 1, got 2 delivered [@launch @1]"]),
    Row(
      testDescription: "A screen that is shown anew is seen anew",
      actions: ["", #"{"advanceClock": 1}"#, #"{"advanceClock": 1}"#],
      members: expected + #"[{"url": "\#(click)", "count": 1}]"#,
      requests: ["2 \(click) clock:1", "3 \(click) clock:3"], kill: (2, 2)),
    Row(
      testDescription: "What came with time must not be sent by the next launch",
      actions: ["", #"{"advanceClock": 1}"#, ""],
      members: expected + #"[{"url": "\#(click)", "count": 1}]"#,
      requests: ["2 \(click) clock:1", "2 \(click) clock:3"], kill: (2, 2),
      findings: ["expected \(click): wanted at most 1, got 2 delivered [@2 @2]"]),
    Row(
      testDescription: "What must be delivered is counted whoever sends it",
      members: expected + #"[{"url": "\#(click)", "delivered": 1}]"#,
      requests: ["0 \(click) clock:1", "1 \(click) clock:3"], kill: (1, 2),
      findings: ["expected \(click): wanted 1, got 2 delivered [@launch @1]"]),
    Row(
      testDescription: "An event is of the process that tracked it, whichever sent it",
      members: EventVerificationTests.decoders.replacing(#""id": "$.id""#, with: #""time": "$.t""#)
        + "," + expected + #"[{"event": "click", "count": 1}]"#,
      requests: [
        #"0 https://t.example/e POST clock:1 body:[{"n":"click","t":0.100}]"#,
        #"1 https://t.example/e POST clock:3 body:[{"n":"click","t":1.500}]"#,
      ], kill: (1, 2),
      findings: [#"expected event "click": wanted at most 1, got 2 delivered [@launch @1]"#]),
  ]

  @Test("what costs something when it comes twice is counted, and nothing else", arguments: rows)
  func judged(_ row: Row) throws {
    let scenario = try scenario(row.members, actions: row.actions)
    var taken = TakenSchedule(Schedule())
    if let kill = row.kill { taken.take(["restart": true], after: kill.action, clock: kill.clock) }
    let times = ActionTimes(startDate: 0, ends: [(0, 0.5), (1, 10)])
    var verification = Verification(
      scenario: scenario, times: times, isDisturbed: true, taken: taken)
    for (index, text) in row.requests.enumerated() {
      let words = text.split(separator: " ").map(String.init)
      func value(_ name: String) -> String? {
        words.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
      }
      let plain = words.filter { !$0.hasPrefix("end:") && !$0.hasPrefix("clock:") }
      var request = recorded(plain.joined(separator: " "), time: Double(index))
      request.clock = value("clock:").flatMap(Double.init)
      request.end = value("end:").map { Int($0).map(RequestEnd.status) ?? .error($0) }
      verification.observe(request)
    }
    #expect(texts(of: verification.outcome(completedSteps: .all).findings) == row.findings)
  }

  @Test(
    "What a late answer leads to is of the action whose sends expects it, or else that has none",
    arguments: [true, false], [true, false])
  func late(_ isLate: Bool, _ hasSends: Bool) throws {
    func sends(_ path: String) -> String {
      #", "sends": [{"url": "https://t.example/\#(path)", "count": 1}]"#
    }
    let scenario = try scenario(
      #""expected": [{"urlPattern": "https://t.example/[bc]", "count": 2}]"#,
      actions: [sends("a"), hasSends ? sends("b") : "", ""])
    var taken = TakenSchedule(Schedule())
    taken.take(
      [
        "requests": [["method": "GET", "url": "https://t.example/a", "action": 1]],
        "answers": [
          ["request": 1, "held": [1], "action": 1, "during": 2, "began": 1.5, "clock": 2.5]
        ],
      ], after: 2)
    var verification = Verification(scenario: scenario, taken: isLate ? taken : nil)
    for (url, clock) in [("a", 1.0), ("b", 2.0), ("c", 3.0)] {
      var request = recorded("\(url == "c" ? 3 : 1) https://t.example/\(url)", time: clock)
      request.clock = clock
      verification.observe(request)
    }
    let findings = texts(of: verification.outcome(completedSteps: .all).findings)
    #expect(findings.isEmpty == isLate, "\(findings)")
  }
}
