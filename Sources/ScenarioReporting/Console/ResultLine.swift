import ScenarioCore

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
