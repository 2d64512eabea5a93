import HarnessProtocol
import ScenarioCore
import SourceText

/// Findings on the page.
struct HTMLFinding {
  private let words: FindingText
  private let html: HTMLText
  private let differences: DifferenceText

  /// - Parameter outlet: hides the credentials of the result.
  init(_ outlet: Outlet) {
    // Wide: the page wraps by itself, and only what is longer than this is cut.
    words = FindingText(outlet, width: 2000)
    html = HTMLText(outlet)
    differences = DifferenceText(outlet, style: words.style, width: words.width)
  }

  func text(_ finding: Finding, in scenario: ScenarioReference) -> String {
    """
    <article>
    <h3>\(html.short(words.title(finding))) \
    <span class="quiet">\(html.line(words.place(finding, in: scenario)))</span></h3>
    \(words.parts(finding).flatMap(elements).joined(separator: "\n"))
    </article>
    """
  }

  private func elements(_ part: FindingPart) -> [String] {
    switch part {
    case .request(let text): ["<p><code>\(html.short(text))</code></p>"]
    case .sentence(let text), .hint(let text): ["<p>\(html.short(text))</p>"]
    case .heading(let text): ["<h4>\(text.capitalizedFirst)</h4>"]
    case .occurrences(let requests, let count, let shown): table(requests, of: count, below: shown)
    case .nearMiss(let miss): nearMiss(miss)
    case .lines(let lines):
      lines.isEmpty ? [] : ["<pre>\(html.lines(lines.joined(separator: "\n")))</pre>"]
    }
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
    let rows = miss.differences.map { difference in
      let (wanted, got) = differences.values(difference)
      return """
        <tr><th>\(html.short(differences.part(difference.part)))</th>\
        <td><del>\(html.short(wanted))</del></td>\
        <td><ins>\(html.short(got))</ins></td></tr>
        """
    }
    let table = """
      <table class="diff">
      <thead><tr><th></th><th>wanted</th><th>got</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """
    let stub = miss.nearestStub.map { elements(.sentence(words.sentence($0))) } ?? []
    return elements(.heading(words.title(miss))) + elements(.request(miss.request.line)) + [table]
      + stub + elements(.occurrences([miss.request], of: 1, below: miss.request.line))
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
    guard text.utf8.contains(where: special.contains) else { return text }
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

  private static let special = Array("&<>\"'".utf8)
}
