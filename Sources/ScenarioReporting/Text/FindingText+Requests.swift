import HarnessWire
import ScenarioCore

extension FindingText {
  func headline(_ finding: WrongCount) -> String {
    "wanted \(finding.wanted)\(words(for: finding.scope)), got \(finding.got)"
  }

  func headline(_ finding: UnexpectedRequest) -> String {
    let times = finding.count == 1 ? "" : " \(finding.count) times"
    let kinds = finding.distinctCount == 1 ? "" : ", in \(finding.distinctCount) different requests"
    guard !finding.during.isEmpty else { return "sent\(times)\(kinds), but expected by nothing" }
    let actions = finding.during.map(name).joined(separator: "; ")
    return "sent\(times)\(kinds), but not expected by the \"sends\" of \(actions)"
  }

  private func words(for scope: WrongCount.Scope) -> String {
    switch scope {
    case .expected: ""
    case .sends(let step): " from \(name(of: step))"
    case .expectRequests(let step): " by the time of \(name(of: step))"
    }
  }

  func details(_ finding: WrongCount) -> [String] {
    var lines = URLText.lines(finding.pattern, width: width - 4)
    lines += sightingLines(finding.matched, of: finding.got)
    lines += elsewhereLines(finding)
    lines += nearMissLines(finding)
    if finding.nothingWasSent { lines.append("the app sent no request at all") }
    return lines + finding.related.map(line)
  }

  func details(_ finding: UnexpectedRequest) -> [String] {
    guard let first = finding.sightings.first else { return [] }
    return requestLines(first) + sightingLines(finding.sightings, of: finding.count)
  }

  private func elsewhereLines(_ finding: WrongCount) -> [String] {
    guard !finding.elsewhere.isEmpty else { return [] }
    return [style.paint("it came from elsewhere:", .yellow)]
      + sightingLines(finding.elsewhere, of: finding.elsewhere.count)
  }

  private func nearMissLines(_ finding: WrongCount) -> [String] {
    finding.nearMisses.flatMap(lines)
  }

  private func lines(_ miss: NearMiss) -> [String] {
    let times = miss.count == 1 ? "" : ", \(miss.count) times"
    var lines = requestLines(miss.request)
    lines.append(moment(of: miss.request))
    lines += DifferenceText(style: style, width: width - 6).lines(miss.differences)
    return [style.paint("instead came\(times):", .yellow)] + lines.map { "  " + $0 }
  }

  private func line(_ related: RelatedExpectation) -> String {
    let place = Sanitizer.line(related.location.description)
    return
      "so also \(place): wanted \(related.wanted)\(words(for: related.scope)), got \(related.got)"
  }

  private func requestLines(_ request: RequestSighting) -> [String] {
    let method = request.method.map { $0 == "GET" ? "" : Sanitizer.line($0) + " " } ?? ""
    return URLText.lines(method + request.url, width: width - 6)
  }

  private func sightingLines(_ sightings: [RequestSighting], of count: Int) -> [String] {
    let lines = sightings.map { "  " + moment(of: $0) }
    let more = count - sightings.count
    return more > 0 ? lines + ["  … and \(more) more"] : lines
  }

  /// When, and by what.
  private func moment(of request: RequestSighting) -> String {
    let time = request.time.map { " at \(Seconds.text($0))" } ?? ""
    let cancelled = request.isCancelled ? ", cancelled by the app" : ""
    return "sent\(time)\(words(for: request.cause))\(words(for: request.answer))\(cancelled)"
  }

  private func words(for cause: RequestCause?) -> String {
    switch cause {
    case .launch?: " by the launch"
    case .step(let step)?: " by \(name(of: step))"
    case .shutdown?: " after the last action"
    case nil: ""
    }
  }

  private func words(for answer: RecordedRequest.Answer?) -> String {
    switch answer {
    case .offline?: ", while offline"
    case .fault?: ", answered with a fault"
    case .stub?, .default?, nil: ""
    }
  }

  func name(of step: StepReference) -> String {
    "action \(step.id), \(Sanitizer.line(step.title))"
  }
}

/// Seconds, as people read them.
enum Seconds {
  static func text(_ seconds: Double) -> String {
    let hundredths = Int((max(0, min(seconds, 1e9)) * 1000).rounded())
    let fraction = String(1000 + hundredths % 1000).dropFirst()
    return "\(hundredths / 1000).\(fraction) s"
  }

  static func text(_ duration: Duration) -> String {
    let hundredths = Int((duration / .milliseconds(10)).rounded())
    return "\(hundredths / 100).\(String(100 + hundredths % 100).dropFirst()) s"
  }
}
