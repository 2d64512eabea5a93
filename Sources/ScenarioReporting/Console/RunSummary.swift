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
    let text = FindingText(style: style, width: max(40, min(options.width(), 100)))
    let verdict = result.verdict == .failed ? "FAILED" : "ERRORED"
    var lines = ["", style.paint(verdict, .red) + "  " + Sanitizer.line(result.scenario.name)]
    for finding in result.findings {
      lines += text.lines(finding, in: result.scenario).map { "  " + $0 }
    }
    lines += notes(result).map { "  " + $0 }
    return lines + [
      "  run again: \(options.rerunCommand) \(ShellWord.quoted(result.scenario.place))"
    ]
  }

  private func notes(_ result: ScenarioResult) -> [String] {
    var notes: [String] = []
    if result.unjudgedExpectations > 0 {
      let count = result.unjudgedExpectations
      notes.append(
        "\(count) expectation\(count == 1 ? " was" : "s were") not judged, because the actions stopped early"
      )
    }
    if let folder = result.keptFolder { notes.append("kept: \(Sanitizer.line(folder))") }
    if let failure = result.keepFailure {
      notes.append("not kept: \(Sanitizer.line(failure)). Name another folder with --keep.")
    }
    return notes
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

/// A word of a command line, as a shell reads it.
enum ShellWord {
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=@%+,")

  static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
    return "'" + Sanitizer.line(word).replacing("'", with: "'\\''") + "'"
  }
}
