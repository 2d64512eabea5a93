import Foundation
import ScenarioCore
import ScenarioRunner
import Synchronization

/// What it costs to collect a trace, in processor time of the runner and the apps together: the same
/// scenarios without one, with the requests, and with the screens as well.
enum TraceBenchmark: Benchmark {
  static let name = "trace"
  private static let count = 200
  private static let rounds = 5

  static func run(_ write: (String) -> Void) throws {
    for app in [SampleApp.small, .demo] {
      try BenchmarkPrograms.check([app.rawValue])
      try BenchmarkFolder.use { try measure(app, $0, write) }
    }
  }

  private static func measure(
    _ app: SampleApp, _ folder: String, _ write: (String) -> Void
  ) throws {
    let scenario = try app.scenario(in: folder)
    let copies = try scenario.writeCopies(count)
    let project = try Project(
      at: [copies], workingDirectory: folder, defaultFolder: folder, fixtures: scenario.fixtures)
    let details: [Trace.Detail] = [[], .requests, .all]
    var best = details.map { _ in Double.infinity }
    // By turns, so that what others do on the machine meets all.
    for _ in 0..<rounds {
      for (index, detail) in details.enumerated() {
        best[index] = min(best[index], try seconds(project, copies, scenario, detail, folder))
      }
    }
    func ratio(_ seconds: Double) -> String { Measurement.text(seconds / best[0], 3) + " ×" }
    write(
      "trace, \(app.title): \(Measurement.text(best[0] / Double(count) * 1000, 3)) ms of processor "
        + "time a scenario without; with requests \(ratio(best[1])); with requests and screens "
        + ratio(best[2]))
  }

  private static func seconds(
    _ project: Project, _ path: String, _ scenario: BenchmarkedScenario, _ detail: Trace.Detail,
    _ folder: String
  ) throws -> Double {
    let plan = try project.plan([ScenarioPath(path: path)], selecting: Selection())
    let locator = AppLocator(executableFolder: folder, searchPath: "", baseFolder: folder)
    var settings = project.settings(
      app: [scenario.app], locator: locator, environment: ["PATH": "/usr/bin:/bin"])
    settings.trace = detail
    let header = RunHeader(version: "", startedAt: Date(), scenarioCount: count, jobs: 1)
    let before = Measurement.processorSeconds()
    let failures = Failures()
    try Scheduler(limit: 1, temporaryDirectory: folder).run(
      SuiteRun(plan: GrowingPlan(plan), settings: settings, jobLimit: 1), header: header,
      failureLimit: ScenarioJob.FailureLimit(), cancellation: Cancellation(),
      happened: failures.note)
    let seconds = Measurement.processorSeconds() - before
    guard failures.count == 0 else {
      throw BenchmarkFailure("\(failures.count) scenarios did not pass.")
    }
    return seconds
  }
}

/// Counts what did not pass.
private final class Failures: Sendable {
  private let counter = Atomic<Int>(0)

  var count: Int { counter.load(ordering: .relaxed) }

  @Sendable func note(_ event: RunEvent) {
    if case .scenarioFinished(let result) = event, result.verdict != .passed {
      counter.wrappingAdd(1, ordering: .relaxed)
    }
  }
}
