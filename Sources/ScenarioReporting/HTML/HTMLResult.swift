import ScenarioCore

/// One result on the page.
struct HTMLResult {
  private let result: ScenarioResult
  private let outlet: Outlet
  private let html: HTMLText

  /// - Parameter outlet: the run's.
  init(_ result: ScenarioResult, _ outlet: Outlet) {
    self.result = result
    self.outlet = outlet.hiding(credentialsOf: result)
    html = HTMLText(self.outlet)
  }

  /// All that is known, to be folded and unfolded.
  func details(isOpen: Bool) -> String {
    let open = isOpen ? " open=\"open\"" : ""
    let parts =
      knownIssue + findings(of: result) + warnings + earlierAttempts + notes
      + output(result.output)
    return """
      <details class="result" id="result-\(result.index)"\(open)>
      <summary><b>\(name)</b>\(tags) <span class="quiet">\(place) · \
      \(Seconds.text(result.duration))</span></summary>
      \(parts.joined(separator: "\n"))
      </details>

      """
  }

  static let tableStart = "<table class=\"results\">\n<tbody>\n"
  static let tableEnd = "</tbody>\n</table>\n"

  /// A line of a table, for what needs no more.
  var row: String {
    "<tr><td>\(name)\(tags)\(reason)</td>"
      + "<td class=\"quiet\">\(place)</td>"
      + "<td class=\"time\">\(Seconds.text(result.duration))</td></tr>\n"
  }

  private var name: String {
    let repetition = result.repetition.map { " #\($0)" } ?? ""
    return html.line(result.scenario.name) + repetition
  }

  private var tags: String {
    result.scenario.tags.map { " <i class=\"tag\">\(html.line($0))</i>" }.joined()
  }

  private var reason: String {
    let finding = (result.findings + result.warnings).first.map {
      FindingText(outlet).headline($0)
    }
    guard let reason = result.skipReason ?? result.knownIssue ?? finding else { return "" }
    return "<br/><span class=\"quiet\">\(html.short(reason))</span>"
  }

  private var place: String { html.line(result.scenario.place) }

  private func findings(of result: ScenarioResult) -> [String] {
    result.findings.map { HTMLFinding($0, in: result.scenario, outlet).text }
  }

  private var knownIssue: [String] {
    result.knownIssue.map { ["<p>Known issue: \(html.short($0))</p>"] } ?? []
  }

  private var warnings: [String] {
    result.warnings.isEmpty
      ? []
      : ["<h4>Warnings</h4>"]
        + result.warnings.map { HTMLFinding($0, in: result.scenario, outlet).text }
  }

  private var earlierAttempts: [String] {
    result.earlierAttempts.enumerated().map { index, attempt in
      """
      <section class="attempt">
      <h3>Attempt \(index + 1) \(attempt.verdict.rawValue)</h3>
      \((findings(of: attempt) + output(attempt.output)).joined(separator: "\n"))
      </section>
      """
    }
  }

  private var notes: [String] {
    var notes: [String] = []
    if result.unjudgedExpectations > 0 {
      notes.append(
        "Expectations that were not judged, because the actions stopped early: "
          + "\(result.unjudgedExpectations)")
    }
    if let folder = result.keptFolder { notes.append("Kept: \(html.line(folder))") }
    let command = FindingText(outlet).rerunCommand(result)
    notes.append("Run again: <code>\(html.line(command))</code>")
    return notes.map { "<p class=\"note\">\($0)</p>" }
  }

  /// Cut as in the JUnit report.
  private func output(_ output: AppOutput) -> [String] {
    [("stdout", output.standardOutput), ("stderr", output.standardError)].compactMap {
      name, text in
      guard !text.isEmpty else { return nil }
      let shown = TerminalEscapes.removed(
        from: outlet.masked(text).cut(to: JUnitReport.outputLimitBytes))
      return """
        <details class="output"><summary>\(name) of the app</summary>
        <pre>\(html.lines(shown))</pre>
        </details>
        """
    }
  }
}
