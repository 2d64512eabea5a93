import JSON
import ScenarioCore
import SourceText

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
    [
      "id": .integer(step.id), "title": .string(step.title), "location": location(step.location),
    ]
  }

  static func location(_ location: SourceLocation) -> JSONValue {
    let position = location.position
    return [
      "path": .string(location.path), "line": .integer(position.line),
      "column": .integer(position.column),
    ]
  }

  /// Where a scenario stands, for what is no nearer to a place.
  static func place(of scenario: ScenarioReference) -> JSONValue {
    [
      "path": .string(scenario.caseFile ?? scenario.path),
      "line": .integer(scenario.position.line), "column": .integer(scenario.position.column),
    ]
  }

  static func outcome(
    _ result: ScenarioResult, _ outlet: Outlet
  ) -> JSONObject {
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
