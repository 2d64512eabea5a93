import Foundation
import HarnessProtocol
import SourceText

@testable import ScenarioCore
@testable import ScenarioReporting

/// Results of every kind, with text that means harm.
enum Samples {
  /// Markup, an XML-forbidden character, terminal escapes, a line break and a change of direction.
  static let hostile = "<&\">]]>'\u{1}\u{1B}[2J\u{1B}]0;title\u{7}\nline\u{202E}é한"

  static let file = SourceFile(
    path: "Scenarios/cart.json", text: "{\n  \"actions\": [],\n  \"expected\": []\n}\n")

  static let location = SourceLocation(file: file, range: 4..<13)

  static let step = StepReference(id: 2, title: "tap cartButton", location: location)

  static func result(
    _ index: Int = 0, _ name: String = "Cart", caseName: String? = nil,
    verdict: Verdict = .passed, findings: [Finding] = [], output: AppOutput = AppOutput(),
    earlier: [ScenarioResult] = []
  ) -> ScenarioResult {
    ScenarioResult(
      index: index,
      scenario: ScenarioReference(
        path: "Scenarios/cart.json", position: SourcePosition(line: 1, column: 1),
        scenarioName: name, caseName: caseName, tags: ["ads"]),
      verdict: verdict, findings: findings, startedAt: Date(timeIntervalSince1970: 1_800_000_000),
      duration: .milliseconds(1234), skipReason: verdict == .skipped ? hostile : nil,
      output: output, earlierAttempts: earlier)
  }

  static let wrongCount = Finding.wrongCount(
    WrongCount(
      scope: .sends(step), pattern: "https://ad.example.com/click?ad=A-1&area=cart",
      wanted: .exactly(1), got: 0, location: location,
      nearMisses: [
        NearMiss(
          request: RequestOccurrence(
            method: "GET", url: "https://ad.example.com/click?ad=A-1&area=item", time: 0.0314,
            cause: .step(step)),
          differences: [
            Difference(part: .queryParameter("area"), wanted: "cart", got: "item")
          ])
      ]))

  static let duplicate = Finding.wrongCount(
    WrongCount(
      scope: .expected, pattern: "https://ad.example.com/click", wanted: .exactly(1), got: 2,
      location: location,
      matched: [
        RequestOccurrence(url: "https://ad.example.com/click", time: 0.01, cause: .launch),
        RequestOccurrence(url: "https://ad.example.com/click", time: 0.02, cause: .step(step)),
      ]))

  static let unexpected = Finding.unexpectedRequest(
    UnexpectedRequest(
      count: 2,
      occurrences: [
        RequestOccurrence(
          method: "POST", url: "https://ad.example.com/\(hostile)", time: 1, cause: .step(step))
      ]))

  static let actionFailed = Finding.actionFailed(
    ActionFailure(
      step: step,
      error: RPCError(
        .elementNotFound, "No element \(hostile).",
        data: ["onScreen": [.string("Window \(hostile)")]])))

  static let crashed = Finding.runError(
    RunError(
      .crashed, "The app was ended by SIGSEGV.", step: step,
      standardErrorTail: ["Fatal error: \(hostile)"]))

  /// A launch, an action with four requests, and the end of the app, which answered with an error.
  static var trace: Trace {
    var trace = Trace(.all)
    trace.begin(.launch, id: 0)
    trace.begin(.step(step), id: 2)
    trace.note {
      $0.screen = Screen([
        ScreenElement(
          type: "window", identifier: "Search", label: "for s3cret-token",
          children: [
            ScreenElement(
              type: "button", identifier: "cartButton", label: "Cart", value: "1", isEnabled: false,
              isVisible: false)
          ])
      ])
      ($0.clock, $0.pendingTimers, $0.nextTimer, $0.askedKeys) = (1.5, 2, 9, ["FakeKey"])
    }
    trace.begin(.shutdown, id: 3)
    trace.note { $0.error = RPCError(.elementNotFound, "No element.", data: ["onScreen": []]) }
    // The cut goes through the secret.
    let long =
      String(repeating: "a", count: TraceVersion1.bodyLimitBytes - 6) + "s3cret-token, b, c."
    let url = "https://ad.example.com/"
    let headers = ["Authorization": "Bearer s3cret-token"]
    for request in [
      RecordedRequest(url: url + "1", action: 2, clock: 1, answer: .stub, end: .status(503)),
      RecordedRequest(
        url: url + "2", method: "POST", headers: headers,
        body: Array(#"{"who":"s3cret-token"}"#.utf8),
        action: 2),
      RecordedRequest(url: url + "3", method: "POST", body: Array(long.utf8), action: 2),
      RecordedRequest(url: url + "4", method: "POST", body: [0xFF, 0xFE], action: 2),
      RecordedRequest(url: url + "5", end: .error("timedOut")),
    ] {
      trace.add(request)
    }
    return trace
  }

  static let output = AppOutput(
    standardOutput: CapturedText(head: Array("out \(hostile)".utf8)),
    standardError: CapturedText(head: [0xFF, 0xFE], omittedBytes: 5, tail: Array("end".utf8)))

  /// A run with a result of every kind.
  static var run: RunResult {
    let results = [
      result(0), result(1, verdict: .failed, findings: [wrongCount, duplicate], output: output),
      result(2, verdict: .failed, findings: [unexpected, actionFailed]),
      result(3, "Crash \(hostile)", verdict: .errored, findings: [crashed]),
      result(4, verdict: .skipped),
      result(5, "Flaky", earlier: [result(5, "Flaky", verdict: .failed, findings: [duplicate])]),
      result(
        6, "Again", caseName: "one", verdict: .failed, findings: [duplicate],
        earlier: [result(6, "Again", verdict: .errored, findings: [crashed])]),
    ]
    return fold(results)
  }

  static func events(
    _ results: [ScenarioResult], failsOnFlaky: Bool = false, shard: Shard? = nil
  ) -> [RunEvent] {
    let header = RunHeader(
      version: "1", startedAt: Date(timeIntervalSince1970: 1_800_000_000),
      scenarioCount: results.count, jobs: 1, shard: shard,
      whole: shard.map { _ in
        ShardedWhole(fingerprint: "f", scenarioCount: results.count)
      }, failsOnFlaky: failsOnFlaky)
    return [.runStarted(header)]
      + results.flatMap {
        [RunEvent.scenarioStarted($0.scenario, attempt: 1), .scenarioFinished($0)]
      } + [.runFinished(endedAt: Date(timeIntervalSince1970: 1_800_000_009), duration: .seconds(9))]
  }

  static func fold(
    _ results: [ScenarioResult], failsOnFlaky: Bool = false, shard: Shard? = nil
  ) -> RunResult {
    var result = RunResult()
    for event in events(results, failsOnFlaky: failsOnFlaky, shard: shard) { result.apply(event) }
    return result
  }
}
