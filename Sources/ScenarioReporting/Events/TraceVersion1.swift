import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore

/// Version 1 of a trace as others read it, in the event stream and in the `trace.json` of a kept folder.
///
/// It may only grow, as the events may. `TheEventStream.md` describes it for its readers.
package enum TraceVersion1 {
  /// So much of a body is written.
  static let bodyLimitBytes = 64 << 10

  /// A file of its own: `version`, `scenario`, `trace`.
  ///
  /// - Parameter outlet: hides the credentials of the scenario.
  package static func document(
    _ trace: Trace, of scenario: ScenarioReference, _ outlet: Outlet
  ) -> [UInt8] {
    let document: JSONValue = [
      "version": 1, "scenario": EventsVersion1.scenario(scenario),
      "trace": value(trace, outlet) ?? ["actions": []],
    ]
    return document.line(through: outlet) + [UInt8(ascii: "\n")]
  }

  /// - Parameter outlet: masks what an app said; all else is masked where the line is written.
  /// - Returns: `nil` where nothing happened, or nobody asked for it.
  static func value(_ trace: Trace, _ outlet: Outlet) -> JSONValue? {
    guard !trace.actions.isEmpty || !trace.unattributed.isEmpty else { return nil }
    return [
      "actions": .array(trace.actions.map { action($0, outlet) }),
      "unattributed": trace.unattributed.isEmpty ? nil : requests(trace.unattributed, outlet),
      "omittedRequests": trace.omittedRequests == 0 ? nil : .integer(trace.omittedRequests),
    ]
  }

  private static func action(_ traced: TracedAction, _ outlet: Outlet) -> JSONValue {
    [
      "cause": .string(traced.cause.name), "action": traced.cause.step.map(EventsVersion1.action),
      "requests": requests(traced.requests, outlet),
      "events": traced.events.isEmpty ? nil : .array(traced.events.map { event($0, outlet) }),
      "screen": traced.screen.map { $0.json.masked(by: outlet) },
      "clock": traced.clock.map(JSONValue.double),
      "pendingTimers": .integer(traced.pendingTimers),
      "nextTimer": traced.nextTimer.map(JSONValue.double),
      "askedKeys": traced.askedKeys.isEmpty ? nil : .strings(traced.askedKeys),
      "error": traced.error.map { error in
        [
          "code": .integer(error.code.rawValue), "message": .string(error.message),
          "data": error.data?.masked(by: outlet),
        ]
      },
    ]
  }

  private static func event(_ traced: TracedEvent, _ outlet: Outlet) -> JSONValue {
    let event = traced.event
    return [
      "name": .string(event.name), "decoder": .string(event.decoder),
      "id": event.id.map(JSONValue.string), "time": event.time.map { .double($0.seconds) },
      "request": .integer(traced.request), "number": .integer(event.number),
      "count": .integer(event.count), "isRetry": .bool(traced.isRetry),
      "content": event.value.masked(by: outlet),
    ]
  }

  private static func requests(_ requests: [TracedRequest], _ outlet: Outlet) -> JSONValue {
    .array(requests.map { request($0, outlet) })
  }

  private static func request(_ traced: TracedRequest, _ outlet: Outlet) -> JSONValue {
    let request = traced.request
    let occurrence = RequestOccurrence(
      method: request.method, url: request.url, time: request.time, clock: request.clock,
      answer: request.answer, end: request.end)
    let headers = request.headers.sorted { $0.key < $1.key }.map {
      ($0.key, JSONValue.string($0.value))
    }
    let more: JSONObject = [
      "number": .integer(traced.number),
      "headers": headers.isEmpty ? nil : JSONValue.object(JSONObject(headers)).masked(by: outlet),
      "body": body(of: request, outlet),
    ]
    return .object(more + (EventsVersion1.request(occurrence).object ?? [:]))
  }

  /// Its content codings are undone; what is neither JSON nor text is told by its size alone.
  private static func body(of request: RecordedRequest, _ outlet: Outlet) -> JSONValue? {
    guard let body = request.decodedBody else { return nil }
    var members: JSONObject = [
      "bytes": .integer(body.bytes.count), "problem": body.problem.map(JSONValue.string),
    ]
    if body.bytes.count <= bodyLimitBytes, let json = try? JSONValue(parsing: body.bytes) {
      members["json"] = json.masked(by: outlet)
    } else if String(validating: body.bytes, as: UTF8.self) != nil {
      let shown = beginning(of: body.bytes)
      let omitted = body.bytes.count - shown.count
      let masked = outlet.mask.masked(shown, isCutAfter: omitted > 0)
      members["text"] = .string(String(decoding: masked, as: UTF8.self))
      if omitted > 0 { members["omittedBytes"] = .integer(omitted) }
    }
    return .object(members)
  }

  /// Cut between two characters.
  private static func beginning(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > bodyLimitBytes else { return bytes }
    var end = bodyLimitBytes
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }
}
