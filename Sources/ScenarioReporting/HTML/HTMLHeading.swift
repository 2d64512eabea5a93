import ScenarioCore

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
      ("skipped", counts.skipped), ("passed", counts.passed),
    ].filter { $0.1 > 0 }
    guard kinds.count > 1 else { return [] }
    return [choice("all", "all", isChecked: true)]
      + kinds.map { choice($0.0, "\($0.1) \($0.0)", isChecked: false) }
  }

  private func choice(_ kind: String, _ label: String, isChecked: Bool) -> String {
    let checked = isChecked ? " checked=\"checked\"" : ""
    return """
      <input type="radio" name="show" id="show-\(kind)"\(checked)/><label for="show-\(kind)">\(label)</label>
      """
  }
}
