import ScenarioCore

/// The run as Markdown, for the page of a workflow run.
///
/// Text from scenarios and apps stands in HTML only, where Markdown has no meaning: in one line of a
/// block without blank lines, or in a `pre` that nothing in it can end.
struct StepSummary {
  /// GitHub takes so much of a step, and nothing at all of a longer summary.
  static let limitBytes = 1024 * 1024
  /// So much of one scenario.
  private static let entryLimitBytes = 64 * 1024
  /// Room for the sentence about what is left out.
  private static let endingBytes = 200

  private let result: RunResult
  private let counts: RunCounts
  private let outlet: Outlet

  init(_ result: RunResult, _ outlet: Outlet = Outlet()) {
    self.result = result
    self.outlet = outlet
    counts = RunCounts(result)
  }

  /// - Parameter room: how many bytes there are.
  /// - Returns: whole entries, as many as there is room for; `nil` where there is none for the counts.
  func text(room: Int) -> String? {
    var text = heading
    guard text.utf8.count + Self.endingBytes <= room else { return nil }
    let results = result.results
    let told =
      results.unsuccessful + results.flaky + results.known + results.warned.filter { !$0.isFlaky }
    var left = told.count
    for result in told {
      let entry = entry(result)
      guard text.utf8.count + entry.utf8.count + Self.endingBytes <= room else {
        return text + ending(leftOut: left)
      }
      text += entry
      left -= 1
    }
    return text
  }

  private var heading: String {
    let mark = counts.isSuccessful ? "✅" : "❌"
    return """
      ### \(mark) scenario-run: \(counts.text)

      | passed | flaky | failed | errored | known | skipped | not run | time |
      | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | \(counts.passed) | \(counts.flaky) | \(counts.failed) | \(counts.errored) \
      | \(counts.known) | \(counts.skipped) | \(counts.notRun) | \(Seconds.text(result.duration)) |


      """
  }

  private func ending(leftOut count: Int) -> String {
    """
    \(count) more \(count == 1 ? "is" : "are") not shown: a step summary holds 1 MiB. The log and the \
    reports have them all.

    """
  }

  private func entry(_ result: ScenarioResult) -> String {
    let outlet = outlet.hiding(credentialsOf: result)
    let html = HTMLText(outlet)
    let place = html.line(result.scenario.place)
    return """
      <details><summary>\(mark(result)) <b>\(html.line(result.scenario.name))</b> \
      <code>\(place)</code></summary>

      <pre>
      \(html.lines(cut(details(result, outlet))))
      </pre>

      </details>


      """
  }

  private func mark(_ result: ScenarioResult) -> String {
    if result.isKnown { return "⚠️ known issue" }
    if !result.verdict.isUnsuccessful, !result.isFlaky { return "⚠️ warning" }
    guard result.isFlaky else { return "❌ \(result.verdict.rawValue)" }
    return counts.failsOnFlaky ? "❌ flaky" : "⚠️ flaky"
  }

  private func details(_ result: ScenarioResult, _ outlet: Outlet) -> String {
    let shown = result.isFlaky ? result.earlierAttempts.first ?? result : result
    let text = FindingText(outlet, width: 100)
    return text.text(of: shown) + "\n\n" + text.rerun(result, with: "scenario-run")
  }

  private func cut(_ text: String) -> String {
    guard text.utf8.count > Self.entryLimitBytes else { return text }
    let beginning = String(decoding: text.utf8.prefix(Self.entryLimitBytes), as: UTF8.self)
    return beginning + "\n… (\(text.utf8.count - Self.entryLimitBytes) bytes left out)"
  }
}

/// Appends the summary to the step's when the run has ended.
package final class StepSummaryReporter: Reporter {
  package let name = "GitHub's step summary"
  private let path: String
  private let output: any TextOutput
  private let outlet: Outlet

  /// - Parameters:
  ///   - path: the value of `GITHUB_STEP_SUMMARY`.
  ///   - output: the log.
  package init(path: String, output: any TextOutput, outlet: Outlet = Outlet()) {
    self.path = path
    self.outlet = outlet
    self.output = output
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    guard case .runFinished = event else { return }
    let file = try LineOutput(path: path, isAppending: true)
    let room = StepSummary.limitBytes - Int(file.length ?? 0)
    if let text = StepSummary(result, outlet).text(room: room) {
      try file.write(Array(text.utf8))
    } else {
      let message = "The step summary is full: there is no room for this run."
      try output.write(
        WorkflowCommand(kind: .notice, title: "scenario-run", message: message).line + "\n")
    }
    try file.close()
  }
}
