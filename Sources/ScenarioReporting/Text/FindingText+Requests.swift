import HarnessProtocol
import ScenarioCore

extension FindingText {
  func title(_ finding: WrongCount) -> String {
    let arrived = finding.measure == .arrivals ? " delivered" : ""
    return "wanted \(finding.wanted)\(arrived), got \(finding.got)"
  }

  func title(_ finding: EarlyRequests) -> String {
    let count = finding.count == 1 ? "came" : "\(finding.count) came"
    return "\(count) before \"\(outlet.line(finding.after))\""
  }

  func title(_ finding: UnexpectedRequest) -> String {
    let times = finding.count == 1 ? "" : ", \(finding.count) times"
    let kinds = finding.distinctCount == 1 ? "" : " in \(finding.distinctCount) different requests"
    return "unexpected\(times)\(kinds)"
  }

  func details(_ finding: WrongCount) -> [String] {
    var lines = URLText.lines(outlet.line(finding.pattern), width: width - 4)
    lines += scopeLines(finding.scope) + objectLines(finding.objects)
    lines += sightingLines(finding.matched, of: finding.got, below: finding.pattern)
    lines += elsewhereLines(finding)
    lines += nearMissLines(finding)
    lines += finding.blindPaths.flatMap { wrapped(words(for: $0), .yellow) }
    if finding.nothingWasSent { lines.append(Self.nothingWasSent) }
    return lines + finding.related.map(line)
  }

  func details(_ finding: EarlyRequests) -> [String] {
    URLText.lines(outlet.line(finding.pattern), width: width - 4)
      + scopeLines(finding.scope) + objectLines(finding.objects)
      + sightingLines(finding.occurrences, of: finding.count, below: finding.pattern)
      + [afterLine(finding)]
      + (finding.first.map { sightingLines([$0], of: 1, below: "") } ?? [])
  }

  /// What they had to come after.
  func afterLine(_ finding: EarlyRequests) -> String {
    let name = outlet.line(finding.after)
    let place = outlet.line(finding.afterLocation.description)
    return "\"\(name)\" (\(place)) \(finding.first == nil ? "never came" : "came first as:")"
  }

  /// Which objects of a fixture an expectation with `forEach` stands for.
  func objectLines(_ objects: [FixtureObject]) -> [String] {
    objects.map { outlet.line("for \($0.location.description), \($0.path)") }
  }

  /// A path of a `where` that finds nothing, and what may have been meant.
  func words(for path: BlindPath) -> String {
    let meant = path.nearest.map { "\"\(outlet.line($0))\"" }
    return outlet.line(path.text)
      + (meant.isEmpty ? "" : " Did you mean \(meant.joined(separator: ", "))?")
  }

  static let takenNearMiss = "nearest, although it belongs to another expectation"

  static let nothingWasSent =
    "the app sent no request at all, though it answered these actions without an error"

  /// Which requests were counted, where not all were.
  func scopeLines(_ scope: WrongCount.Scope) -> [String] {
    switch scope {
    case .expected: []
    case .sends(let step): ["from \(name(of: step))"]
    case .expectRequests(let step): ["before \(name(of: step))"]
    }
  }

  func details(_ finding: UnexpectedRequest) -> [String] {
    guard let first = finding.occurrences.first else { return [] }
    let during = finding.during.map { "not among the \"sends\" of \(name(of: $0))" }
    return requestLines(first) + during + stubbingLines(finding) + lines(finding.nearestStub)
      + sightingLines(finding.occurrences, of: finding.count, below: first.line)
  }

  /// Why a request that a stub answered has to be named, and what to do.
  func stubbingLines(_ finding: UnexpectedRequest) -> [String] {
    switch finding.stubbing {
    case nil: []
    case .hostIsTracked?:
      ["answered by a stub; its host is in \"tracking\", so it has to be named"]
    case .isDecoded?:
      ["answered by a stub; a decoder looks at it and finds no event, so it has to be named"]
    case .everyHostIsTracked?:
      [
        "answered by a stub, and no expectation names it. If it tracks nothing, list the",
        "hosts of your trackers as \"tracking\" in .scenario-run.json: then only their",
        "requests have to be named where a stub answers.",
      ]
    }
  }

  /// What a request without an answer may have been meant for.
  func lines(_ stub: NearestStub?) -> [String] {
    stub.map { stub in
      WordWrap.lines("no stub; " + DifferenceText(outlet).line(stub), width: width - 6)
    } ?? []
  }

  private func elsewhereLines(_ finding: WrongCount) -> [String] {
    guard !finding.elsewhere.isEmpty else { return [] }
    return [style.paint("it came from elsewhere:", .yellow)]
      + sightingLines(finding.elsewhere, of: finding.elsewhere.count, below: finding.pattern)
  }

  private func nearMissLines(_ finding: WrongCount) -> [String] {
    finding.nearMisses.flatMap(lines)
  }

  private func lines(_ miss: NearMiss) -> [String] {
    let times = miss.count == 1 ? "" : ", \(miss.count) times"
    var lines = requestLines(miss.request)
    lines.append(moment(of: miss.request))
    lines += DifferenceText(outlet, style: style, width: min(width, 2000) - 6)
      .lines(miss.differences)
    lines += self.lines(miss.nearestStub)
    let title = miss.isTaken ? Self.takenNearMiss : "sent instead\(times)"
    return [style.paint(title + ":", .yellow)] + lines.map { "  " + $0 }
  }

  func line(_ related: RelatedExpectation) -> String {
    let place = outlet.line(related.location.description)
    return
      "also not met: \(place): wanted \(related.wanted), got \(related.got)"
  }

  func requestLines(_ request: RequestOccurrence) -> [String] {
    URLText.lines(outlet.line(request.line), width: width - 6)
  }

  /// - Parameter shown: the URL that stands above, or the pattern: a URL is shown where it is another.
  func sightingLines(
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

  /// When, and by what.
  private func moment(of request: RequestOccurrence) -> String {
    let time = request.sentAt.map { " at \(Seconds.text($0))" } ?? ""
    return "sent\(time)\(words(for: request.cause))\(outcomeWords(for: request))"
  }

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

  /// The request in one line.
  func url(_ finding: UnexpectedRequest) -> String {
    guard let first = finding.occurrences.first else { return "" }
    return outlet.line(first.line)
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

/// Seconds, as people read them.
enum Seconds {
  static func text(_ seconds: Double) -> String {
    let thousandths = Int((max(0, min(seconds, 1e9)) * 1000).rounded())
    let fraction = String(1000 + thousandths % 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction) s"
  }

  static func text(_ duration: Duration) -> String {
    let hundredths = Int((duration / .milliseconds(10)).rounded())
    return "\(hundredths / 100).\(String(100 + hundredths % 100).dropFirst()) s"
  }
}
