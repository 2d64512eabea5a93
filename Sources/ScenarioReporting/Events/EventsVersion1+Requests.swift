import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore

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
