import ScenarioAuthoring
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Runs the same scenarios with two apps, and says what these send otherwise.
struct CompareCommand {
  let options: CommandOptions
  let context: CommandContext

  func run() throws(CommandFailure) -> ExitCode {
    guard let base = options.baseApp, let head = options.headApp else {
      throw CommandFailure("Name both apps: compare --base APP --head APP PATH…")
    }
    let (old, new) = (try project(base), try project(head))
    let plan = try old.plan()
    old.print(plan.diagnostics)
    guard !plan.entries.isEmpty else { return .nothingSelected }
    let ours = try RecordingRuns(project: old, tracksAll: true).record(plan)
    if let signal = ours.signal { return ExitCode(signal: signal) }
    let theirs = try RecordingRuns(project: new, tracksAll: true).record(plan)
    if let signal = theirs.signal { return ExitCode(signal: signal) }
    var comparison = AppComparison()
    var failures: [String] = []
    var secrets: Set<String> = []
    for (old, new) in zip(ours.files, theirs.files) {
      secrets.formUnion(old.secrets.union(new.secrets))
      if let reason = old.skipReason {
        failures.append("\(old.path): not compared: base: \(reason)")
      } else if let reason = new.skipReason {
        failures.append("\(new.path): not compared: head: \(reason)")
      } else {
        for (base, head) in zip(old.recordings, new.recordings) {
          comparison.add(base: base, head: head)
        }
      }
    }
    let text = text(comparison, failures, context.outlet.hiding(secrets))
    let isSame = comparison.differences.isEmpty && failures.isEmpty
    return context.answer(
      text,
      ExitCode(
        gravestOf: plan.hasInvalidFiles ? .invalidFile : nil, isSame ? nil : .notPassed))
  }

  private func project(_ app: String) throws(CommandFailure) -> CommandProject {
    var options = options
    options.app = [app]
    return try CommandProject(options, context)
  }

  private func text(_ comparison: AppComparison, _ failures: [String], _ outlet: Outlet) -> String {
    let words = ComparisonText(
      outlet, style: options.isMarkdown ? TextStyle(isColored: false) : context.outputStyle(options)
    )
    if options.isJSON { return words.json(comparison, failures: failures) }
    let lines =
      options.isMarkdown
      ? words.markdown(comparison, failures: failures)
      : words.lines(comparison, failures: failures)
    return lines.map { $0 + "\n" }.joined()
  }
}
