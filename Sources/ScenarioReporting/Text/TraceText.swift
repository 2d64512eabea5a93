import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore

/// A trace for people: each action with what it sent.
package struct TraceText {
  let outlet: Outlet
  let style: TextStyle
  /// Characters a line; `nil`: lines are never broken.
  let width: Int?

  package init(_ outlet: Outlet, style: TextStyle = TextStyle(isColored: false), width: Int? = nil)
  {
    self.outlet = outlet
    self.style = style
    self.width = width
  }

  package func lines(_ trace: Trace) -> [String] {
    var lines = trace.actions.flatMap { [title(of: $0)] + self.lines($0).map { "  " + $0 } }
    if !trace.unattributed.isEmpty {
      lines.append("by no action that the app names")
      lines += trace.unattributed.flatMap(self.lines).map { "  " + $0 }
    }
    if trace.omittedRequests > 0 {
      lines.append("… and \(trace.omittedRequests) more requests, which aren't shown")
    }
    return lines
  }

  /// The action in one line.
  package func title(of action: TracedAction) -> String {
    switch action.cause {
    case .launch: "launch"
    case .step(let step): "\(step.id) \(outlet.line(step.title))"
    case .shutdown: "end"
    }
  }

  /// What came of an action: its requests, or why it failed.
  package func lines(_ action: TracedAction) -> [String] {
    let error = action.error.map { [style.paint(outlet.line($0.message), .red)] } ?? []
    let doubts = action.undecodable.map { diagnostic in
      let place = diagnostic.location.map { "\($0.description): " } ?? ""
      return style.paint("couldn't decode " + outlet.line(place + diagnostic.message), .yellow)
    }
    let missing =
      action.missingKeys.isEmpty ? [] : [FindingText(outlet).missing(action.missingKeys)]
    return error + action.requests.flatMap(lines) + doubts + missing
  }

  /// A request: its method and URL, who answered and when, its body.
  package func lines(_ traced: TracedRequest) -> [String] {
    let request = traced.request
    let line = outlet.line("\(request.method ?? "GET") \(request.url)")
    let answer = style.paint(answer(to: request), .dim)
    let nearest = traced.nearestStub.map { ["  no stub; " + DifferenceText(outlet).line($0)] } ?? []
    let content = traced.events.isEmpty ? BodyText.lines(of: request, outlet) : lines(traced.events)
    let body = nearest + content.map { "  " + $0 }
    guard let width else { return [line + "  " + answer] + body }
    return URLText.lines(line, width: width) + ["  " + answer] + body
  }

  /// Events in place of the body that holds them, one a line.
  private func lines(_ events: [AnalyticsEvent]) -> [String] {
    events.map { event in
      let text = outlet.line(event.essence.text())
      let shown = text.count > 200 ? text.prefix(200) + "…" : text
      return "event \"\(outlet.line(event.name))\" \(style.paint(shown, .dim))"
    }
  }

  /// Who answered with what, and when by the app's clock.
  func answer(to request: RecordedRequest) -> String {
    let end: String? =
      switch request.end {
      case .status(let status)?: "\(status)"
      case .error(let name)?: outlet.line(name)
      case nil: nil
      }
    let answerer: String? =
      switch request.answer {
      case .stub?: "stub"
      case .default?: "no stub"
      case .offline?: "offline"
      case .fault?: "fault of a stub"
      case nil: nil
      }
    let time = (request.clock ?? request.time).map { "at \(Seconds.text($0))" }
    return [end, answerer.map { "(\($0))" }, time].compactMap(\.self).joined(separator: " ")
  }
}

/// A request's body for people: decoded, JSON one member a line, cut at a stated size.
package enum BodyText {
  package static let lineLimit = 40
  package static let lineLengthLimit = 400

  /// - Returns: no line where there is no body.
  package static func lines(of request: RecordedRequest, _ outlet: Outlet) -> [String] {
    guard let decoded = request.decodedBody else { return [] }
    let problem = decoded.problem.map { ["the body \(outlet.line($0))"] } ?? []
    guard let text = String(validating: decoded.bytes, as: UTF8.self) else {
      return problem + ["\(decoded.bytes.count) bytes that aren't text"]
    }
    let pretty = (try? JSONValue(parsing: decoded.bytes)).flatMap { $0.isContainer ? $0 : nil }
    return problem + shown(outlet.lines(pretty?.text(.pretty) ?? text))
  }

  /// Lines cut at the stated size.
  static func shown(_ lines: [String]) -> [String] {
    let shown = lines.prefix(lineLimit).map { line in
      line.count > lineLengthLimit ? line.prefix(lineLengthLimit) + "…" : line
    }
    let rest = lines.count - shown.count
    return shown + (rest > 0 ? ["… and \(rest) more lines"] : [])
  }
}

extension RecordedRequest {
  /// Its body as the app meant it; `nil` where it has none.
  var decodedBody: DecodedBody? {
    guard let body, !body.isEmpty else { return nil }
    let codings = headers.filter { $0.key.lowercased() == "content-encoding" }.map(\.value)
    return DecodedBody(body, contentEncodings: codings)
  }
}
