import Foundation
import ScenarioCore
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("What an app can do wrong becomes an error with its cause", .waitsForPrograms)
struct FaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var fault: String
    var moment = "tap"
    var kind: RunError.Kind
    var message: String
    var timeout = Duration.seconds(600)

    var testDescription: String { "\(fault) at \(moment)" }
  }

  static let cases: [Case] = [
    Case(
      fault: "abort", kind: .crashed,
      message: #"The app was ended by SIGABRT (abort) before it answered "tap"."#),
    Case(
      fault: "segmentationFault", kind: .crashed,
      message: #"The app was ended by SIGSEGV (segmentation fault) before it answered "tap"."#),
    Case(
      fault: "abort", moment: "launch", kind: .crashed,
      message: #"The app was ended by SIGABRT (abort) before it answered "initialize"."#),
    Case(
      fault: "abort", moment: "shutdown", kind: .crashed,
      message: #"The app was ended by SIGABRT (abort) before it answered "shutdown"."#),
    Case(
      fault: "exitWith0", kind: .exitedEarly,
      message: #"The app exited with code 0 before it answered "tap"."#),
    Case(
      fault: "exitWith3", moment: "initialize", kind: .exitedEarly,
      message: #"The app exited with code 3 before it answered "initialize"."#),
    Case(
      fault: "exitWith3AtEnd", kind: .exitedEarly,
      message: "The app exited with code 3 at the end of its stdin; it should exit with 0."),
    Case(
      fault: "answerHalf", kind: .exitedEarly,
      message: #"The app exited with code 0 before it answered "tap"."#),
    Case(
      fault: "hang", kind: .timedOut,
      message: #"The app did not answer "tap" within the scenario's timeout."#,
      timeout: .milliseconds(300)),
    Case(
      fault: "hang", moment: "launch", kind: .timedOut,
      message: #"The app did not answer "initialize" within the scenario's timeout."#,
      timeout: .milliseconds(300)),
    Case(
      fault: "hangIgnoringTermination", kind: .timedOut,
      message: #"The app did not answer "tap" within the scenario's timeout."#,
      timeout: .milliseconds(300)),
    Case(
      fault: "closeOutput", kind: .timedOut,
      message: #"The app did not answer "tap" within the scenario's timeout."#,
      timeout: .milliseconds(300)),
    Case(
      fault: "stayAtEnd", kind: .timedOut,
      message: "The app did not exit at the end of its stdin within the scenario's timeout. "
        + "It should exit with 0 then.", timeout: .milliseconds(300)),
    Case(
      fault: "wrongIdentifier", kind: .protocolViolation,
      message:
        #"The app sent an answer with id 101, while "tap" with id 1 was waiting for its own. "#
        + "Each request gets exactly one answer, with its id."),
    Case(
      fault: "answerTwice", kind: .protocolViolation,
      message: #"The app sent an answer with id 1, while "shutdown" with id 2 was waiting for its "#
        + "own. Each request gets exactly one answer, with its id."),
    Case(
      fault: "answerTwice", moment: "shutdown", kind: .protocolViolation,
      message: "The app sent an answer with id 2 that nothing had asked for. "
        + "Each request gets exactly one answer."),
    Case(
      fault: "answerAhead", kind: .protocolViolation,
      message:
        #"The app answered "shutdown" with id 2 before it was asked. It has to read a request, do "#
        + "what it says, and then answer."),
    Case(
      fault: "errorWithoutCode", kind: .protocolViolation,
      message:
        #"The app's answer to "tap" has an error without a whole number as "code": the app's own "#
        + "fault."),
    Case(
      fault: "standardError", kind: .protocolViolation,
      message: #"The app answered "tap" with error -32603: the app's own fault"#),
    Case(
      fault: "otherProtocolVersion", kind: .protocolViolation,
      message: #"The app's answer to "initialize" names 7 of the dialogue, not version 1."#),
    Case(
      fault: "noVerbs", kind: .unsupportedAction,
      message: #"The app has no action "tap". It has: none."#),
  ]

  @Test("it is errored, with the cause", arguments: cases)
  func fault(_ fault: Case) throws {
    var (suite, timeout) = (try Suite(), fault.timeout)
    var result = try suite.result(fault.fault, at: fault.moment, timeout: timeout)
    // On a busy machine it may not have come to the fault before.
    while fault.kind == .timedOut, result.runErrors.first?.message != fault.message,
      timeout < .seconds(60)
    {
      timeout *= 4
      suite = try Suite()
      result = try suite.result(fault.fault, at: fault.moment, timeout: timeout)
    }
    #expect(result.verdict == .errored)
    #expect(result.runErrors.map(\.kind) == [fault.kind])
    #expect(result.runErrors.first?.message == fault.message)
    if fault.moment == "tap", fault.kind != .unsupportedAction, fault.kind != .protocolViolation,
      !fault.fault.hasSuffix("AtEnd")
    {
      #expect(result.runErrors.first?.step?.title == "tap button")
    }
    #expect(!suite.folder.contents.contains { $0.hasPrefix("scenario-run.") })
  }

  @Test("an app without a fault passes")
  func control() throws {
    let result = try Suite().result("none")
    #expect(result.verdict == .passed)
    #expect(result.findings.isEmpty)
  }

  @Test(
    "a process that the app leaves behind is ended and named",
    arguments: [
      "leaveChild", "leaveDaemon", "leaveChildWithPipes", "leaveNamelessDaemon",
      "leaveFloodingChild", "leaveThreadedChild", "leaveDisguisedDaemon",
    ])
  func leftBehind(fault: String) throws {
    let result = try Suite().result(fault)
    #expect(result.verdict == .errored)
    let error = try #require(result.runErrors.first)
    #expect(error.kind == .leftBehind)
    let named = try #require(
      error.message.firstMatch(
        of: /(?:sleep|setsid|env|sh|timeout|yes|faulty-app) \(process ([0-9]+)\)/))
    let pid = try #require(Int32(named.1))
    #expect(kill(pid, 0) == -1 && errno == ESRCH)
  }

  @Test("a process that ends with the app, a moment later, isn't a fault")
  func endingChild() throws {
    #expect(try Suite().result("leaveEndingChild").verdict == .passed)
  }

  @Test("of several apps at a time the one is errored that left something behind")
  func leftBehindAmongOthers() throws {
    let suite = try Suite()
    let faults = ["leaveNamelessDaemon", "none", "leaveDaemon", "answerTwice"]
    let paths = try (0..<5).flatMap { round in
      try faults.map {
        try suite.scenario([$0, $0 == "answerTwice" ? "never" : "tap", "\(round)"])
      }
    }
    let results = try suite.run(paths, jobs: 4)
    for (result, path) in zip(results, paths) {
      #expect(result.scenario.path == path)
      let isLeaving = path.contains("leave")
      #expect(result.runErrors.map(\.kind) == (isLeaving ? [.leftBehind] : []), "\(path)")
    }
  }

  @Test(
    "a damaged store is an error that shows the line",
    arguments: [
      ("tornStoreLine", #"{"url":"https://a.example.com/"#), ("damagedStoreLine", #"{"url":42}"#),
    ])
  func damagedStore(fault: String, shown: String) throws {
    let result = try Suite().result(fault)
    #expect(result.verdict == .errored)
    #expect(result.runErrors.map(\.kind) == [.damagedStore])
    #expect(result.runErrors.first?.message.contains(shown) == true)
  }

  @Test(
    "a flood of 20 MB is drained, and its beginning and end are kept",
    arguments: ["floodOutput", "floodError"])
  func flood(fault: String) throws {
    let result = try Suite().result(fault, timeout: .seconds(600))
    #expect(result.verdict == .passed)
    let text =
      fault == "floodOutput" ? result.output.standardOutput : result.output.standardError
    #expect(text.omittedBytes > 18_000_000)
    #expect(text.head.count + text.tail.count <= 2 * 64 * 1024)
    #expect(text.head.starts(with: "flood ".utf8))
  }

  @Test(
    "a line that isn't a message is the app's own output",
    arguments: ["garbageOutput", "invalidUTF8Output"])
  func ownOutput(fault: String) throws {
    let result = try Suite().result(fault)
    #expect(result.verdict == .passed)
    #expect(!result.output.standardOutput.isEmpty)
  }

  @Test("the end of stderr is shown with an error")
  func standardErrorTail() throws {
    let result = try Suite().result("exitWith3")
    #expect(result.runErrors.first?.standardErrorTail == ["last words"])
  }

  @Test("an app that closes its stdin is errored")
  func closedInput() throws {
    let result = try Suite().result("closeInput")
    #expect(result.verdict == .errored)
    #expect(result.runErrors.first?.kind == .exitedEarly)
  }

  @Test("an element that is not found is a failure, and what came after is not judged")
  func actionFailed() throws {
    let expected = #"[{"url": "https://a.example.com/", "count": 1}]"#
    let result = try Suite().result("notFoundError", expected: expected)
    #expect(result.verdict == .failed)
    #expect(result.findings.count == 1)
    #expect(result.unjudgedExpectations == 1)
  }

  @Test("a bare URL in the store counts")
  func bareLine() throws {
    let expected = #"[{"url": "https://a.example.com/bare", "count": 1}]"#
    #expect(try Suite().result("appendBareLine", expected: expected).verdict == .passed)
  }

  @Test("a request that nothing expects fails the scenario")
  func unexpected() throws {
    let result = try Suite().result("sendRequest")
    #expect(result.verdict == .failed)
    guard case .unexpectedRequest(let request)? = result.findings.first else {
      Issue.record("another finding: \(result.findings)")
      return
    }
    #expect(request.occurrences.first?.url == "https://a.example.com/sent")
  }
}
