import Foundation

/// One scenario from the start of the runner to its end, beside the bare app.
enum SingleScenarioBenchmark: Benchmark {
  static let name = "single"
  private static let rounds = 60

  static func run(_ write: (String) -> Void) throws {
    try BenchmarkPrograms.check(["scenario-run"] + SampleApp.allCases.map(\.rawValue))
    for app in SampleApp.allCases {
      try BenchmarkFolder.use { try measure(app, $0, write) }
    }
  }

  private static func measure(
    _ app: SampleApp, _ folder: String, _ write: (String) -> Void
  ) throws {
    let scenario = try app.scenario(in: folder)
    let bare = try scenario.bareLoop(1, jobs: 1)
    let runner = scenario.runner(folder + "/one.json", jobs: 1)
    var bareSeconds: [Double] = []
    var runnerSeconds: [Double] = []
    for _ in 0..<rounds {
      bareSeconds.append(try bare.run())
      let cost = try runner.run()
      guard cost.exitCode == 0 else {
        throw BenchmarkFailure("scenario-run ended with \(cost.exitCode).")
      }
      runnerSeconds.append(cost.seconds)
    }
    let (bareMedian, runnerMedian) = (median(bareSeconds), median(runnerSeconds))
    write(
      "single, \(app.title): \(Measurement.text(runnerMedian * 1000, 1)) ms, "
        + "\(Measurement.text(runnerMedian / bareMedian)) × the bare app "
        + "(\(Measurement.text(bareMedian * 1000, 1)) ms); medians of \(rounds)")
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
