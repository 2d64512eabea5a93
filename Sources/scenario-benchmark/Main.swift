import Foundation

/// Measures what the parts of scenario-run cost, each beside a floor of the same run.
@main
struct ScenarioBenchmark {
  static func main() throws {
    let benchmarks: [any Benchmark.Type] = [
      StoreBenchmark.self, NearMissBenchmark.self, InterceptorBenchmark.self, CaptureBenchmark.self,
      ValidationBenchmark.self,
    ]
    let names = CommandLine.arguments.dropFirst()
    for name in names where !benchmarks.contains(where: { $0.name == name }) {
      let known = benchmarks.map { $0.name }.joined(separator: ", ")
      FileHandle.standardError.write(
        Data("\"\(name)\" is no benchmark. These are: \(known).\n".utf8))
      exit(2)
    }
    for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
      try benchmark.run { line in
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
      }
    }
  }
}

/// One program's part; names select it on the command line.
protocol Benchmark {
  static var name: String { get }
  static func run(_ write: (String) -> Void) throws
}
