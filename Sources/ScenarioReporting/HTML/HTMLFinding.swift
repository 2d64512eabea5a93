import HarnessProtocol
import ScenarioCore

/// One finding on the page.
struct HTMLFinding {
  private let finding: Finding
  private let scenario: ScenarioReference
  private let words: FindingText
  private let html: HTMLText
  private let requests: HTMLRequests

  /// - Parameter outlet: hides the credentials of the result.
  init(_ finding: Finding, in scenario: ScenarioReference, _ outlet: Outlet) {
    self.finding = finding
    self.scenario = scenario
    // Wide: the page wraps by itself, and only what is longer than this is cut.
    words = FindingText(outlet, width: 2000)
    html = HTMLText(outlet)
    requests = HTMLRequests(outlet)
  }

  var text: String {
    """
    <article>
    <h3>\(html.short(words.title(finding))) <span class="quiet">\(place)</span></h3>
    \(details.joined(separator: "\n"))
    </article>
    """
  }

  private var place: String { html.line(words.place(finding, in: scenario)) }

  private var details: [String] {
    switch finding {
    case .wrongCount(let count): details(of: count)
    case .tooEarly(let early): details(of: early)
    case .unexpectedRequest(let request): details(of: request)
    case .flaw(let flaw): details(of: flaw)
    case .actionFailed(let failure): preformatted(words.details(failure))
    case .fileDoubt(let doubt): preformatted(words.details(doubt))
    case .fixedIssue, .fileWarning, .sweep: []
    case .unseen: words.unseenLines.map(paragraph)
    case .runError(let error): preformatted(words.details(error))
    }
  }

  private func details(of count: WrongCount) -> [String] {
    var parts = [url(count.pattern)] + words.scopeLines(count.scope).map(paragraph)
    parts += words.objectLines(count.objects).map(paragraph)
    parts += requests.table(count.matched, of: count.got, below: count.pattern)
    if !count.elsewhere.isEmpty {
      parts.append("<h4>It came from elsewhere</h4>")
      parts += requests.table(
        count.elsewhere, of: count.elsewhere.count, below: count.pattern)
    }
    parts += count.nearMisses.flatMap(requests.nearMiss)
    parts += count.blindPaths.map { paragraph(words.words(for: $0)) }
    if count.nothingWasSent { parts.append(paragraph(FindingText.nothingWasSent)) }
    return parts + count.related.map { paragraph(words.line($0)) }
  }

  private func details(of early: EarlyRequests) -> [String] {
    [url(early.pattern)]
      + (words.scopeLines(early.scope) + words.objectLines(early.objects)).map(paragraph)
      + requests.table(early.occurrences, of: early.count, below: early.pattern)
      + [paragraph(words.afterLine(early))]
      + requests.table(early.first.map { [$0] } ?? [], of: 1, below: "")
  }

  private func details(of request: UnexpectedRequest) -> [String] {
    let during = request.during.map {
      paragraph("not among the \"sends\" of \(words.name(of: $0))")
    }
    let stubbing = words.stubbingLines(request)
    return [url(words.url(request))] + during
      + (stubbing.isEmpty ? [] : [paragraph(stubbing.joined(separator: " "))])
      + words.lines(request.nearestStub).map(paragraph)
      + requests.table(request.occurrences, of: request.count, below: words.url(request))
  }

  private func details(of flaw: DataFlaw) -> [String] {
    guard let first = flaw.occurrences.first else { return [] }
    return [url(first.line)] + words.flawLines(flaw).map(paragraph)
      + requests.table(flaw.occurrences, of: flaw.count, below: first.line)
  }

  private func url(_ url: String) -> String { "<p><code>\(html.short(url))</code></p>" }

  private func paragraph(_ text: String) -> String { "<p>\(html.short(text))</p>" }

  private func preformatted(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["<pre>\(html.lines(lines.joined(separator: "\n")))</pre>"]
  }
}

/// Requests on the page: when they were sent, by what, and in what they differ from the wanted one.
struct HTMLRequests {
  private let words: FindingText
  private let html: HTMLText
  private let differences: DifferenceText

  /// - Parameter outlet: hides the credentials of the result.
  init(_ outlet: Outlet) {
    words = FindingText(outlet, width: 2000)
    html = HTMLText(outlet)
    differences = DifferenceText(outlet, style: words.style, width: words.width)
  }

  /// - Parameters:
  ///   - count: how many there are, shown or not.
  ///   - shown: the URL that stands above, or the pattern: URLs are shown where one is another.
  func table(_ requests: [RequestOccurrence], of count: Int, below shown: String) -> [String] {
    guard !requests.isEmpty else { return [] }
    let hasURLs = !requests.allSatisfy { shown.hasSuffix($0.line) }
    let rows = requests.map { row($0, hasURL: hasURLs) }.joined(separator: "\n")
    let more = count - requests.count
    return [
      """
      <table class="requests">
      <thead><tr><th>sent at</th><th>by</th>\(hasURLs ? "<th>request</th>" : "")</tr></thead>
      <tbody>
      \(rows)
      </tbody>
      </table>
      """
    ] + (more > 0 ? ["<p>… and \(more) more</p>"] : [])
  }

  func nearMiss(_ miss: NearMiss) -> [String] {
    let times = miss.count == 1 ? "" : ", \(miss.count) times"
    let rows = miss.differences.map { difference in
      let (wanted, got) = differences.values(difference)
      return """
        <tr><th>\(html.short(differences.part(difference.part)))</th>\
        <td><del>\(html.short(wanted))</del></td>\
        <td><ins>\(html.short(got))</ins></td></tr>
        """
    }
    return [
      miss.isTaken
        ? "<h4>Nearest, although it belongs to another expectation</h4>"
        : "<h4>Sent instead\(times)</h4>",
      "<p><code>\(html.short(miss.request.line))</code></p>",
      """
      <table class="diff">
      <thead><tr><th></th><th>wanted</th><th>got</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """,
    ] + words.lines(miss.nearestStub).map { "<p>\(html.short($0))</p>" }
      + table([miss.request], of: 1, below: miss.request.line)
  }

  private func row(_ request: RequestOccurrence, hasURL: Bool) -> String {
    let time = request.sentAt.map { Seconds.text($0) } ?? "unknown"
    let note = words.outcomeWords(for: request)
    let url = hasURL ? "<td><code>\(html.short(request.line))</code></td>" : ""
    return """
      <tr><td class="time">\(time)</td><td>\(cause(request))\(html.line(note))</td>\(url)</tr>
      """
  }

  private func cause(_ request: RequestOccurrence) -> String {
    switch request.cause {
    case .launch?: "the launch"
    case .step(let step)?: html.short(words.name(of: step))
    case .shutdown?: "the app, after the last action"
    case nil: "unknown"
    }
  }
}

/// Text inside HTML.
struct HTMLText {
  let outlet: Outlet

  init(_ outlet: Outlet) {
    self.outlet = outlet
  }

  /// One line, for an element or an attribute in quotes; what is not shown as it is is escaped
  /// visibly.
  func line(_ text: String) -> String { Self.escaped(outlet.line(text)) }

  /// One line, cut where nobody would read on.
  func short(_ text: String) -> String {
    let shown = outlet.line(text)
    let limit = 4000
    guard shown.utf8.count > limit, shown.count > limit else { return Self.escaped(shown) }
    return Self.escaped(String(shown.prefix(limit))) + "… (\(shown.count) characters)"
  }

  /// Several lines, for `pre`.
  func lines(_ text: String) -> String {
    outlet.lines(text).map(Self.escaped).joined(separator: "\n")
  }

  /// What may be shown as it is.
  func escaped(_ text: String) -> String { Self.escaped(text) }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: isSpecial) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      true
    default: false
    }
  }
}
