import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import SourceText

/// Version 1 of the events as others read them.
///
/// Events inside the package change as they like; what stands here may only grow, and anything else is
/// a new version beside this one. `TheEventStream.md` describes it for its readers.
enum EventsVersion1 {
  private static let version = 1

  /// - Parameters:
  ///   - result: the run so far, the event included.
  ///   - time: since the run started.
  ///   - outlet: what hides credentials in what the app wrote; all else is masked where it is written.
  static func record(
    _ event: RunEvent, _ result: RunResult, at time: Duration, _ outlet: Outlet = Outlet()
  ) -> JSONValue {
    let (kind, members) = content(of: event, result, outlet)
    return line(kind, at: .seconds(time), members)
  }

  static func line(_ kind: String, at time: JSONValue, _ members: JSONObject) -> JSONValue {
    .object(["version": .integer(version), "kind": .string(kind), "time": time] + members)
  }

  private static func content(
    of event: RunEvent, _ result: RunResult, _ outlet: Outlet
  ) -> (String, JSONObject) {
    switch event {
    case .runStarted(let header): ("runStarted", ["run": run(header)])
    case .diagnosed(let fault): ("diagnosed", ["diagnostic": diagnostic(fault)])
    case .planned(let count): ("planned", ["scenarioCount": .integer(count)])
    case .scenarioStarted(let started, let attempt):
      ("scenarioStarted", ["scenario": scenario(started), "attempt": .integer(attempt)])
    case .stepStarted(let running, let step):
      ("actionStarted", ["scenario": scenario(running), "action": action(step)])
    case .attemptFailed(let attempt): ("attemptFailed", outcome(attempt, outlet))
    case .scenarioFinished(let finished):
      (
        "scenarioFinished",
        outcome(finished, outlet) + [
          "attempts": .integer(finished.earlierAttempts.count + 1),
          "flaky": .bool(finished.isFlaky),
        ]
      )
    case .interrupted(let signal): ("interrupted", ["signal": .integer(Int(signal))])
    case .runFinished(let endedAt, _):
      ("runFinished", end(of: result, endedAt, outlet))
    }
  }

  static func run(_ header: RunHeader) -> JSONValue {
    [
      "tool": "scenario-run", "toolVersion": .string(header.version),
      "startedAt": .string(timestamp(header.startedAt)),
      "scenarioCount": header.scenarioCount.map(JSONValue.integer), "jobs": .integer(header.jobs),
      "shard": header.shard.map { ["index": .integer($0.index), "total": .integer($0.total)] },
      "whole": header.shard == nil ? nil : header.whole.map(whole),
      "networkSeal": header.seal.map { .string($0.rawValue) },
    ]
  }

  private static func whole(_ whole: ShardedWhole) -> JSONValue {
    [
      "fingerprint": .string(whole.fingerprint), "scenarioCount": .integer(whole.scenarioCount),
      "repetitions": .integer(whole.repetitions),
    ]
  }

  private static func end(
    of result: RunResult, _ endedAt: Date, _ outlet: Outlet
  ) -> JSONObject {
    var run = RunOutline(result, outlet)
    run.endedAt = endedAt
    return run.end + ["shard": run.told]
  }

  static func timestamp(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true).year().month().day()
        .time(includingFractionalSeconds: true).timeZone(separator: .omitted))
  }
}

// MARK: - Scenarios

extension EventsVersion1 {
  static func scenario(_ reference: ScenarioReference) -> JSONValue {
    [
      "name": .string(reference.name), "scenarioName": .string(reference.scenarioName),
      "caseName": reference.caseName.map(JSONValue.string), "path": .string(reference.path),
      "caseFile": reference.caseFile.map(JSONValue.string),
      "line": .integer(reference.position.line), "column": .integer(reference.position.column),
      "selector": .string(reference.selector), "tags": .strings(reference.tags),
    ]
  }

  static func action(_ step: StepReference) -> JSONValue {
    ["id": .integer(step.id), "title": .string(step.title), "location": location(step.location)]
  }

  static func location(_ location: SourceLocation) -> JSONValue {
    place(location.path, location.position)
  }

  /// Where a scenario stands, for what is no nearer to a place.
  static func place(of scenario: ScenarioReference) -> JSONValue {
    place(scenario.caseFile ?? scenario.path, scenario.position)
  }

  private static func place(_ path: String, _ position: SourcePosition) -> JSONValue {
    [
      "path": .string(path), "line": .integer(position.line), "column": .integer(position.column),
    ]
  }

  static func outcome(_ result: ScenarioResult, _ outlet: Outlet) -> JSONObject {
    let scenario = result.scenario
    return [
      "scenario": Self.scenario(scenario), "index": .integer(result.index),
      "repetition": result.repetition.map(JSONValue.integer),
      "verdict": .string(result.verdict.rawValue),
      "startedAt": .string(timestamp(result.startedAt)), "duration": .seconds(result.duration),
      "findings": .array(result.findings.map { finding($0, in: scenario, outlet) }),
      "warnings": .array(result.warnings.map { finding($0, in: scenario, outlet) }),
      "knownIssue": result.knownIssue.map(JSONValue.string),
      "unjudgedExpectations": .integer(result.unjudgedExpectations),
      "recordedRequests": .integer(result.recordedRequests),
      "skipReason": result.skipReason.map(JSONValue.string),
      "keptFolder": result.keptFolder.map(JSONValue.string),
      "standardOutput": stream(result.output.standardOutput, outlet),
      "standardError": stream(result.output.standardError, outlet),
      "trace": TraceVersion1.value(result.trace, outlet),
    ]
  }

  static func diagnostic(_ diagnostic: Diagnostic) -> JSONValue {
    [
      "severity": .string(diagnostic.severity.rawValue), "message": .string(diagnostic.message),
      "path": .string(diagnostic.path), "location": diagnostic.location.map(location),
      "suggestions": .strings(diagnostic.suggestions),
      "notes": .array(
        diagnostic.notes.map {
          ["message": .string($0.message), "location": location($0.location)]
        }),
    ]
  }

  private static func stream(_ text: CapturedText, _ outlet: Outlet) -> JSONValue? {
    guard !text.isEmpty else { return nil }
    let text = outlet.masked(text)
    return [
      "head": .string(String(decoding: text.head, as: UTF8.self)),
      "omittedBytes": .integer(text.omittedBytes),
      "tail": .string(String(decoding: text.tail, as: UTF8.self)),
    ]
  }
}

// MARK: - Requests

extension EventsVersion1 {
  static func request(_ occurrence: RequestOccurrence) -> JSONValue {
    [
      "method": occurrence.method.map(JSONValue.string), "url": .string(occurrence.url),
      "time": occurrence.time.map(JSONValue.double),
      "clock": occurrence.clock.map(JSONValue.double),
      "cause": occurrence.cause.map { .string($0.name) },
      "action": occurrence.cause?.step.map(action),
      "answer": occurrence.answer.map { .string($0.rawValue) },
      "status": occurrence.status.map(JSONValue.integer),
      "error": occurrence.error.map(JSONValue.string),
      "isCancelled": .bool(occurrence.end == .cancelled),
    ]
  }

  static func attempt(_ attempt: NetworkAttempt) -> JSONValue {
    [
      "program": .string(attempt.program), "transport": .string(attempt.transport),
      "host": attempt.host.map(JSONValue.string), "port": attempt.port.map(JSONValue.integer),
      "cause": .string(attempt.cause.name), "action": attempt.cause.step.map(action),
      "count": .integer(attempt.count),
    ]
  }

  static func nearMiss(_ miss: NearMiss) -> JSONValue {
    [
      "request": request(miss.request), "count": .integer(miss.count),
      "differences": .array(miss.differences.map(difference)),
      "isTaken": miss.isTaken ? true : nil,
      "nearestStub": miss.nearestStub.map(nearestStub),
    ]
  }

  static func nearestStub(_ stub: NearestStub) -> JSONValue {
    [
      "path": .string(stub.source.path), "line": .integer(stub.source.line),
      "name": stub.source.name.map(JSONValue.string),
      "differences": .array(stub.differences.map(difference)),
      "requiredState": stub.requiredState?.required.map(JSONValue.string),
    ]
  }

  private static func difference(_ difference: Difference) -> JSONValue {
    let (part, name) = words(for: difference.part)
    return [
      "part": .string(part), "name": name.map(JSONValue.string),
      "wanted": difference.wanted.map(JSONValue.string) ?? .null,
      "isCondition": .bool(difference.isCondition),
      "got": difference.got.map(JSONValue.string) ?? .null,
    ]
  }

  static func words(for part: Difference.Part) -> (part: String, name: String?) {
    switch part {
    case .method: ("method", nil)
    case .scheme: ("scheme", nil)
    case .host: ("host", nil)
    case .port: ("port", nil)
    case .path: ("path", nil)
    case .url: ("url", nil)
    case .fragment: ("fragment", nil)
    case .queryParameter(let name): ("queryParameter", name)
    case .header(let name): ("header", name)
    case .cookie(let name): ("cookie", name)
    case .body(let path): ("body", path)
    case .eventName: ("eventName", nil)
    case .eventMember(let path): ("eventMember", path)
    }
  }
}

extension RequestOccurrence {
  fileprivate var status: Int? { if case .status(let status)? = end { status } else { nil } }
  fileprivate var error: String? { if case .error(let name)? = end { name } else { nil } }
}

extension RequestCause {
  var name: String {
    switch self {
    case .launch: "launch"
    case .step: "action"
    case .shutdown: "shutdown"
    }
  }
}
