import Foundation

/// Measures what the parts of scenario-run cost, each beside a floor of the same run.
@main
struct ScenarioBenchmark {
  static func main() {
    do { try run() } catch { fail("\(error)", code: 1) }
  }

  private static func run() throws {
    let benchmarks: [any Benchmark.Type] = [
      // First, as long as this process has little memory itself.
      UploadBenchmark.self,
      StoreBenchmark.self, VerificationBenchmark.self, MatcherBenchmark.self,
      InterceptorBenchmark.self,
      CaptureBenchmark.self, ValidationBenchmark.self, RunnerBenchmark.self, SealBenchmark.self,
      ManyScenariosBenchmark.self, TraceBenchmark.self,
    ]
    let names = CommandLine.arguments.dropFirst()
    for name in names where !benchmarks.contains(where: { $0.name == name }) {
      let known = benchmarks.map { $0.name }.joined(separator: ", ")
      fail("\"\(name)\" isn't a benchmark. Expected one of: \(known).", code: 2)
    }
    for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
      try benchmark.run { line in
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
      }
    }
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("scenario-benchmark: \(message)\n".utf8))
    exit(code)
  }
}

/// One program's part; names select it on the command line.
protocol Benchmark {
  static var name: String { get }
  static func run(_ write: (String) -> Void) throws
}

enum Measurement {
  /// The shortest of several runs: what others do on the machine only makes a run longer.
  static func seconds(runs: Int = 5, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<runs {
      let clock = ContinuousClock()
      let duration = try clock.measure { try work() }
      let (seconds, attoseconds) = duration.components
      best = min(best, Double(seconds) + Double(attoseconds) / 1e18)
    }
    return best
  }

  /// Of this process and of its children that have ended.
  static func processorSeconds() -> Double {
    processes.reduce(0) { sum, who in
      var usage = rusage()
      getrusage(who, &usage)
      return sum
        + [usage.ru_utime, usage.ru_stime].reduce(0) {
          $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }
  }

  static func text(_ value: Double, _ digits: Int = 2) -> String {
    String(format: "%.\(digits)f", value)
  }
}
