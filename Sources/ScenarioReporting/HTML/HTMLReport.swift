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
    try writeSection("skipped", "Skipped", counts.skipped, to: sink) {
      try writeTable(results.all(.skipped), to: sink)
    }
    try writeSection("passed", "Passed", counts.passed, to: sink) {
      try writeTable(results.all(.passed).lazy.filter { !$0.isFlaky }, to: sink)
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
