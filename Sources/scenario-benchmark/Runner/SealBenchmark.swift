import Foundation

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
