import HarnessProtocol
import JSON
import ScenarioCore
import SourceText

/// Words findings, for every report that is read by people.
package struct FindingText {
  let outlet: Outlet
  let style: TextStyle
  /// Characters a line.
  let width: Int
  /// Whether the faults of an invalid file are told with it: else they are told already.
  var showsDiagnostics = true

  /// Lines of this width are never broken.
  package static let unbroken = 1_000_000

  /// - Parameter outlet: one that hides the credentials of the result whose findings these are.
  package init(
    _ outlet: Outlet, style: TextStyle = TextStyle(isColored: false), width: Int = 80
  ) {
    self.outlet = outlet
    self.style = style
    self.width = width
  }

  /// What is wrong, in one line without its place, the request included.
  package func headline(_ finding: Finding) -> String {
    switch finding {
    case .wrongCount(let count): "\(title(finding)): \(outlet.line(count.pattern))"
    case .tooEarly(let early): "\(title(finding)): \(outlet.line(early.pattern))"
    case .unexpectedRequest(let request): "\(title(finding)): \(url(request))"
    case .flaw(let flaw):
      "\(title(finding)): \(flaw.occurrences.first.map { outlet.line($0.line) } ?? "")"
    case .runError(let error): headline(error)
    case .actionFailed, .fileDoubt, .fixedIssue, .sweep, .unseen, .fileWarning: title(finding)
    }
  }

  /// With the first fault of an invalid file, which says more.
  private func headline(_ error: RunError) -> String {
    let fault = error.diagnostics.first { $0.severity == .error }
    return outlet.line([error.message, fault?.message].compactMap { $0 }.joined(separator: " "))
  }

  /// What is wrong, where the details follow.
  func title(_ finding: Finding) -> String {
    switch finding {
    case .wrongCount(let count): title(count)
    case .tooEarly(let early): title(early)
    case .unexpectedRequest(let request): title(request)
    case .flaw(let flaw): title(flaw)
    case .actionFailed(let failure): title(failure)
    case .fileDoubt(let doubt): outlet.line(doubt.diagnostic.message)
    case .fixedIssue(let reason):
      "it passes now: remove \"knownIssue\", which says \"\(outlet.line(reason))\""
    case .unseen(let parts):
      "the kit can't see everything that this app does: "
        + parts.map(outlet.line).joined(separator: ", ")
    case .fileWarning(let fault):
      outlet.line((fault.location == nil ? "\(fault.path): " : "") + fault.message)
    case .sweep(let counts): ScheduleText.line(counts)
    case .runError(let error): outlet.line(error.message)
    }
  }

  var unseenLines: [String] {
    WordWrap.lines(
      "What it does there may be missed, or counted for another action. An app with Swift's libraries "
        + "linked into it (--static-swift-stdlib) is one such: link it dynamically.",
      width: width - 4)
  }

  /// The place to look at, as `file:line:column`.
  package func place(_ finding: Finding, in scenario: ScenarioReference) -> String {
    finding.location.map { outlet.line($0.description) } ?? place(of: scenario)
  }

  package func place(of scenario: ScenarioReference) -> String {
    let path = outlet.line(scenario.caseFile ?? scenario.path)
    return "\(path):\(scenario.position.line):\(scenario.position.column)"
  }

  /// The whole finding: its place, its title, then what explains it, indented.
  ///
  /// - Parameter isTold: it is told of another scenario already, so that a line is enough.
  package func lines(
    _ finding: Finding, in scenario: ScenarioReference, isWarning: Bool = false,
    isTold: Bool = false
  ) -> [String] {
    if isTold {
      return [style.paint(place(finding, in: scenario), .dim) + ": " + headline(finding)]
    }
    return [style.paint(place(finding, in: scenario), .dim)]
      + wrapped((isWarning ? "warning: " : "") + title(finding), .bold).map { "  " + $0 }
      + details(finding).map { "  " + $0 }
  }

  /// All findings of a result, each with its place and its headline in the first line.
  package func text(of result: ScenarioResult) -> String {
    let warnings = result.warnings.map { text($0, in: result.scenario, "warning: ") }
    return (result.findings.map { text($0, in: result.scenario) } + warnings)
      .joined(separator: "\n\n")
  }

  private func text(
    _ finding: Finding, in scenario: ScenarioReference, _ kind: String = ""
  ) -> String {
    let place = place(finding, in: scenario)
    let details = details(finding).map { "  " + $0 }
    return (["\(place): \(kind)\(headline(finding))"] + details).joined(separator: "\n")
  }

  private func details(_ finding: Finding) -> [String] {
    switch finding {
    case .wrongCount(let count): details(count)
    case .tooEarly(let early): details(early)
    case .unexpectedRequest(let request): details(request)
    case .flaw(let flaw): details(flaw)
    case .actionFailed(let failure): details(failure)
    case .fileDoubt(let doubt): details(doubt)
    case .fixedIssue, .fileWarning, .sweep: []
    case .unseen: unseenLines
    case .runError(let error): details(error)
    }
  }

  func wrapped(_ text: String, _ paint: TextStyle.Paint) -> [String] {
    WordWrap.lines(text, width: width - 2).map { style.paint($0, paint) }
  }
}

extension Finding {
  /// The place in a file that it speaks of; `nil` where there is none but the scenario itself.
  var location: SourceLocation? {
    switch self {
    case .wrongCount(let count): count.location
    case .tooEarly(let early): early.location
    case .unexpectedRequest(let request):
      request.during.first?.location ?? request.occurrences.first?.cause?.step?.location
    case .flaw(let flaw): flaw.occurrences.first?.cause?.step?.location
    case .actionFailed(let failure): failure.step.location
    case .fileDoubt(let doubt): doubt.diagnostic.location
    case .fixedIssue, .unseen, .sweep: nil
    case .fileWarning(let fault): fault.location
    case .runError(let error):
      error.step?.location ?? error.location ?? error.diagnostics.first?.location
    }
  }
}

extension FindingText {
  /// What else there is to say of a result that is not passed.
  package func notes(on result: ScenarioResult) -> [String] {
    var notes = ScheduleText(outlet).notes(on: result)
    if result.unjudgedExpectations > 0 {
      let count = result.unjudgedExpectations
      notes.append(
        "\(count) expectation\(count == 1 ? " was" : "s were") not judged, because the actions stopped early"
      )
    }
    if let next = result.app.nextTimer, result.findings.contains(where: \.isAboutTooLittle) {
      let others = result.app.pendingTimers - 1
      notes.append(
        "the app has a timer that is due in \(Seconds.text(next))"
          + (others > 0 ? ", and \(others) more" : "") + ": advance the clock")
    }
    if !result.findings.isEmpty, !result.app.missingKeys.isEmpty {
      notes.append(missing(result.app.missingKeys))
    }
    if let folder = result.keptFolder { notes.append("kept: \(outlet.line(folder))") }
    if let failure = result.keepFailure {
      notes.append("not kept: \(outlet.line(failure)). Name another folder with --keep.")
    }
    return notes
  }

  /// Launch keys that the app would have used.
  func missing(_ keys: [String]) -> String {
    let names = keys.map { outlet.line($0) }.joined(separator: ", ")
    return "the app asked for launch keys that nobody gave: \(names)"
  }

  /// - Parameter command: the words before the `file:line`.
  package func rerun(_ result: ScenarioResult, with command: String) -> String {
    "run again: " + rerunCommand(result, with: command)
  }

  /// What a shell runs the result's scenario by, as it was run.
  func rerunCommand(_ result: ScenarioResult, with command: String = "scenario-run") -> String {
    let seed = result.seed.map { " --seed \($0)" } ?? ""
    let schedule = result.schedule.map { " --schedule \(outlet.word($0.description))" } ?? ""
    let sweep = result.sweep.map { " sweep \($0.kind.rawValue)" } ?? ""
    return "\(command)\(sweep) \(outlet.word(result.selector))\(seed)\(schedule)"
  }
}

extension Finding {
  /// Whether something didn't happen that may be yet to come.
  fileprivate var isAboutTooLittle: Bool {
    switch self {
    case .wrongCount(let count):
      count.got <= count.wanted.most && count.nearMisses.isEmpty && count.elsewhere.isEmpty
    case .actionFailed: true
    case .tooEarly, .unexpectedRequest, .flaw, .fileDoubt, .fixedIssue, .sweep, .unseen,
      .fileWarning,
      .runError:
      false
    }
  }
}

extension FindingText {
  func title(_ failure: ActionFailure) -> String {
    "\(name(of: failure.step)): \(outlet.line(failure.error.message))"
  }

  func details(_ failure: ActionFailure) -> [String] {
    section("on screen:", failure.error.data?["onScreen"])
      + section("matches:", failure.error.data?["matches"])
  }

  func details(_ doubt: FileDoubt) -> [String] {
    let renderer = DiagnosticRenderer(outlet, isColored: style.isColored, width: width - 4)
    return renderer.details(of: doubt.diagnostic)
      + (doubt.cause.map { ["received" + words(for: $0, "during")] } ?? [])
  }

  func details(_ error: RunError) -> [String] {
    let step = error.step.map { ["in \(name(of: $0))"] } ?? []
    let renderer = DiagnosticRenderer(outlet, isColored: style.isColored, width: min(width, 100))
    let faults =
      showsDiagnostics && !error.diagnostics.isEmpty
      ? renderer.render(error.diagnostics).split(separator: "\n").map(String.init) : []
    let attempts = error.attempts.count > 1 ? error.attempts.map(line) : []
    let tail = error.standardErrorTail.map { "  " + outlet.line($0) }
    return step + attempts + faults + (tail.isEmpty ? [] : ["the end of its stderr:"] + tail)
  }

  private func line(_ attempt: NetworkAttempt) -> String {
    let count = attempt.count > 1 ? ", \(attempt.count) times" : ""
    let text = "\(attempt.program): \(attempt.target)\(words(for: attempt.cause))\(count)"
    return outlet.line(text)
  }

  private func section(_ title: String, _ value: JSONValue?) -> [String] {
    let lines = value?.array?.compactMap(\.string) ?? []
    guard !lines.isEmpty else { return [] }
    return [style.paint(title, .dim)] + lines.map { "  " + outlet.line($0) }
  }
}
