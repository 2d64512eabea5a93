import Foundation

/// 1,000 scenarios by the runner, beside a bare loop that starts the same app as often.
enum RunnerBenchmark: Benchmark {
  static let name = "runner"

  static func run(in folder: String, _ write: (String) -> Void) throws {
    for sample in SampleScenario.all {
      let own = "\(folder)/\(sample.app)"
      let runner = try sample.runner(copies: 1000, in: own)
      var best = (floor: Double.infinity, runner: Double.infinity)
      // By turns, so that what others do on the machine meets both.
      for _ in 0..<3 {
        best.floor = min(best.floor, try sample.bareLoop(1000, in: own))
        best.runner = min(best.runner, try runner.run().seconds)
      }
      write(
        "\(sample.app): 1000 scenarios in \(Measurement.text(best.runner, 3)) s, "
          + "\(Measurement.text(best.runner / best.floor)) × a bare loop of posix_spawn "
          + "(\(Measurement.text(best.floor, 3)) s), "
          + "\(Measurement.text((best.runner - best.floor) * 1000, 0)) µs more a scenario")
    }
  }
}

/// What the seal costs: the runner over 1,000 scenarios of a trivial app, with the network sealed and open, in processor
/// time of the runner and the apps together.
enum SealBenchmark: Benchmark {
  static let name = "seal"

  static func run(in folder: String, _ write: (String) -> Void) throws {
    let runner = try SampleScenario.trivial.runner(copies: 1000, jobs: 1, in: folder)
    var best = (sealed: Double.infinity, open: Double.infinity)
    func seconds(_ configuration: String) throws -> Double {
      try Data(configuration.utf8).write(to: URL(filePath: folder + "/.scenario-run.json"))
      return try runner.run().processorSeconds
    }
    for _ in 0..<5 {
      best.sealed = min(best.sealed, try seconds("{}"))
      best.open = min(best.open, try seconds(#"{"network": "open"}"#))
    }
    write(
      "\(Measurement.text(best.sealed, 3)) ms of processor time a scenario sealed, "
        + "\(Measurement.text(best.sealed / best.open)) × open (\(Measurement.text(best.open, 3)) ms)"
    )
  }
}

/// Up to 100,000 trivial scenarios with a report: how many a second, and how much memory the runner takes.
enum ManyScenariosBenchmark: Benchmark {
  static let name = "many"

  static func run(in folder: String, _ write: (String) -> Void) throws {
    for count in [1000, 10_000, 100_000] {
      let own = "\(folder)/\(count)"
      var runner = try SampleScenario.trivial.runner(copies: count, in: own)
      runner.arguments += ["--junit", own + "/results.xml"]
      let cost = try runner.run()
      write(
        "\(count) trivial scenarios in \(Measurement.text(cost.seconds, 1)) s, "
          + "\(Int(Double(count) / cost.seconds)) a second; the runner's peak memory: "
          + "\(Measurement.text(cost.peakMemoryMiB, 1)) MiB")
    }
  }
}
