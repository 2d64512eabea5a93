import Foundation

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
    write(
      "many: \(count) trivial scenarios with a JUnit report in \(Measurement.text(cost.seconds, 1)) s, "
        + "\(Int(Double(count) / cost.seconds)) a second; the runner's peak memory "
        + "\(Measurement.text(cost.peakMemoryMiB, 1)) MiB")
  }
}
