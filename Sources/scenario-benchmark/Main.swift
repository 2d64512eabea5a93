import Foundation

/// Measures what verification, validation and the runner cost, each beside a floor of the same run.
@main
struct ScenarioBenchmark {
  static func main() {
    do { try run() } catch { fail("\(error)", code: 1) }
  }

  private static func run() throws {
    // The one that tells a child's peak memory comes first: on Linux, a process that is started counts
    // what its parent had then (getrusage(2), ru_maxrss, is kept over execve).
    let benchmarks: [any Benchmark.Type] = [
      ManyScenariosBenchmark.self, StoreBenchmark.self, VerificationBenchmark.self,
      ValidationBenchmark.self, RunnerBenchmark.self, SealBenchmark.self,
    ]
    let names = CommandLine.arguments.dropFirst()
    for name in names where !benchmarks.contains(where: { $0.name == name }) {
      let known = benchmarks.map { $0.name }.joined(separator: ", ")
      fail("\"\(name)\" isn't a benchmark. Expected one of: \(known).", code: 2)
    }
    for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
      try inOwnFolder { folder in
        try benchmark.run(in: folder) { line in
          FileHandle.standardOutput.write(Data("\(benchmark.name), \(line)\n".utf8))
        }
      }
    }
  }

  private static func inOwnFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "scenario-benchmark-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("scenario-benchmark: \(message)\n".utf8))
    exit(code)
  }
}

/// One program's part; names select it on the command line.
protocol Benchmark {
  static var name: String { get }
  /// - Parameter folder: of its own, and empty.
  static func run(in folder: String, _ write: (String) -> Void) throws
}

/// What keeps a benchmark from measuring.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

enum Measurement {
  /// The shortest of several runs, in seconds: what others do on the machine only makes a run longer.
  static func seconds(runs: Int = 1, _ work: () throws -> Void) rethrows -> Double {
    var best = Duration.seconds(Int64.max)
    for _ in 0..<runs { best = min(best, try ContinuousClock().measure(work)) }
    return best / .seconds(1)
  }

  static func text(_ value: Double, _ digits: Int = 2) -> String {
    String(format: "%.\(digits)f", value)
  }
}
