import Foundation
import ScenarioCore

/// The run as one HTML page that needs nothing else: no network, no script.
///
/// It is well-formed XML too, so that any parser reads it, and makes sense without its style sheet,
/// which some CI servers take away.
package struct HTMLReport {
  /// So many results are shown with all that is known; the rest of a run that went wrong altogether has
  /// a line each.
  static let detailLimit = 500
  /// So many of them are unfolded.
  static let openLimit = 20

  private let result: RunResult
  private let counts: RunCounts
  private let outlet: Outlet

  package init(_ result: RunResult, _ outlet: Outlet = Outlet()) {
    self.result = result
    self.outlet = outlet
    counts = RunCounts(result)
  }

  package var text: String {
    String(decoding: ReportSink.bytes(write), as: UTF8.self)
  }

  package func write(to sink: ReportSink) throws {
    try sink.write(head)
    try writeSections(to: sink)
    try sink.write("</main>\n</body>\n</html>\n")
  }

  private var head: String {
    let title = HTMLText(outlet).line(counts.text) + " – scenario-run"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(HTMLStyle.policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <title>\(title)</title>
      <style>\(HTMLStyle.sheet)</style>
      </head>
      <body>
      \(HTMLHeading(result, counts).text)
      <main>

      """
  }

  /// What went wrong comes first.
  private func writeSections(to sink: ReportSink) throws {
    let results = result.results
    let limit = Self.detailLimit
    try writeSection("failed", "Failed", counts.failed, to: sink) {
      try writeDetails(results.all(.failed), limit: limit, to: sink)
    }
    try writeSection("errored", "Errored", counts.errored, to: sink) {
      try writeDetails(results.all(.errored), limit: max(0, limit - counts.failed), to: sink)
    }
    try writeSection("flaky", "Flaky: passed after a failure", counts.flaky, to: sink) {
      try writeDetails(results.flaky, limit: limit, to: sink)
    }
    try writeSection("known", "Known issues", counts.known, to: sink) {
      try writeDetails(results.known, limit: limit, to: sink)
    }
    let warned = results.warned.filter { !$0.isFlaky }
    try writeSection("warned", "Passed, with warnings", warned.count, to: sink) {
      try writeDetails(warned, limit: limit, to: sink)
    }
    try writeSection("skipped", "Skipped", counts.skipped, to: sink) {
      try writeTable(results.all(.skipped), to: sink)
    }
    let passed = results.all(.passed).filter { !$0.isFlaky && $0.warnings.isEmpty }
    try writeSection("passed", "Passed", passed.count, to: sink) {
      try writeTable(passed, to: sink)
    }
  }

  private func writeSection(
    _ kind: String, _ title: String, _ count: Int, to sink: ReportSink, _ content: () throws -> Void
  ) throws {
    guard count > 0 else { return }
    try sink.write("<section class=\"\(kind)\">\n<h2>\(title)</h2>\n")
    try content()
    try sink.write("</section>\n")
  }

  /// - Parameter limit: how many with all that is known; the rest in a table.
  private func writeDetails(
    _ results: some Sequence<ScenarioResult>, limit: Int, to sink: ReportSink
  ) throws {
    var count = 0
    for result in results {
      if count < limit {
        try sink.write(HTMLResult(result, outlet).details(isOpen: count < Self.openLimit))
      } else {
        if count == limit { try sink.write("<p>And, in short:</p>\n" + HTMLResult.tableStart) }
        try sink.write(HTMLResult(result, outlet).row)
      }
      count += 1
    }
    if count > limit { try sink.write(HTMLResult.tableEnd) }
  }

  private func writeTable(
    _ results: some Sequence<ScenarioResult>, to sink: ReportSink
  ) throws {
    try sink.write(HTMLResult.tableStart)
    for result in results { try sink.write(HTMLResult(result, outlet).row) }
    try sink.write(HTMLResult.tableEnd)
  }
}

/// The top of the page: what came out, of which run, and the choice of what to see.
struct HTMLHeading {
  private let result: RunResult
  private let counts: RunCounts

  init(_ result: RunResult, _ counts: RunCounts) {
    self.result = result
    self.counts = counts
  }

  var text: String {
    let state = counts.isSuccessful ? "good" : "bad"
    return """
      <header class="\(state)">
      <h1>\(HTMLText(Outlet()).line(counts.text))</h1>
      <dl>\(facts.map(fact).joined())</dl>
      </header>
      \(choices.joined(separator: "\n"))
      """
  }

  private var facts: [(String, String)] {
    guard let header = result.header else { return [] }
    let optional: [(String, String?)] = [
      ("started", EventsVersion1.timestamp(header.startedAt)),
      ("took", Seconds.text(result.duration)), ("jobs", "\(header.jobs)"),
      ("shard", header.shard.map { "\($0.index) of \($0.total)" }),
      ("shuffled with seed", header.shuffleSeed.map { "\($0)" }),
      ("flaky scenarios", counts.failsOnFlaky && counts.flaky > 0 ? "fail the run" : nil),
      ("interrupted by signal", result.interruptingSignal.map { "\($0)" }),
      ("network", header.seal.map { SealText.line($0) }),
      ("scenario-run", header.version),
    ]
    return optional.compactMap { name, value in value.map { (name, $0) } }
  }

  private func fact(_ name: String, _ value: String) -> String {
    "<div><dt>\(name)</dt><dd>\(HTMLText(Outlet()).line(value))</dd></div>"
  }

  /// Radio buttons, which the style sheet obeys.
  private var choices: [String] {
    let kinds = [
      ("failed", counts.failed), ("errored", counts.errored), ("flaky", counts.flaky),
      ("known", counts.known), ("warned", warned), ("skipped", counts.skipped),
      ("passed", counts.passed - warned),
    ].filter { $0.1 > 0 }
    guard kinds.count > 1 else { return [] }
    return [choice("all", "all", isChecked: true)]
      + kinds.map { choice($0.0, "\($0.1) \($0.0)", isChecked: false) }
  }

  /// Flaky ones are shown among the flaky.
  private var warned: Int {
    result.results.warned.count { !$0.isFlaky }
  }

  private func choice(_ kind: String, _ label: String, isChecked: Bool) -> String {
    let checked = isChecked ? " checked=\"checked\"" : ""
    return """
      <input type="radio" name="show" id="show-\(kind)"\(checked)/><label for="show-\(kind)">\(label)</label>
      """
  }
}

/// How the page looks.
enum HTMLStyle {
  /// Nothing but the style sheet in the page: no script, nothing from elsewhere.
  static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  // In a `style` element of XML a `<` or a `&` would need an escape that HTML does not know: there is
  // none, and no `>`.
  static let sheet = """

    :root { color-scheme: light dark; --text: #1c2024; --quiet: #60646c; --page: #ffffff;
      --panel: #f6f7f9; --line: #d9dce1; --good: #18794e; --bad: #ca2a2a; --warn: #9a6700;
      --wanted: #e3f5ea; --got: #fdecec; }
    @media (prefers-color-scheme: dark) { :root { --text: #edeef0; --quiet: #a0a6ae;
      --page: #14171a; --panel: #1d2125; --line: #363b41; --good: #4cc38a; --bad: #ff8589;
      --warn: #f1a10d; --wanted: #12331f; --got: #43191c; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 75rem; padding: 1rem; background: var(--page);
      color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; }
    h1, h2, h3, h4, p, dl { margin: 0; overflow-wrap: anywhere; }
    h1 { font-size: 1.5rem; } .bad h1 { color: var(--bad); } .good h1 { color: var(--good); }
    h2 { font-size: 1.125rem; margin: 1.5rem 0 0.5rem; }
    h3 { font-size: 1rem; } h4 { font-size: 0.9375rem; margin-top: 0.5rem; color: var(--warn); }
    dl { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 0.25rem 0 1rem; }
    dl div { display: flex; gap: 0.4rem; } dt { color: var(--quiet); } dd { margin: 0; }
    code, pre, del, ins { font-family: ui-monospace, monospace; font-size: 0.875rem; }
    code, del, ins, td, th, summary { overflow-wrap: anywhere; }
    pre { margin: 0.5rem 0 0; max-height: 30rem; overflow: auto; white-space: pre-wrap;
      overflow-wrap: anywhere; }
    input[name=show] { position: absolute; opacity: 0; }
    label { display: inline-block; border: 1px solid var(--line); border-radius: 1rem;
      padding: 0.1rem 0.75rem; margin: 0 0.25rem 0.25rem 0; cursor: pointer; }
    input:checked + label { background: var(--text); color: var(--page); }
    input:focus-visible + label { outline: 2px solid var(--warn); }
    #show-failed:checked ~ main section:not(.failed):not(.attempt),
    #show-errored:checked ~ main section:not(.errored):not(.attempt),
    #show-flaky:checked ~ main section:not(.flaky):not(.attempt),
    #show-known:checked ~ main section:not(.known):not(.attempt),
    #show-warned:checked ~ main section:not(.warned):not(.attempt),
    #show-skipped:checked ~ main section:not(.skipped):not(.attempt),
    #show-passed:checked ~ main section:not(.passed):not(.attempt) { display: none; }
    .result { background: var(--panel); border-left: 4px solid var(--bad); padding: 0.5rem 0.75rem;
      margin-bottom: 0.5rem; content-visibility: auto; contain-intrinsic-size: auto 3rem; }
    .flaky .result, .known .result, .warned .result { border-color: var(--warn); }
    summary { cursor: pointer; }
    .quiet { color: var(--quiet); font-size: 0.875rem; font-weight: normal; }
    .tag { color: var(--quiet); font-size: 0.8125rem; border: 1px solid var(--line);
      border-radius: 0.75rem; padding: 0 0.4rem; font-style: normal; font-weight: normal; }
    article { border-top: 1px solid var(--line); margin-top: 0.5rem; padding-top: 0.5rem; }
    .attempt { border-top: 1px solid var(--line); margin-top: 0.5rem; padding-top: 0.5rem; }
    .result p { margin-top: 0.25rem; } .note { font-size: 0.875rem; color: var(--quiet); }
    .result .note { margin-top: 0.5rem; }
    table { border-collapse: collapse; margin-top: 0.25rem; max-width: 100%; }
    td, th { text-align: left; vertical-align: top; padding: 0.15rem 1rem 0.15rem 0;
      font-weight: normal; }
    thead th { color: var(--quiet); font-size: 0.875rem; }
    .time { white-space: nowrap; font-variant-numeric: tabular-nums; }
    del, ins { text-decoration: none; padding: 0.05rem 0.3rem; border-radius: 0.2rem; }
    del { background: var(--wanted); } ins { background: var(--got); }
    .results { width: 100%; } .results tr { border-top: 1px solid var(--line); }
    .output { margin-top: 0.5rem; }
    @media (max-width: 40rem) { body { padding: 0.5rem; } .results td { display: block;
      padding: 0; } td, th { padding-right: 0.5rem; } }

    """
}
