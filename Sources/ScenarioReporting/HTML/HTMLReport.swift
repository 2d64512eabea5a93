import Foundation
import HarnessProtocol
import ScenarioCore

/// The run as one HTML page that needs nothing else: no network, and neither its script nor its style
/// sheet, which some CI servers take away.
///
/// It is well-formed XML too, so that any parser reads it.
package struct HTMLReport {
  /// So many results are shown with all that is known; the rest of a run that went wrong altogether has
  /// a line each.
  static let detailLimit = 500
  /// So many of them are unfolded.
  static let openLimit = 20
  /// So many that passed are shown with what happened in them.
  static let passedLimit = 2000

  private let result: RunResult
  private let outlet: Outlet
  private let anchors: HTMLAnchors

  package init(_ result: RunResult, _ outlet: Outlet = Outlet()) {
    self.result = result
    self.outlet = outlet
    anchors = HTMLAnchors(result.results, outlet)
  }

  package var text: String {
    String(decoding: ReportSink.bytes(write), as: UTF8.self)
  }

  package func write(to sink: ReportSink) throws {
    try HTMLPage(RunOutline(result, outlet)).write(to: sink) { try writeSections(to: sink) }
  }

  /// What went wrong comes first.
  private func writeSections(to sink: ReportSink) throws {
    let results = result.results
    let limit = Self.detailLimit
    try writeGroups(FailureGroups(results.unsuccessful, outlet).groups, to: sink)
    let passed = results.all(.passed).filter { !$0.isFlaky && $0.warnings.isEmpty }
    for (kind, title, results, limit) in [
      ("failed", "Failed", results.all(.failed), limit),
      ("errored", "Errored", results.all(.errored), max(0, limit - result.count(.failed))),
      ("flaky", "Flaky: passed after a failure", results.flaky, limit),
      ("known", "Known issues", results.known, limit),
      ("warned", "Passed, with warnings", results.warned.filter { !$0.isFlaky }, limit),
      ("skipped", "Skipped", results.all(.skipped), 0), ("passed", "Passed", passed, 0),
    ] where !results.isEmpty {
      try sink.write("<section class=\"\(kind)\">\n<h2>\(title)</h2>\n")
      if kind == "passed" {
        try writePassed(results, to: sink)
      } else {
        try writeDetails(results, limit: limit, to: sink)
      }
      try sink.write("</section>\n")
    }
  }

  /// What several scenarios have in common, and which these are.
  private func writeGroups(_ groups: [FailureGroups.Group], to sink: ReportSink) throws {
    guard !groups.isEmpty else { return }
    let html = HTMLText(outlet)
    let kinds = Set(groups.flatMap(\.results).map(\.verdict.rawValue)).sorted()
    try sink.write("<section class=\"groups \(kinds.joined(separator: " "))\">\n")
    try sink.write("<h2>What they have in common</h2>\n")
    for group in groups {
      let names = group.results.map { result in
        let name = html.line(HTMLResult.name(of: result))
        return anchors[result].map { "<li><a href=\"#\($0)\">\(name)</a></li>" }
          ?? "<li>\(name)</li>"
      }
      try sink.write(
        """
        <div>
        <p><b>\(group.results.count) scenarios</b>: \(html.short(group.difference))</p>
        <ul>
        \(names.joined(separator: "\n"))
        </ul>
        </div>

        """)
    }
    try sink.write("</section>\n")
  }

  /// Folded, where it is known what happened.
  private func writePassed(_ results: [ScenarioResult], to sink: ReportSink) throws {
    let shown = results.prefix(Self.passedLimit).filter { !$0.trace.actions.isEmpty }
    for result in shown { try sink.write(details(result, isOpen: false)) }
    let places = Set(shown.map(\.index))
    try writeTable(results.filter { !places.contains($0.index) }, to: sink)
  }

  /// - Parameter schedules: of a sweep, those that failed.
  private func details(
    _ result: ScenarioResult, isOpen: Bool, _ schedules: [String] = []
  ) -> String {
    HTMLResult(result, outlet, anchor: anchors[result])
      .details(isOpen: isOpen, schedules: schedules)
  }

  /// - Parameter limit: how many with all that is known; the rest in a table.
  private func writeDetails(
    _ results: some Sequence<ScenarioResult>, limit: Int, to sink: ReportSink
  ) throws {
    let trees = HTMLTree.trees(of: results)
    for (count, tree) in trees.prefix(limit).enumerated() {
      let schedules = tree.schedules.map { details($0, isOpen: false) }
      try sink.write(details(tree.result, isOpen: count < Self.openLimit, schedules))
    }
    if limit > 0, trees.count > limit { try sink.write("<p>And, in short:</p>\n") }
    try writeTable(trees.dropFirst(limit).flatMap { [$0.result] + $0.schedules }, to: sink)
  }

  private func writeTable(_ results: [ScenarioResult], to sink: ReportSink) throws {
    guard !results.isEmpty else { return }
    try sink.write(HTMLResult.tableStart)
    for result in results {
      try sink.write(HTMLResult(result, outlet, anchor: anchors[result]).row)
    }
    try sink.write(HTMLResult.tableEnd)
  }
}

/// A result, and those that are part of it: the schedules of a sweep that failed.
struct HTMLTree {
  var result: ScenarioResult
  var schedules: [ScenarioResult] = []

  /// A sweep's schedules come after it.
  static func trees(of results: some Sequence<ScenarioResult>) -> [HTMLTree] {
    results.reduce(into: []) { trees, result in
      if let last = trees.last?.result, last.sweep != nil, result.schedule != nil,
        last.index == result.index
      {
        trees[trees.count - 1].schedules.append(result)
      } else {
        trees.append(HTMLTree(result: result))
      }
    }
  }
}

/// What stands around the results: what came out, of which run, and the choice of what to see.
struct HTMLPage {
  /// The element with what a shard tells of itself begins its line so.
  static let shardStart = "<meta name=\"scenario-run\""

  private let run: RunOutline
  private var counts: RunCounts { run.counts }

  init(_ run: RunOutline) { self.run = run }

  func write(to sink: ReportSink, _ sections: () throws -> Void) throws {
    try sink.write(head)
    try sections()
    try sink.write("</main>\n<script>\(HTMLStyle.script)</script>\n</body>\n</html>\n")
  }

  private var head: String {
    let title = HTMLText(Outlet()).line(counts.text())
    let shard = run.told.map {
      "\(Self.shardStart)\(XMLText.attribute("content", $0.text(.report)))/>\n"
    }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(HTMLStyle.policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      \(shard ?? "")<title>\(title) – scenario-run</title>
      <style>\(HTMLStyle.sheet)\(Self.kinds.map(HTMLStyle.filter).joined())</style>
      </head>
      <body>
      <header class="\(counts.isSuccessful ? "good" : "bad")">
      <h1>\(title)</h1>
      <dl>\(facts.map(fact).joined())</dl>
      </header>
      <div class="filters" hidden="hidden">
      \(buttons)<input type="search" id="search" hidden="hidden" \
      placeholder="search: names, requests, bodies ( / )" aria-label="search"/>
      <output id="found" class="quiet"></output>
      </div>
      <main>

      """
  }

  private var facts: [(String, String)] {
    let header = run.header
    let optional: [(String, String?)] = [
      ("started", EventsVersion1.timestamp(header.startedAt)),
      ("took", Seconds.text(run.duration)), ("jobs", "\(header.jobs)"),
      ("shard", header.shard.map { "\($0.index) of \($0.total)" }),
      ("flaky scenarios", counts.failsOnFlaky && counts.flaky > 0 ? "fail the run" : nil),
      ("interrupted by signal", run.signal.map { "\($0)" }),
      ("network", header.seal.map { SealText.line($0).replacing("network: ", with: "") }),
      ("scenario-run", header.version),
    ]
    return optional.compactMap { name, value in value.map { (name, $0) } }
  }

  private func fact(_ name: String, _ value: String) -> String {
    "<div><dt>\(name)</dt><dd>\(HTMLText(Outlet()).line(value))</dd></div>"
  }

  static let kinds = ["failed", "errored", "flaky", "known", "warned", "skipped", "passed"]

  /// Radio buttons, which the style sheet obeys; the search is the script's. Hidden where neither is
  /// there.
  private var buttons: String {
    let numbers = [
      counts.failed, counts.errored, counts.flaky, counts.known, counts.passedWithWarnings,
      counts.skipped, counts.passed - counts.passedWithWarnings,
    ]
    let kinds = zip(Self.kinds, numbers).filter { $0.1 > 0 }
    guard kinds.count > 1 else { return "" }
    return ([("all", "all")] + kinds.map { ($0.0, "\($0.1) \($0.0)") }).map { kind, label in
      let checked = kind == "all" ? " checked=\"checked\"" : ""
      return """
        <input type="radio" name="show" id="show-\(kind)" value="\(kind)"\(checked)/>\
        <label for="show-\(kind)">\(label)</label>

        """
    }.joined()
  }
}

/// The address of each result in the page: the same in each run, as long as its path and its case are.
struct HTMLAnchors {
  /// By the place in the plan, and the schedule that a sweep tried.
  private var anchors: [Place: String] = [:]

  private struct Place: Hashable {
    var index: Int
    var schedule: Schedule?

    init(_ result: ScenarioResult) { (index, schedule) = (result.index, result.schedule) }
  }

  /// - Parameter outlet: the run's.
  init(_ results: ScenarioResults, _ outlet: Outlet) {
    let names = ResultNames()
    for result in results {
      let words = [
        result.scenario.path, result.scenario.caseName, result.repetition.map { "run \($0)" },
        result.schedule?.description,
      ]
      let text = outlet.masked(words.compactMap(\.self).joined(separator: " "))
      anchors[Place(result)] = names.unique(Self.plain(text)).replacing(" ", with: "-")
    }
  }

  subscript(_ result: ScenarioResult) -> String? { anchors[Place(result)] }

  /// Letters and digits of all scripts, and what a path is made of.
  private static func plain(_ text: String) -> String {
    String(text.map { $0.isLetter || $0.isNumber || "./_".contains($0) ? $0 : "-" })
  }
}
