import Foundation
import ScenarioCore

/// The end of the console output: what several scenarios have in common, what did not pass, with the
/// command that runs it again, and the counts.
struct RunSummary {
  let options: ConsoleOptions

  func lines(_ result: RunResult) -> [String] {
    let results = result.results
    let known = options.detail == .quiet ? [] : results.known
    let flaky = options.detail == .quiet ? [] : results.flaky
    let groups = FailureGroups(results.unsuccessful, options.outlet)
    let counts = "\(RunCounts(result).text(options.style)) in \(Seconds.text(result.duration))"
    let told =
      warned(results.warned.filter { !$0.isFlaky }) + (known + flaky).flatMap { lines($0) }
      + groups.groups.flatMap(lines) + results.unsuccessful.flatMap { lines($0, in: groups) }
    return told + (options.detail == .quiet && told.isEmpty ? [] : [""]) + [counts]
  }

  /// What many scenarios have by their file or their app is told once.
  private func warned(_ results: ScenarioResults) -> [String] {
    let words = FindingText(options.outlet)
    return results.enumerated().grouped { place, result in
      result.warnings.allSatisfy(\.isOfFileOrApp)
        ? result.warnings.map { ($0.location.map { "\($0) " } ?? "") + words.headline($0) }
        : ["\(place)"]
    }.flatMap { lines($0.elements[0].element, others: $0.elements.count - 1) }
  }

  /// One sentence, and the names.
  private func lines(_ group: FailureGroups.Group) -> [String] {
    let names = group.results.map { result in
      "  " + options.outlet.hiding(credentialsOf: result).line(result.scenario.name)
    }
    return ["", options.style.paint(group.sentence, .bold)] + names
  }

  /// The whole text, but for what the first of a group has told already.
  ///
  /// - Parameter others: how many scenarios there are of which the same is to be said.
  private func lines(
    _ result: ScenarioResult, in groups: FailureGroups? = nil, others: Int = 0
  ) -> [String] {
    let outlet = options.outlet.hiding(credentialsOf: result)
    var text = FindingText(outlet, style: options.style, width: options.textWidth)
    // The command has printed them.
    text.showsDiagnostics = !result.isOfInvalidFile
    let isShort = options.detail != .verbose && groups?.isRepetition(result) == true
    let told = isShort ? groups?.group(of: result)?.difference : nil
    let more = others == 0 ? "" : ", and \(others) more"
    var lines = ["", verdict(of: result) + "  " + outlet.line(result.scenario.name) + more]
    if let reason = result.knownIssue { lines.append("  known issue: \(outlet.line(reason))") }
    if result.isFlaky {
      lines.append(
        "  attempt \(result.earlierAttempts.count + 1) passed; attempt 1 failed like this:")
    }
    let findings = result.isFlaky ? result.earlierAttempts[0].findings : result.findings
    for finding in findings {
      lines += text.lines(finding, in: result.scenario, isTold: isTold(finding, told, text))
        .map { "  " + $0 }
    }
    for warning in result.warnings {
      lines += text.lines(warning, in: result.scenario, isWarning: true).map { "  " + $0 }
    }
    lines += text.notes(on: result).map { "  " + $0 }
    return lines + ["  " + text.rerun(result, with: options.rerunCommand)]
  }

  private func isTold(_ finding: Finding, _ difference: String?, _ text: FindingText) -> Bool {
    guard let difference else { return false }
    return text.differences(finding).contains(difference)
  }

  private func verdict(of result: ScenarioResult) -> String {
    let isWarning = !result.verdict.isUnsuccessful && !result.isFlaky
    let (word, paint) = isWarning ? ("WARNING", .yellow) : result.word
    return options.style.paint(word, paint)
  }
}

extension Finding {
  /// Whether other scenarios of the same file or app have it as well.
  fileprivate var isOfFileOrApp: Bool {
    switch self {
    case .unseen, .fileWarning: true
    default: false
    }
  }
}
