import HarnessProtocol
import ScenarioAuthoring
import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Runs scenarios once, then asks how much of what they sent could be otherwise without being noticed.
struct AuditCommand {
  let project: CommandProject

  private var context: CommandContext { project.context }

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.plan()
    project.print(plan.diagnostics)
    guard !plan.entries.isEmpty else { return .nothingSelected }
    let cancellation = Cancellation()
    let results = try TracedRun(project: project).run(plan, cancellation) { $0.trace = .all }
    if let signal = cancellation.cancellingSignal { return ExitCode(signal: signal) }
    let stubs = AuditedStubs { name in
      try? project.files.bytes(
        ofFile: FilePath.join(project.fixtures.path, name), limitBytes: FileLimits.fixtureBytes)
    }
    var found = Findings()
    for (index, entry) in plan.entries.enumerated() {
      guard case .scenario(let scenario) = plan.content(of: entry), let result = results[index],
        result.verdict != .skipped
      else { continue }
      found.add(scenario, result, stubs)
    }
    found.unasked.finish(stubs)
    return context.answer(text(found), outcome(found, plan))
  }

  /// What came of all scenarios.
  private struct Findings {
    var audited = 0
    var changes = 0
    var survivors: [ScenarioAudit.Survivor] = []
    var requests: [RecordedRequest] = []
    var unasked = UnaskedParts()
    /// Scenarios that didn't pass.
    var failed: [ScenarioReference] = []
    var credentials: Set<String> = []

    mutating func add(_ scenario: Scenario, _ result: ScenarioResult, _ stubs: AuditedStubs) {
      credentials.formUnion(result.credentials)
      guard result.verdict == .passed, let audit = ScenarioAudit(scenario, result.trace, stubs)
      else {
        return failed.append(scenario.reference)
      }
      audited += 1
      changes += audit.changeCount
      survivors += audit.survivors
      requests += audit.unasked
      unasked.add(scenario, result.app, result.trace)
    }
  }

  private func text(_ found: Findings) -> String {
    let outlet = context.outlet.hiding(found.credentials)
    let words = AuditText(outlet, style: project.outputStyle)
    if project.options.isJSON {
      return words.json(
        scenarios: found.audited, survivors: found.survivors, changes: found.changes,
        found.unasked, unasked: found.requests)
    }
    let sections = [
      found.failed.map { "not audited, since it doesn't pass: \(outlet.line($0.selector))" },
      words.lines(found.survivors),
      words.lines(found.unasked, unasked: found.requests),
      [
        words.summary(
          scenarios: found.audited, survivors: found.survivors.count, changes: found.changes)
      ],
    ]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private func outcome(_ found: Findings, _ plan: Plan) -> ExitCode {
    let rate = AuditText.percentage(found.survivors.count, of: found.changes)
    // Where nothing was judged, nothing is known to be strong.
    let isWeak = project.options.failUnder.map { found.changes == 0 || rate < $0 } ?? false
    return ExitCode(
      gravestOf: plan.hasInvalidFiles ? .invalidFile : nil,
      isWeak || !found.failed.isEmpty ? .notPassed : nil)
  }
}
