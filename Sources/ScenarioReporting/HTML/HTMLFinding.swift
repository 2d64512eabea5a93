import HarnessWire
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
    <h3>\(html.short(title)) <span class="quiet">\(place)</span></h3>
    \(details.joined(separator: "\n"))
    </article>
    """
  }

  private var place: String { html.line(words.place(finding, in: scenario)) }

  private var title: String {
    switch finding {
    case .wrongCount(let count): words.title(count)
    case .unexpectedRequest(let request): words.title(request)
    case .actionFailed(let failure): words.title(failure)
    case .runError(let error): error.message
    }
  }

  private var details: [String] {
    switch finding {
    case .wrongCount(let count): details(of: count)
    case .unexpectedRequest(let request): details(of: request)
    case .actionFailed(let failure): preformatted(words.details(failure))
    case .runError(let error): preformatted(words.details(error))
    }
  }

  private func details(of count: WrongCount) -> [String] {
    var parts = [url(count.pattern)] + words.scopeLines(count.scope).map(paragraph)
    parts += requests.table(count.matched, of: count.got, below: count.pattern)
    if !count.elsewhere.isEmpty {
      parts.append("<h4>It came from elsewhere</h4>")
      parts += requests.table(
        count.elsewhere, of: count.elsewhere.count, below: count.pattern)
    }
    parts += count.nearMisses.flatMap(requests.nearMiss)
    if count.nothingWasSent { parts.append(paragraph(FindingText.nothingWasSent)) }
    return parts + count.related.map { paragraph(words.line($0)) }
  }

  private func details(of request: UnexpectedRequest) -> [String] {
    let during = request.during.map {
      paragraph("not among the \"sends\" of \(words.name(of: $0))")
    }
    let stubbing = words.stubbingLines(request)
    return [url(words.url(request))] + during
      + (stubbing.isEmpty ? [] : [paragraph(stubbing.joined(separator: " "))])
      + requests.table(request.sightings, of: request.count, below: words.url(request))
  }

  private func url(_ url: String) -> String { "<p><code>\(html.short(url))</code></p>" }

  private func paragraph(_ text: String) -> String { "<p>\(html.short(text))</p>" }

  private func preformatted(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["<pre>\(html.lines(lines.joined(separator: "\n")))</pre>"]
  }
}
