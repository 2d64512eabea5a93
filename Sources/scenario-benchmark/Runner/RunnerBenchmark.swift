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

/// 100,000 trivial scenarios: how many a second, and how much memory the runner takes.
enum ManyScenariosBenchmark: Benchmark {
  static let name = "many"
  private static let counts = [1000, 10_000, 100_000]

  static func run(_ write: (String) -> Void) throws {
    try BenchmarkPrograms.check(["scenario-run", "trivial-app"])
    for count in counts { try BenchmarkFolder.use { try measure(count, $0, write) } }
  }

  private static func measure(
    _ count: Int, _ folder: String, _ write: (String) -> Void
  ) throws {
    let scenario = try SampleApp.trivial.scenario(in: folder)
    let copies = try scenario.writeCopies(count)
    var runner = scenario.runner(copies, jobs: ProcessInfo.processInfo.activeProcessorCount)
    runner.arguments += ["--junit", folder + "/results.xml"]
    let cost = try runner.run()
    guard cost.exitCode == 0 else {
      throw BenchmarkFailure("scenario-run ended with \(cost.exitCode).")
    }
    runner.arguments.removeAll { $0 == "--quiet" }
    let first = try runner.secondsToFirstOutput()
    write(
      "many: \(count) trivial scenarios with a JUnit report in \(Measurement.text(cost.seconds, 1)) s, "
        + "the first result after \(Measurement.text(first)) s; "
        + "\(Int(Double(count) / cost.seconds)) a second; the runner's peak memory "
        + "\(Measurement.text(cost.peakMemoryMiB, 1)) MiB")
  }
}

/// What the seal costs: the runner over 1,000 scenarios of a trivial app, with the network sealed and
/// open, in processor time of the runner and the apps together.
enum SealBenchmark: Benchmark {
  static let name = "seal"
  private static let count = 1000
  private static let rounds = 5

  static func run(_ write: (String) -> Void) throws {
    try BenchmarkPrograms.check(["scenario-run", "trivial-app"])
    try BenchmarkFolder.use { folder in
      let scenario = try SampleApp.trivial.scenario(in: folder)
      let runner = scenario.runner(try scenario.writeCopies(count), jobs: 1)
      var best = (sealed: Double.infinity, open: Double.infinity)
      // By turns, so that what others do on the machine meets both.
      for _ in 0..<rounds {
        best.sealed = min(best.sealed, try seconds(runner, folder, configuration: "{}"))
        best.open = min(best.open, try seconds(runner, folder, configuration: openNetwork))
      }
      func milliseconds(_ seconds: Double) -> String {
        Measurement.text(seconds / Double(count) * 1000, 3)
      }
      write(
        "seal, \(SampleApp.trivial.title): \(milliseconds(best.sealed)) ms of processor time a "
          + "scenario sealed, \(milliseconds(best.open)) ms open: "
          + "\(Measurement.text(best.sealed / best.open)) ×, "
          + "\(milliseconds(best.sealed - best.open)) ms more")
    }
  }

  private static let openNetwork = #"{"network": "open"}"#

  private static func seconds(
    _ runner: ChildProcess, _ folder: String, configuration: String
  ) throws -> Double {
    try Data(configuration.utf8).write(to: URL(filePath: folder + "/.scenario-run.json"))
    let cost = try runner.run()
    guard cost.exitCode == 0 else {
      throw BenchmarkFailure("scenario-run ended with \(cost.exitCode).")
    }
    return cost.processorSeconds
  }
}
