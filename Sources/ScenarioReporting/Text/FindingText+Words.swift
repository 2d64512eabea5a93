import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import SourceText

/// What a finding says.
extension FindingText {
  func parts(_ finding: Finding) -> [FindingPart] {
    switch finding {
    case .wrongCount(let count): parts(count)
    case .tooEarly(let early): parts(early)
    case .unexpectedRequest(let request): parts(request)
    case .flaw(let flaw): parts(flaw)
    case .actionFailed(let failure): [.lines(lines(failure))]
    case .fileDoubt(let doubt): [.lines(lines(doubt))]
    case .fixedIssue, .fileWarning, .sweep: []
    case .unseen:
      [
        .sentence(
          "What it does there may be missed, or counted for another action. An app with Swift's libraries "
            + "linked into it (--static-swift-stdlib) is one such: link it dynamically.")
      ]
    case .runError(let error): [.lines(lines(error))]
    }
  }

  private func parts(_ finding: WrongCount) -> [FindingPart] {
    var parts = subject(finding.pattern, finding.scope, finding.objects)
    parts.append(.occurrences(finding.matched, of: finding.got, below: finding.pattern))
    if !finding.elsewhere.isEmpty {
      let (elsewhere, count) = (finding.elsewhere, finding.elsewhere.count)
      parts.append(.heading("it came from elsewhere"))
      parts.append(.occurrences(elsewhere, of: count, below: finding.pattern))
    }
    parts += finding.nearMisses.map(FindingPart.nearMiss)
    parts += finding.blindPaths.map {
      .hint("\(outlet.line($0.text)) \(meant($0.nearest).capitalizedFirst)")
    }
    if finding.nothingWasSent { parts.append(.sentence(Self.nothingWasSent)) }
    return parts
      + finding.related.map { related in
        let place = outlet.line(related.location.description)
        return .sentence("also not met: \(place): wanted \(related.wanted), got \(related.got)")
      }
  }

  private func parts(_ finding: EarlyRequests) -> [FindingPart] {
    let name = outlet.line(finding.after)
    let place = outlet.line(finding.afterLocation.description)
    let came = finding.first == nil ? "never came" : "came first as:"
    return subject(finding.pattern, finding.scope, finding.objects) + [
      .occurrences(finding.occurrences, of: finding.count, below: finding.pattern),
      .sentence("\"\(name)\" (\(place)) \(came)"),
      .occurrences([finding.first].compactMap(\.self), of: 1, below: ""),
    ]
  }

  /// What is expected, which requests were counted, where not all were, and for which objects.
  private func subject(
    _ pattern: String, _ scope: WrongCount.Scope, _ objects: [FixtureObject]
  ) -> [FindingPart] {
    let counted: [FindingPart] =
      switch scope {
      case .expected: []
      case .sends(let step): [.sentence("from \(name(of: step))")]
      case .expectRequests(let step): [.sentence("before \(name(of: step))")]
      }
    return [.request(pattern)] + counted
      + objects.map { .sentence(outlet.line("for \($0.location.description), \($0.path)")) }
  }

  private func parts(_ finding: UnexpectedRequest) -> [FindingPart] {
    guard let first = finding.occurrences.first else { return [] }
    var parts: [FindingPart] = [.request(first.line)]
    parts += finding.during.map { .sentence("not among the \"sends\" of \(name(of: $0))") }
    if let stubbing = finding.stubbing { parts.append(.sentence(words(for: stubbing))) }
    if let stub = finding.nearestStub { parts.append(.sentence(sentence(stub))) }
    return parts + [.occurrences(finding.occurrences, of: finding.count, below: first.line)]
  }

  /// Why a request that a stub answered has to be named, and what to do.
  private func words(for stubbing: UnexpectedRequest.Stubbing) -> String {
    switch stubbing {
    case .hostIsTracked: "answered by a stub; its host is in \"tracking\", so it has to be named"
    case .isDecoded:
      "answered by a stub; a decoder looks at it and finds no event, so it has to be named"
    case .everyHostIsTracked:
      "answered by a stub, and no expectation names it. If it tracks nothing, list the hosts of your "
        + "trackers as \"tracking\" in .scenario-run.json: then only their requests have to be named "
        + "where a stub answers."
    }
  }

  private func parts(_ flaw: DataFlaw) -> [FindingPart] {
    guard let first = flaw.occurrences.first else { return [] }
    let more = flaw.furtherCount
    return [.request(first.line), .sentence(rule(of: flaw))]
      + (flaw.suggestions.isEmpty ? [] : [.sentence(meant(flaw.suggestions))])
      + [.occurrences(flaw.occurrences, of: flaw.count, below: first.line)]
      + (more == 0
        ? [] : [.sentence("… and \(more) more that this rule finds, which aren't told apart")])
  }

  /// Which rule says so, and what to do where it is wrong.
  private func rule(of flaw: DataFlaw) -> String {
    switch flaw.rule {
    case .lint(let rule):
      "lint rule \"\(rule.rawValue)\"; \"lint\": {\"\(rule.rawValue)\": \"off\"} in "
        + ".scenario-run.json silences it"
    case .unplannedEvent: "add it to \"trackingPlan\" in .scenario-run.json"
    case .plan(let violation):
      "by \"\(violation.keyword)\" in \(outlet.line(violation.location.description))"
    }
  }

  private func meant(_ names: [String]) -> String { Wording.didYouMean(names.map(outlet.masked)) }

  private func lines(_ failure: ActionFailure) -> [String] {
    section("on screen:", failure.error.data?["onScreen"])
      + section("matches:", failure.error.data?["matches"])
  }

  private func section(_ title: String, _ value: JSONValue?) -> [String] {
    let lines = value?.array?.compactMap(\.string) ?? []
    guard !lines.isEmpty else { return [] }
    return [style.paint(title, .dim)] + lines.map { "  " + outlet.line($0) }
  }

  func lines(_ doubt: FileDoubt) -> [String] {
    let renderer = DiagnosticRenderer(outlet, isColored: style.isColored, width: width - 4)
    return renderer.details(of: doubt.diagnostic)
      + (doubt.cause.map { ["received" + words(for: $0, "during")] } ?? [])
  }

  private func lines(_ error: RunError) -> [String] {
    let step = error.step.map { ["in \(name(of: $0))"] } ?? []
    let renderer = DiagnosticRenderer(outlet, isColored: style.isColored, width: min(width, 100))
    let faults = showsDiagnostics ? renderer.render(error.diagnostics) : ""
    let attempts = error.attempts.count > 1 ? error.attempts.map(line) : []
    let tail = error.standardErrorTail.map { "  " + outlet.line($0) }
    return step + attempts + faults.split(separator: "\n").map(String.init)
      + (tail.isEmpty ? [] : ["the end of its stderr:"] + tail)
  }

  private func line(_ attempt: NetworkAttempt) -> String {
    let count = attempt.count > 1 ? ", \(attempt.count) times" : ""
    let text = "\(attempt.program): \(attempt.target)\(words(for: attempt.cause))\(count)"
    return outlet.line(text)
  }
}

// MARK: - Words

extension FindingText {
  /// What is wrong, where the details follow.
  func title(_ finding: Finding) -> String {
    switch finding {
    case .wrongCount(let count):
      let arrived = count.measure == .arrivals ? " delivered" : ""
      return "wanted \(count.wanted)\(arrived), got \(count.got)"
    case .tooEarly(let early):
      let count = early.count == 1 ? "came" : "\(early.count) came"
      return "\(count) before \"\(outlet.line(early.after))\""
    case .unexpectedRequest(let request):
      let kinds = request.distinctCount
      return "unexpected\(times(request.count))"
        + (kinds == 1 ? "" : " in \(kinds) different requests")
    case .flaw(let flaw): return title(flaw)
    case .actionFailed(let failure):
      return "\(name(of: failure.step)): \(outlet.line(failure.error.message))"
    case .fileDoubt(let doubt): return outlet.line(doubt.diagnostic.message)
    case .fixedIssue(let reason):
      return "it passes now: remove \"knownIssue\", which says \"\(outlet.line(reason))\""
    case .unseen(let parts):
      return "the kit can't see everything that this app does: "
        + parts.map(outlet.line).joined(separator: ", ")
    case .fileWarning(let fault):
      return outlet.line((fault.location == nil ? "\(fault.path): " : "") + fault.message)
    case .sweep(let counts): return ScheduleText.line(counts)
    case .runError(let error): return outlet.line(error.message)
    }
  }

  /// What is wrong with what was sent.
  func title(_ flaw: DataFlaw) -> String {
    let event = flaw.occurrences.first?.event.map { "event \"\(outlet.line($0.name))\"" }
    let title: String
    switch flaw.rule {
    case .unplannedEvent: title = "\(event ?? "an event") isn't in the tracking plan"
    case .lint(let rule):
      let owner = event.map { " of \($0)" } ?? ""
      let value = rule == .http ? " http is " : " is " + (rule == .empty ? "" : shown(flaw.value))
      title = "\(DifferenceText(outlet).part(flaw.part))\(owner)\(value)\(rule.words)"
    case .plan(let violation):
      let path = outlet.line(violation.path)
      let place = path.isEmpty ? event ?? "" : "\(path) of \(event ?? "an event")"
      title = "\(place) \(words(for: violation))"
    }
    return title + times(flaw.count)
  }

  private func shown(_ value: String?) -> String {
    let text = outlet.line(value ?? "")
    return "\"\(text.count > 120 ? text.prefix(119) + "…" : text)\", "
  }

  private func words(for violation: JSONSchema.Violation) -> String {
    let got = outlet.line(violation.got ?? "nothing")
    switch violation.kind {
    case .missing: return "is missing, which the tracking plan requires"
    case .extra: return "is \(got), which the tracking plan doesn't have"
    case .mistyped, .outOfRange, .notAllowed:
      return "is \(got), but the tracking plan asks for \(outlet.line(violation.wanted))"
    }
  }

  func title(_ miss: NearMiss) -> String {
    miss.isTaken
      ? "nearest, although it belongs to another expectation" : "sent instead\(times(miss.count))"
  }

  private func times(_ count: Int) -> String { count == 1 ? "" : ", \(count) times" }

  static let nothingWasSent =
    "the app sent no request at all, though it answered these actions without an error"

  /// What a request without an answer may have been meant for.
  func sentence(_ stub: NearestStub) -> String { "no stub; " + DifferenceText(outlet).line(stub) }

  func words(for cause: RequestCause?, _ link: String = "by") -> String {
    switch cause {
    case .launch?: " \(link) the launch"
    case .step(let step)?: " \(link) \(name(of: step))"
    case .shutdown?: " after the last action"
    case nil: ""
    }
  }

  /// What came of a request, where that isn't an ordinary answer.
  func outcomeWords(for request: RequestOccurrence) -> String {
    switch (request.answer, request.end) {
    case (_, .cancelled?): ", cancelled by the app"
    case (.offline?, _): ", while offline"
    case (_, .error(let name)?): ", ended with \(outlet.line(name))"
    case (_, .status(let status)?) where status >= 400: ", answered with \(status)"
    case (.fault?, _): ", answered with a fault"
    default: ""
    }
  }

  func name(of step: StepReference) -> String {
    step.id == 0 ? "the launch" : "action \(step.id), \(outlet.line(step.title))"
  }
}
