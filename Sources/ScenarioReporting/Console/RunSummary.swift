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
    return lines + ["  " + text.rerun(result, with: options.rerunCommand)]
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
