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

  private static let words = FindingText(width: 100)

  private let result: RunResult
  private let counts: RunCounts

  init(_ result: RunResult) {
    self.result = result
    counts = RunCounts(result)
  }

  /// - Parameter room: how many bytes there are.
  /// - Returns: whole entries, as many as there is room for; `nil` where there is none for the counts.
  func text(room: Int) -> String? {
    var text = heading
    guard text.utf8.count + Self.endingBytes <= room else { return nil }
    var left = counts.failed + counts.errored + counts.flaky
    let told = [AnySequence(result.results.unsuccessful), AnySequence(result.results.flaky)]
    for result in told.lazy.joined() {
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

      | passed | flaky | failed | errored | skipped | not run | time |
      | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | \(counts.passed) | \(counts.flaky) | \(counts.failed) | \(counts.errored) \
      | \(counts.skipped) | \(counts.notRun) | \(Seconds.text(result.duration)) |


      """
  }

  private func ending(leftOut count: Int) -> String {
    """
    \(count) more \(count == 1 ? "is" : "are") not shown: a step summary holds 1 MiB. The log and the \
    reports have them all.

    """
  }

  private func entry(_ result: ScenarioResult) -> String {
    let place = HTMLText.line(result.scenario.place)
    return """
      <details><summary>\(mark(result)) <b>\(HTMLText.line(result.scenario.name))</b> \
      <code>\(place)</code></summary>

      <pre>
      \(HTMLText.lines(cut(details(result))))
      </pre>

      </details>


      """
  }

  private func mark(_ result: ScenarioResult) -> String {
    guard result.isFlaky else { return "❌ \(result.verdict.rawValue)" }
    return counts.failsOnFlaky ? "❌ flaky" : "⚠️ flaky"
  }

  private func details(_ result: ScenarioResult) -> String {
    let shown = result.isFlaky ? result.earlierAttempts.first ?? result : result
    return Self.words.text(of: shown)
      + "\n\nrun again: scenario-run \(ShellWord.quoted(result.scenario.place))"
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

  /// - Parameters:
  ///   - path: the value of `GITHUB_STEP_SUMMARY`.
  ///   - output: the log.
  package init(path: String, output: any TextOutput) {
    self.path = path
    self.output = output
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    guard case .runFinished = event else { return }
    let file = try LineOutput(path: path, isAppending: true)
    let room = StepSummary.limitBytes - Int(file.length ?? 0)
    if let text = StepSummary(result).text(room: room) {
      try file.write(Array(text.utf8))
    } else {
      let message = "The step summary is full: there is no room for this run."
      try output.write(
        WorkflowCommand(kind: .notice, title: "scenario-run", message: message).line + "\n")
    }
    try file.close()
  }
}
