import Foundation
import ScenarioCore
import ScenarioRunner
import Synchronization

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
    let results = CollectedResults()
    let header = RunHeader(
      version: Version.text, startedAt: Date(), scenarioCount: plan.entries.count,
      jobs: project.jobs)
    do throws(SystemError) {
      try scheduler.run(
        SuiteRun(plan: plan, settings: settings, jobLimit: project.jobs), header: header,
        failureLimit: ScenarioJob.FailureLimit(), cancellation: cancellation,
        happened: { results.take($0) })
    } catch {
      throw CommandFailure("The run can't start: \(error). \(error.remedyAtStart)")
    }
    return results.all
  }
}

/// The results of a run, which several threads hand in.
private final class CollectedResults: Sendable {
  private let results = Mutex<[Int: ScenarioResult]>([:])

  var all: [Int: ScenarioResult] { results.withLock { $0 } }

  func take(_ event: RunEvent) {
    guard case .scenarioFinished(let result) = event else { return }
    results.withLock { $0[result.index] = result }
  }
}
