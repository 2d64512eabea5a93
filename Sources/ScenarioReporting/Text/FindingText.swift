import HarnessProtocol
import ScenarioCore
import SourceText

/// A part of what explains a finding; the text and the page show each in their own way.
enum FindingPart {
  /// A request, or the pattern of one, as it was sent or written; all else may be shown as it is.
  case request(String)
  case sentence(String)
  /// A sentence that should catch the eye.
  case hint(String)
  /// What the next part is.
  case heading(String)
  /// Requests of which there are so many in all, below a URL or a pattern: a URL is shown where it is
  /// another one.
  case occurrences([RequestOccurrence], of: Int, below: String)
  case nearMiss(NearMiss)
  case lines([String])
}

/// Lays findings out, for every report that is read by people.
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
  package init(_ outlet: Outlet, style: TextStyle = TextStyle(isColored: false), width: Int = 80) {
    self.outlet = outlet
    self.style = style
    self.width = width
  }

  /// What is wrong, in one line without its place, the request included.
  package func headline(_ finding: Finding) -> String {
    if case .runError(let error) = finding { return headline(error) }
    let subject: String? =
      switch finding {
      case .wrongCount(let count): count.pattern
      case .tooEarly(let early): early.pattern
      case .unexpectedRequest(let request): request.occurrences.first?.line ?? ""
      case .flaw(let flaw): flaw.occurrences.first?.line ?? ""
      case .actionFailed, .fileDoubt, .fixedIssue, .sweep, .unseen, .fileWarning, .runError: nil
      }
    return title(finding) + (subject.map { ": " + outlet.line($0) } ?? "")
  }

  /// With the first fault of an invalid file, which says more.
  private func headline(_ error: RunError) -> String {
    let fault = error.diagnostics.first { $0.severity == .error }
    return outlet.line([error.message, fault?.message].compactMap { $0 }.joined(separator: " "))
  }

  /// The place to look at, as `file:line:column`.
  package func place(_ finding: Finding, in scenario: ScenarioReference) -> String {
    if let location = finding.location { return outlet.line(location.description) }
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
    let place = style.paint(place(finding, in: scenario), .dim)
    if isTold { return ["\(place): \(headline(finding))"] }
    let title = WordWrap.lines((isWarning ? "warning: " : "") + title(finding), width: width - 2)
      .map { style.paint($0, .bold) }
    return [place] + (title + details(finding)).map { "  " + $0 }
  }

  /// All findings of a result, each with its place and its headline in the first line.
  package func text(of result: ScenarioResult) -> String {
    let findings = result.findings.map { ($0, "") } + result.warnings.map { ($0, "warning: ") }
    return findings.map { finding, kind in
      let first = "\(place(finding, in: result.scenario)): \(kind)\(headline(finding))"
      return ([first] + details(finding).map { "  " + $0 }).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  // MARK: - What explains a finding

  private func details(_ finding: Finding) -> [String] { parts(finding).flatMap(lines) }

  private func lines(_ part: FindingPart) -> [String] {
    switch part {
    case .request(let text): URLText.lines(outlet.line(text), width: width - 4)
    case .sentence(let text): WordWrap.lines(text, width: width - 4)
    case .hint(let text):
      WordWrap.lines(text, width: width - 4).map { style.paint($0, .yellow) }
    case .heading(let text): [style.paint(text + ":", .yellow)]
    case .occurrences(let requests, let count, let shown): lines(requests, of: count, below: shown)
    case .nearMiss(let miss): lines(miss)
    case .lines(let lines): lines
    }
  }

  private func lines(
    _ occurrences: [RequestOccurrence], of count: Int, below shown: String
  ) -> [String] {
    var shown = shown
    let lines = occurrences.flatMap { request in
      let line = request.line
      let isShown = shown.hasSuffix(line)
      if !isShown { shown = line }
      return (isShown ? [] : requestLines(request)) + ["  " + moment(of: request)]
    }
    let more = count - occurrences.count
    return more > 0 ? lines + ["  … and \(more) more"] : lines
  }

  private func lines(_ miss: NearMiss) -> [String] {
    let differences = DifferenceText(outlet, style: style, width: min(width, 2000) - 6)
    let stub = miss.nearestStub.map { WordWrap.lines(sentence($0), width: width - 6) } ?? []
    let lines =
      requestLines(miss.request) + [moment(of: miss.request)]
      + differences.lines(miss.differences) + stub
    return [style.paint(title(miss) + ":", .yellow)] + lines.map { "  " + $0 }
  }

  private func requestLines(_ request: RequestOccurrence) -> [String] {
    URLText.lines(outlet.line(request.line), width: width - 6)
  }

  /// When, and by what.
  private func moment(of request: RequestOccurrence) -> String {
    let time = request.sentAt.map { " at \(Seconds.text($0))" } ?? ""
    return "sent\(time)\(words(for: request.cause))\(outcomeWords(for: request))"
  }
}

extension FindingText {
  /// What else there is to say of a result that is not passed.
  package func notes(on result: ScenarioResult) -> [String] {
    ScheduleText(outlet).notes(on: result) + remarks(on: result)
  }

  /// The same, but for what its schedule did.
  func remarks(on result: ScenarioResult) -> [String] {
    var notes: [String] = []
    if result.unjudgedExpectations > 0 {
      let count = result.unjudgedExpectations
      notes.append(
        "\(Wording.counted(count, "expectation")) \(count == 1 ? "was" : "were") not judged, because the actions stopped early"
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

  /// Whether something didn't happen that may be yet to come.
  fileprivate var isAboutTooLittle: Bool {
    switch self {
    case .wrongCount(let count):
      count.got <= count.wanted.most && count.nearMisses.isEmpty && count.elsewhere.isEmpty
    case .actionFailed: true
    default: false
    }
  }
}

extension RequestOccurrence {
  /// The URL, after the method where that isn't `GET`; before it the event, where it is one.
  var line: String {
    let request = (method.map { $0 == "GET" ? "" : $0 + " " } ?? "") + url
    guard let event else { return request }
    let place = event.count == 1 ? "in" : "event \(event.number) of \(event.count) in"
    return "event \"\(event.name)\" (\(event.decoder)), \(place) \(request)"
  }
}
