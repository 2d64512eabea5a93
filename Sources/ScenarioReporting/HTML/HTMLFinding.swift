import HarnessWire
import ScenarioCore

/// One finding on the page.
struct HTMLFinding {
  // Wide: the page wraps by itself, and only what is longer than this is cut.
  private static let words = FindingText(width: 2000)

  private let finding: Finding
  private let scenario: ScenarioReference

  init(_ finding: Finding, in scenario: ScenarioReference) {
    self.finding = finding
    self.scenario = scenario
  }

  var text: String {
    """
    <article>
    <h3>\(HTMLText.short(title)) <span class="quiet">\(place)</span></h3>
    \(details.joined(separator: "\n"))
    </article>
    """
  }

  private var place: String { HTMLText.line(Self.words.place(finding, in: scenario)) }

  private var title: String {
    switch finding {
    case .wrongCount(let count): Self.words.title(count)
    case .unexpectedRequest(let request): Self.words.title(request)
    case .actionFailed(let failure): Self.words.title(failure)
    case .runError(let error): error.message
    }
  }

  private var details: [String] {
    switch finding {
    case .wrongCount(let count): details(of: count)
    case .unexpectedRequest(let request): details(of: request)
    case .actionFailed(let failure): preformatted(Self.words.details(failure))
    case .runError(let error): preformatted(Self.words.details(error))
    }
  }

  private func details(of count: WrongCount) -> [String] {
    var parts = [url(count.pattern)] + Self.words.scopeLines(count.scope).map(paragraph)
    parts += HTMLRequests.table(count.matched, of: count.got, below: count.pattern)
    if !count.elsewhere.isEmpty {
      parts.append("<h4>It came from elsewhere</h4>")
      parts += HTMLRequests.table(
        count.elsewhere, of: count.elsewhere.count, below: count.pattern)
    }
    parts += count.nearMisses.flatMap(HTMLRequests.nearMiss)
    if count.nothingWasSent { parts.append(paragraph(FindingText.nothingWasSent)) }
    return parts + count.related.map { paragraph(Self.words.line($0)) }
  }

  private func details(of request: UnexpectedRequest) -> [String] {
    let during = request.during.map {
      paragraph("not among the \"sends\" of \(Self.words.name(of: $0))")
    }
    return [url(request.url)] + during
      + HTMLRequests.table(request.sightings, of: request.count, below: request.url)
  }

  private func url(_ url: String) -> String { "<p><code>\(HTMLText.short(url))</code></p>" }

  private func paragraph(_ text: String) -> String { "<p>\(HTMLText.short(text))</p>" }

  private func preformatted(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["<pre>\(HTMLText.lines(lines.joined(separator: "\n")))</pre>"]
  }
}
