import ScenarioCore
import ScenarioRunner

/// Runs a plan for what its scenarios send, not for a report.
struct TracedRun {
  let project: CommandProject

  /// - Parameter change: what is otherwise than in a run of the project; by itself, the requests are traced.
  /// - Returns: the results by their places in the plan.
  func run(
    _ plan: Plan, _ cancellation: Cancellation, _ change: (inout RunSettings) -> Void
  ) throws(CommandFailure) -> [Int: ScenarioResult] {
    guard cancellation.cancellingSignal == nil else { return [:] }
    var settings = project.settings()
    settings.trace = .requests
    change(&settings)
    let scheduler = Scheduler(
      limit: project.jobs, temporaryDirectory: project.context.temporaryDirectory,
      seals: settings.seals)
    let context = project.context
    let signals = try SignalWatch(
      cancellation: cancellation,
      tell: { context.complain("Interrupted: ending the apps.") },
      killApps: { scheduler.killApps() })
    defer { signals.stop() }
    do throws(SystemError) {
      let suite = SuiteRun(
        plan: GrowingPlan(plan), settings: settings, jobLimit: project.jobs)
      let results = try scheduler.results(of: suite, cancellation: cancellation)
      return Dictionary(uniqueKeysWithValues: results.map { ($0.index, $0) })
    } catch {
      throw CommandFailure(error.message(whereStarting: "The run"))
    }
  }
}
