import Foundation

/// 1,000 scenarios by the runner, beside a bare loop that starts the same app as often.
enum RunnerBenchmark: Benchmark {
  static let name = "runner"
  private static let count = 1000
  private static let rounds = 3

  static func run(_ write: (String) -> Void) throws {
    try BenchmarkPrograms.check(["scenario-run", "benchmark-app", "demo-app", "trivial-app"])
    for app in SampleApp.allCases {
      try BenchmarkFolder.use { try measure(app, $0, write) }
    }
  }

  private static func measure(
    _ app: SampleApp, _ folder: String, _ write: (String) -> Void
  ) throws {
    let scenario = try app.scenario(in: folder)
    let copies = try scenario.writeCopies(count)
    let jobs = ProcessInfo.processInfo.activeProcessorCount
    let bare = try scenario.bareLoop(count, jobs: jobs)
    let inTurns = try scenario.bareLoop(count, jobs: jobs, .inTurns)
    let runner = scenario.runner(copies, jobs: jobs)
    var best = (bare: Double.infinity, inTurns: Double.infinity, runner: Double.infinity)
    // By turns, so that what others do on the machine meets both.
    for _ in 0..<rounds {
      best.bare = min(best.bare, try bare.run())
      best.inTurns = min(best.inTurns, try inTurns.run())
      let cost = try runner.run()
      guard cost.exitCode == 0 else {
        throw BenchmarkFailure("scenario-run ended with \(cost.exitCode).")
      }
      best.runner = min(best.runner, cost.seconds)
    }
    func ratio(_ floor: Double) -> String {
      "\(Measurement.text(best.runner / floor)) × (\(Measurement.text(floor, 3)) s)"
    }
    let overhead = (best.runner - best.bare) / Double(count) * 1e6
    write(
      "runner, \(app.title): \(count) scenarios with \(jobs) jobs in "
        + "\(Measurement.text(best.runner, 3)) s; a bare loop of posix_spawn: \(ratio(best.bare)), "
        + "\(Measurement.text(overhead, 0)) µs more a scenario; one that waits for each answer and "
        + "makes folders for each launch: \(ratio(best.inTurns))")
  }
}
