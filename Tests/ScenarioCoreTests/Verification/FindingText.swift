import HarnessProtocol
import RequestMatching
import ScenarioCore
import SourceText
import Testing

/// The URLs of most tests are short rather than right.
let withoutLint = {
  var configuration = Configuration()
  configuration.lint = LintPolicy(.off)
  return configuration
}()

/// A scenario of three taps, as people write it.
///
/// - Parameter actions: the members of the first, second and third tap.
func scenario(
  _ members: String, actions: [String] = ["", "", ""],
  configuration: Configuration = withoutLint
) throws -> Scenario {
  let taps = actions.enumerated().map { index, members in
    members.hasPrefix("{") ? members : #"{"tap": "e\#(index + 1)"\#(members)}"#
  }
  let text = #"{"actions": [\#(taps.joined(separator: ",\n"))],\#n\#(members)}"#
  let output = ScenarioDecoder(files: FilesInMemory(), configuration: configuration).decode(
    SourceFile(path: "s.json", text: text))
  return try #require(output.scenarios.first, "\(output.diagnostics.map(\.message))")
}

/// A recorded request in one line: action (`-`: none), URL, then `answer`, a method, `body:…` or `header:…=…`.
func recorded(_ text: String, time: Double) -> RecordedRequest {
  let words = text.split(separator: " ").map(String.init)
  var request = RecordedRequest(url: words[1], action: Int(words[0]), time: time)
  for word in words.dropFirst(2) {
    if let answer = RecordedRequest.Answer(rawValue: word) {
      request.answer = answer
    } else if word.hasPrefix("body:") {
      request.body = Array(word.dropFirst(5).utf8)
    } else if word.hasPrefix("header:") {
      let pair = word.dropFirst(7).split(separator: "=", maxSplits: 1)
      request.headers[String(pair[0])] = String(pair[1])
    } else {
      request.method = word
    }
  }
  return request
}

/// Both ways of observing, which must agree; the findings one a line.
func judged(
  _ scenario: Scenario, _ requests: [String], completed: CompletedSteps = .all
) throws -> [String] {
  var (whole, lines) = (Verification(scenario: scenario), Verification(scenario: scenario))
  for (index, text) in requests.enumerated() {
    let request = recorded(text, time: Double(index))
    whole.observe(request)
    let bytes = request.line
    lines.observe(try RecordedRequestLine(scanning: bytes, 0..<bytes.count - 1))
  }
  let outcome = whole.outcome(completedSteps: completed)
  let texts = outcome.findings.map(text)
  let same = lines.outcome(completedSteps: completed)
  #expect(same.findings.map(text) == texts)
  #expect(same.warnings.map(text) == outcome.warnings.map(text))
  return texts + outcome.warnings.map { "warning: " + text($0) }
    + (outcome.unjudgedExpectations > 0 ? ["unjudged \(outcome.unjudgedExpectations)"] : [])
}

/// The findings one a line.
func texts(of findings: [Finding]) -> [String] { findings.map(text) }

private func text(_ finding: Finding) -> String {
  switch finding {
  case .wrongCount(let finding): return text(finding)
  case .tooEarly(let finding):
    let early = finding.occurrences.map(cause).joined(separator: " ")
    let first = finding.first.map { "first \(cause($0))" } ?? "never"
    return "\(text(finding.scope)) \(finding.pattern) before \(finding.after): \(early); \(first)"
      + text(finding.objects)
  case .unexpectedRequest(let finding):
    let during = finding.during.map { "@\($0.id)" }.joined(separator: ",")
    let distinct = finding.distinctCount > 1 ? " of \(finding.distinctCount)" : ""
    return "unexpected \(finding.count)\(distinct)\(during.isEmpty ? "" : " in \(during)"): "
      + finding.occurrences.map(text).joined(separator: ", ")
  case .runError(let error): return "error \(error.kind): \(error.message)"
  case .flaw(let flaw):
    let place: String
    switch flaw.part {
    case .queryParameter(let name): place = name
    case .eventMember(let path): place = path
    case let part: place = "\(part)"
    }
    return "\(flaw.name) \(place) \(flaw.value ?? "-") ×\(flaw.count): "
      + flaw.occurrences.map(text).joined(separator: ", ")
  case .actionFailed: return "action failed"
  case .fileDoubt(let doubt): return doubt.diagnostic.message
  case .fixedIssue: return "fixed issue"
  case .sweep(let counts): return "sweep \(counts)"
  case .unseen(let parts): return "unseen \(parts)"
  case .fileWarning(let fault): return "file: \(fault.message)"
  }
}

private func text(_ finding: WrongCount) -> String {
  var text =
    "\(text(finding.scope)) \(finding.pattern): wanted \(finding.wanted), got \(finding.got)"
    + (finding.measure == .arrivals ? " delivered" : "")
  if !finding.matched.isEmpty {
    text += " [\(finding.matched.map { cause($0) }.joined(separator: " "))]"
  }
  for miss in finding.nearMisses {
    let differences = miss.differences.map {
      "\($0.part) \($0.wanted ?? "-")→\($0.got ?? "-")"
    }
    let near = miss.isTaken ? "nearest" : "near ×\(miss.count)"
    text += "; \(near) \(cause(miss.request)) \(differences.joined(separator: ", "))"
  }
  if !finding.elsewhere.isEmpty {
    text += "; elsewhere \(finding.elsewhere.map { cause($0) }.joined(separator: " "))"
  }
  for path in finding.blindPaths {
    text += "; \(path.text) \(path.nearest.joined(separator: ", "))"
  }
  for related in finding.related {
    text += "; also \(Verified.text(related.scope)) \(related.wanted)/\(related.got)"
  }
  return text + (finding.nothingWasSent ? "; nothing was sent" : "")
    + ScenarioCoreTests.text(finding.objects)
}

private func text(_ objects: [FixtureObject]) -> String {
  objects.map { " for \($0.location.description) \($0.path)" }.joined()
}

private enum Verified {
  static func text(_ scope: WrongCount.Scope) -> String { ScenarioCoreTests.text(scope) }
}

private func text(_ scope: WrongCount.Scope) -> String {
  switch scope {
  case .expected: "expected"
  case .sends(let step): "sends@\(step.id)"
  case .expectRequests(let step): "expectRequests@\(step.id)"
  }
}

private func text(_ occurrence: RequestOccurrence) -> String {
  "\(occurrence.url)\(cause(occurrence))"
}

private func cause(_ occurrence: RequestOccurrence) -> String {
  let place =
    switch occurrence.cause {
    case .launch?: "launch"
    case .step(let step)?: "\(step.id)"
    case .shutdown?: "shutdown"
    case nil: "?"
    }
  return "@\(place)" + (occurrence.end == .cancelled ? "!" : "")
}
