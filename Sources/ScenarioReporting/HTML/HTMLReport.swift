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

  package init(_ result: RunResult) {
    self.result = result
    counts = RunCounts(result)
  }

  package var text: String {
    let title = HTMLText.line(counts.text) + " – scenario-run"
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
      \(sections.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  /// What went wrong comes first.
  private var sections: [String] {
    let unsuccessful = result.results.unsuccessful
    let failed = unsuccessful.filter { $0.verdict == .failed }
    let errored = unsuccessful.filter { $0.verdict == .errored }
    let flaky = result.results.flaky
    let erroredLimit = max(0, Self.detailLimit - failed.count)
    return [
      details("failed", "Failed", failed, limit: Self.detailLimit),
      details("errored", "Errored", errored, limit: erroredLimit),
      details("flaky", "Flaky: passed after a failure", flaky, limit: Self.detailLimit),
      table("skipped", "Skipped", result.results.filter { $0.verdict == .skipped }),
      table("passed", "Passed", result.results.filter { $0.verdict == .passed && !$0.isFlaky }),
    ].compactMap { $0 }
  }

  private func details(
    _ kind: String, _ title: String, _ results: [ScenarioResult], limit: Int
  ) -> String? {
    guard !results.isEmpty else { return nil }
    let shown = results.prefix(limit).enumerated().map { index, result in
      HTMLResult(result).details(isOpen: index < Self.openLimit)
    }
    let rest = results.dropFirst(limit)
    let table = rest.isEmpty ? [] : ["<p>And, in short:</p>", HTMLResult.table(rest)]
    return section(kind, title, shown + table)
  }

  private func table(_ kind: String, _ title: String, _ results: [ScenarioResult]) -> String? {
    results.isEmpty ? nil : section(kind, title, [HTMLResult.table(results[...])])
  }

  private func section(_ kind: String, _ title: String, _ content: [String]) -> String {
    """
    <section class="\(kind)">
    <h2>\(title)</h2>
    \(content.joined(separator: "\n"))
    </section>
    """
  }
}
