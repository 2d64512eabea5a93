import HarnessProtocol
import ScenarioCore

/// Runs scenarios under each schedule of a kind.
package struct Sweep: Sendable {
  private let plan: Plan
  private var settings: RunSettings
  private let jobLimit: Int
  private let rules: SweptScenario.Rules

  /// - Parameters:
  ///   - budget: how many schedules of a scenario are tried.
  ///   - hasPairs: whether two disturbances are tried together.
  ///   - signature: what is equal for two results that fail in the same way.
  package init(
    _ kind: SweepKind, of plan: Plan, settings: RunSettings, jobLimit: Int, budget: Int,
    hasPairs: Bool, signature: @escaping @Sendable (ScenarioResult) -> String
  ) {
    self.plan = plan
    self.settings = settings
    self.settings.isSweep = true
    // What tells whether answers are independent.
    if kind == .orders { self.settings.trace.formUnion(.all) }
    self.jobLimit = jobLimit
    rules = SweptScenario.Rules(
      kind: kind, budget: budget, hasPairs: hasPairs, signature: signature)
  }

  /// Runs it and tells what happens; blocks the calling thread.
  ///
  /// - Throws: why nothing can run.
  package func run(
    by scheduler: Scheduler, header: RunHeader, cancellation: Cancellation,
    happened: @escaping @Sendable (RunEvent) -> Void
  ) throws(SystemError) {
    let account = RunAccount(header, cancellation, happened)
    var swept = scenarios
    for scenario in swept { happened(.scenarioStarted(scenario.entry.reference, attempt: 1)) }
    while !swept.isEmpty, cancellation.cancellingSignal == nil {
      let schedules = swept.indices.map { swept[$0].next() }
      let batch = zip(swept, schedules).flatMap { scenario, schedules in
        schedules.map { entry(scenario, $0) }
      }
      let results = try scheduler.results(
        of: SuiteRun(
          plan: GrowingPlan(Plan(entries: batch)), settings: settings, jobLimit: jobLimit),
        cancellation: cancellation, began: { account.begin($0, plan) })
      guard results.count == batch.count else { break }
      var rest = results[...]
      for index in swept.indices {
        swept[index].take(Array(rest.prefix(schedules[index].count)))
        rest = rest.dropFirst(schedules[index].count)
      }
      for ended in swept where ended.hasEnded {
        for result in ended.results { account.tell(.scenarioFinished(result)) }
      }
      swept.removeAll(where: \.hasEnded)
    }
    account.end(plan)
  }

  private var scenarios: [SweptScenario] {
    plan.entries.enumerated().map { index, entry in
      // What is invalid is told as a result of its own when it is run.
      let scenario: Scenario? =
        if case .scenario(let scenario) = plan.content(of: entry) { scenario } else { nil }
      return SweptScenario(entry, at: index, scenario, rules)
    }
  }

  private func entry(_ swept: SweptScenario, _ schedule: Schedule) -> PlannedScenario {
    var entry = swept.entry
    guard var scenario = swept.scenario else { return entry }
    if scenario.schedule != nil {
      scenario.skipReason = scenario.skipReason ?? "It has a \"schedule\" of its own."
    }
    scenario.schedule = schedule
    entry.content = .scenario(scenario)
    return entry
  }
}
