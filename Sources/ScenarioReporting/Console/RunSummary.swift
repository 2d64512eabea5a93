import ScenarioCore

/// The end of the console output: what did not pass, with the command that runs it again, and the
/// counts.
struct RunSummary {
  let options: ConsoleOptions

  func lines(_ result: RunResult) -> [String] {
    let unsuccessful = result.results.unsuccessful
    return unsuccessful.flatMap(lines)
      + (options.detail == .quiet && unsuccessful.isEmpty ? [] : [""])
      + [counts(result)]
  }

  private func lines(_ result: ScenarioResult) -> [String] {
    let style = options.style
    let outlet = options.outlet.hiding(credentialsOf: result)
    let text = FindingText(outlet, style: style, width: max(40, min(options.width(), 100)))
    let verdict = result.verdict == .failed ? "FAILED" : "ERRORED"
    var lines = ["", style.paint(verdict, .red) + "  " + outlet.line(result.scenario.name)]
    for finding in result.findings {
      lines += text.lines(finding, in: result.scenario).map { "  " + $0 }
    }
    lines += text.notes(on: result).map { "  " + $0 }
    return lines + ["  " + text.rerun(result.scenario, with: options.rerunCommand)]
  }

  private func counts(_ result: RunResult) -> String {
    let paints: [String: TextStyle.Paint] = [
      "passed": .green, "flaky": .yellow, "failed": .red, "errored": .red, "skipped": .yellow,
    ]
    let told = RunCounts(result).told.map { count, word in
      let text = "\(count) \(word)"
      return paints[word].map { options.style.paint(text, $0) } ?? text
    }
    let text = told.isEmpty ? "nothing ran" : told.joined(separator: ", ")
    return "\(text) in \(Seconds.text(result.duration))"
  }
}

/// One result in one line: verdict, name, time, and in few words why it did not pass.
struct ResultLine {
  let outlet: Outlet
  let style: TextStyle

  func line(_ result: ScenarioResult) -> String {
    let name = outlet.line(result.scenario.name)
    let repetition = result.repetition.map { " (\($0))" } ?? ""
    let time = style.paint(Seconds.text(result.duration), .dim)
    return "\(verdict(of: result))  \(name)\(repetition)  \(time)\(reason(of: result))"
  }

  private func verdict(of result: ScenarioResult) -> String {
    if result.isFlaky { return style.paint("flaky  ", .yellow) }
    return switch result.verdict {
    case .passed: style.paint("passed ", .green)
    case .failed: style.paint("FAILED ", .red)
    case .errored: style.paint("ERRORED", .red)
    case .skipped: style.paint("skipped", .yellow)
    }
  }

  private func reason(of result: ScenarioResult) -> String {
    if let reason = result.skipReason { return "  \(outlet.line(reason))" }
    let others = result.findings.count - 1
    return others > 0 ? "  \(result.findings.count) findings" : ""
  }
}

/// How many scenarios ended in which way; each is counted once.
struct RunCounts {
  /// Without the flaky ones.
  var passed: Int
  var flaky: Int
  var failed: Int
  var errored: Int
  var skipped: Int
  /// The run ended before they started.
  var notRun: Int
  /// Files with faults, where no result is errored by them: nothing of theirs was selected.
  var invalidFiles = 0
  /// Nothing was selected, which in a shard is none the worse.
  var hasNothingToRun = false
  /// Whether a flaky one makes the run fail.
  var failsOnFlaky = false

  /// Of a merged report.
  init(_ report: MergedReport) {
    flaky = report.flakyCount
    passed = report.count(.passed) - flaky
    failed = report.count(.failed)
    errored = report.count(.errored)
    skipped = report.count(.skipped)
    notRun = report.notRunCount
  }

  init(_ result: RunResult) {
    flaky = result.results.flakyCount
    passed = result.count(.passed) - flaky
    failed = result.count(.failed)
    errored = result.count(.errored)
    skipped = result.count(.skipped)
    notRun = max(0, (result.header?.scenarioCount ?? 0) - result.results.count)
    failsOnFlaky = result.header?.failsOnFlaky ?? false
    let faulty = result.diagnostics.filter { $0.severity == .error }.map(\.path)
    invalidFiles = errored == 0 ? Set(faulty).count : 0
    hasNothingToRun = result.header?.scenarioCount == 0 && result.header?.shard == nil
  }

  var isSuccessful: Bool {
    failed == 0 && errored == 0 && notRun == 0 && invalidFiles == 0 && !hasNothingToRun
      && !(failsOnFlaky && flaky > 0)
  }

  /// The counts that are not 0, each with its word.
  var told: [(count: Int, word: String)] {
    [
      (passed, "passed"), (flaky, "flaky"), (failed, "failed"), (errored, "errored"),
      (skipped, "skipped"), (notRun, "not run"),
      (invalidFiles, invalidFiles == 1 ? "invalid file" : "invalid files"),
    ].filter { $0.0 > 0 }
  }

  /// In one line.
  var text: String {
    told.isEmpty ? "nothing ran" : told.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
  }
}
