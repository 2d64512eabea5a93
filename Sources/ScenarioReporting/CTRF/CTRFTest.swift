import JSON
import ScenarioCore

/// One result as a test of the Common Test Report Format.
struct CTRFTest {
  private let result: ScenarioResult
  private let name: String
  private let outlet: Outlet
  private let words: FindingText

  /// - Parameter outlet: hides the credentials of the result.
  init(_ result: ScenarioResult, name: String, _ outlet: Outlet) {
    self.result = result
    self.name = outlet.line(name)
    self.outlet = outlet
    words = FindingText(outlet, width: 100)
  }

  var json: JSONValue {
    .object(identity + outcome + ["extra": extra])
  }

  private var identity: JSONObject {
    let scenario = result.scenario
    return [
      // Without the line: it changes whenever the file does.
      "testId": .string("\(scenario.path)#\(name)"), "name": .string(name.isEmpty ? "?" : name),
      "suite": .strings([scenario.path]), "type": "e2e",
      "filePath": .string(scenario.caseFile ?? scenario.path),
      "line": .integer(scenario.position.line),
      "tags": .strings(scenario.tags.map(outlet.line)),
    ]
  }

  private var outcome: JSONObject {
    let retries = result.earlierAttempts
    return execution(result) + [
      "retries": retries.isEmpty ? nil : .integer(retries.count),
      "retryAttempts": retries.isEmpty ? nil : .array(retries.enumerated().map(attempt)),
      "flaky": result.isFlaky ? true : nil, "rawStatus": .string(result.verdict.rawValue),
    ]
  }

  /// What a test and an attempt of it have in common.
  private func execution(_ result: ScenarioResult) -> JSONObject {
    let message = (result.findings + result.warnings).first.map(words.headline)
    return ["status": .string(Self.status(result))]
      + JSONObject(startedAt: result.startedAt, duration: result.duration) + [
        "message": (message ?? result.skipReason.map(outlet.line)).map(JSONValue.string),
        "trace": result.findings.isEmpty && result.warnings.isEmpty
          ? nil : .string(words.text(of: result)),
        "stdout": lines(result.output.standardOutput), "stderr": lines(result.output.standardError),
      ]
  }

  /// The executions before the last, from 1.
  private func attempt(_ index: Int, _ attempt: ScenarioResult) -> JSONValue {
    let line = attempt.findings.first?.location?.position.line
    let further: JSONObject = [
      "line": line.map(JSONValue.integer),
      "extra": [
        "rawStatus": .string(attempt.verdict.rawValue),
        "recordedRequests": .integer(attempt.recordedRequests), "findings": findings(attempt),
        "keptFolder": attempt.keptFolder.map(JSONValue.string),
      ],
    ]
    return .object(["attempt": .integer(index + 1)] + execution(attempt) + further)
  }

  private var extra: JSONValue {
    [
      "runAgain": .string(words.rerunCommand(result)),
      "repetition": result.repetition.map(JSONValue.integer),
      "recordedRequests": .integer(result.recordedRequests),
      "unjudgedExpectations": .integer(result.unjudgedExpectations),
      "keptFolder": result.keptFolder.map(JSONValue.string), "findings": findings(result),
      "warnings": .array(
        result.warnings.map { EventsVersion1.finding($0, in: result.scenario, outlet) }),
      "knownIssue": result.knownIssue.map { .string(outlet.line($0)) },
    ]
  }

  private func findings(_ result: ScenarioResult) -> JSONValue {
    .array(result.findings.map { EventsVersion1.finding($0, in: result.scenario, outlet) })
  }

  /// The format knows no `errored`: `rawStatus` says it.
  private static func status(_ result: ScenarioResult) -> String {
    if result.isKnown { return "other" }
    return switch result.verdict {
    case .passed: "passed"
    case .failed, .errored: "failed"
    case .skipped: "skipped"
    }
  }

  /// Cut as in the JUnit report, and harmless to show.
  private func lines(_ text: CapturedText) -> JSONValue? {
    guard !text.isEmpty else { return nil }
    let shown = TerminalEscapes.removed(
      from: outlet.masked(text).cut(to: JUnitReport.outputLimitBytes))
    let lines = outlet.lines(shown)
    return .strings(lines.last == "" ? lines.dropLast() : lines)
  }
}
