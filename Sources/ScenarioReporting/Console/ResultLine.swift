import Foundation
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
    let (word, paint) = result.word
    return style.paint(word.padding(toLength: 7, withPad: " ", startingAt: 0), paint)
  }

  private func reason(of result: ScenarioResult) -> String {
    if let reason = result.skipReason ?? result.knownIssue { return "  \(outlet.line(reason))" }
    let counts = [
      result.sweep.map(ScheduleText.line),
      result.findings.count > 1 ? "\(result.findings.count) findings" : nil,
      result.warnings.isEmpty ? nil : Wording.counted(result.warnings.count, "warning"),
    ]
    return counts.compactMap { $0.map { "  " + $0 } }.joined()
  }
}

extension ScenarioResult {
  /// The verdict as the console shows it.
  var word: (String, TextStyle.Paint) {
    if isFlaky { return ("flaky", .yellow) }
    if isKnown { return ("known", .yellow) }
    return switch verdict {
    case .passed: ("passed", .green)
    case .failed: ("FAILED", .red)
    case .errored: ("ERRORED", .red)
    case .skipped: ("skipped", .yellow)
    }
  }
}
