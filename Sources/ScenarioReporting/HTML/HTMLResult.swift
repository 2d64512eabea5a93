import ScenarioCore
import SourceText

/// One result on the page.
struct HTMLResult {
  private let result: ScenarioResult
  private let outlet: Outlet
  private let html: HTMLText
  private let anchor: String?

  /// - Parameters:
  ///   - outlet: the run's.
  ///   - anchor: its address in the page.
  init(_ result: ScenarioResult, _ outlet: Outlet, anchor: String?) {
    self.result = result
    self.anchor = anchor
    self.outlet = outlet.hiding(credentialsOf: result)
    html = HTMLText(self.outlet)
  }

  /// All that is known, to be folded and unfolded.
  ///
  /// - Parameter schedules: of a sweep, the same of each schedule that failed.
  func details(isOpen: Bool, schedules: [String] = []) -> String {
    let open = isOpen ? " open=\"open\"" : ""
    let hasPassed = result.verdict == .passed
    let parts =
      knownIssue + articles(result.findings) + story
      + list("schedules", schedules.map { "\n" + $0 }) + warnings
      + HTMLSource(outlet).text(result.findings + result.warnings) + earlierAttempts
      + HTMLTimeline(result.trace, outlet).text(isOpen: hasPassed) + output(result.output) + notes
    // The address is inside, so that a browser unfolds it by itself.
    return """
      <details class="result"\(open)>
      <summary><b>\(name)</b>\(tags) <span class="quiet">\(place) · \
      \(Seconds.text(result.duration))</span></summary>
      <div class="content"\(identifier)>
      \(parts.joined(separator: "\n"))
      </div>
      </details>

      """
  }

  private var identifier: String { anchor.map { " id=\"\(html.line($0))\"" } ?? "" }

  static let tableStart = "<table class=\"results\">\n<tbody>\n"
  static let tableEnd = "</tbody>\n</table>\n"

  /// A line of a table, for what needs no more.
  var row: String {
    "<tr\(identifier)><td>\(name)\(tags)\(reason)</td>"
      + "<td class=\"quiet\">\(place)</td>"
      + "<td class=\"time\">\(Seconds.text(result.duration))</td></tr>\n"
  }

  private var name: String { html.line(Self.name(of: result)) }

  static func name(of result: ScenarioResult) -> String {
    result.scenario.name + (result.repetition.map { " #\($0)" } ?? "")
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

  private func articles(_ findings: [Finding]) -> [String] {
    findings.map { HTMLFinding(outlet).text($0, in: result.scenario) }
  }

  private var knownIssue: [String] {
    result.knownIssue.map { ["<p>Known issue: \(html.short($0))</p>"] } ?? []
  }

  /// What a schedule made come otherwise than usual.
  private var story: [String] {
    guard result.verdict.isUnsuccessful else { return [] }
    return list("story", ScheduleText(outlet).notes(on: result).map(html.line))
  }

  private func list(_ kind: String, _ items: [String]) -> [String] {
    guard !items.isEmpty else { return [] }
    return ["<ul class=\"\(kind)\">"] + items.map { "<li>\($0)</li>" } + ["</ul>"]
  }

  private var warnings: [String] {
    (result.warnings.isEmpty ? [] : ["<h4>Warnings</h4>"]) + articles(result.warnings)
  }

  private var earlierAttempts: [String] {
    result.earlierAttempts.enumerated().map { index, attempt in
      """
      <section class="attempt">
      <h3>Attempt \(index + 1) \(attempt.verdict.rawValue)</h3>
      \(parts(of: attempt).joined(separator: "\n"))
      </section>
      """
    }
  }

  private func parts(of attempt: ScenarioResult) -> [String] {
    articles(attempt.findings) + HTMLTimeline(attempt.trace, outlet).text(isOpen: false)
      + output(attempt.output)
  }

  private var notes: [String] {
    let words = FindingText(outlet)
    let link = anchor.map { " · <a href=\"#\(html.line($0))\">link to this</a>" } ?? ""
    let command = "Run again: <code>\(html.line(words.rerunCommand(result)))</code>\(link)"
    return (words.remarks(on: result).map { html.line($0.capitalizedFirst) } + [command])
      .map { "<p class=\"note\">\($0)</p>" }
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
