import Foundation

/// How much memory a request with a large body takes in the app, beside one without.
enum UploadBenchmark: Benchmark {
  static let name = "upload"
  private static let count = 100_000_000

  private enum Way: String, CaseIterable {
    case data, body, stream, file
  }

  static func run(_ write: (String) -> Void) throws {
    try BenchmarkPrograms.check([SampleApp.small.rawValue])
    for (kind, byte) in [("text", UInt8(ascii: "x")), ("binary", 0xFF)] {
      try BenchmarkFolder.use { folder in
        let (file, empty) = (URL(filePath: folder + "/body"), URL(filePath: folder + "/empty"))
        for url in [file, empty] { try Data().write(to: url) }
        let handle = try FileHandle(forWritingTo: file)
        // In pieces: what this process had counts for those that it starts.
        for _ in 0..<100 { try handle.write(contentsOf: Data(repeating: byte, count: count / 100)) }
        try handle.close()
        for way in Way.allCases {
          let (floor, cost) = (try cost(way, empty, folder), try cost(way, file, folder))
          let grown = (cost.peakMemoryMiB - floor.peakMemoryMiB) * 1_048_576 / Double(count)
          write(
            "upload, \(count / 1_000_000) MB of \(kind) as \(way): the app's peak memory "
              + "\(Measurement.text(cost.peakMemoryMiB, 0)) MiB, \(Measurement.text(grown)) × the body more "
              + "than without; \(Measurement.text(cost.processorSeconds)) s of processor time")
        }
      }
    }
  }

  private static func cost(
    _ way: Way, _ file: URL, _ folder: String
  ) throws -> ChildProcess.Cost {
    let own = folder + "/" + UUID().uuidString
    let text = """
      {"name": "Upload", "arguments": ["-upload", "\(way)", "\(file.path())"],
       "actions": [{"tap": "cartButton"}], "expected": []}
      """
    let scenario = try BenchmarkedScenario(
      text, app: BenchmarkPrograms.path(SampleApp.small.rawValue), fixtures: folder, folder: own)
    defer { try? FileManager.default.removeItem(atPath: own) }
    let requests = own + "/requests"
    try Data(scenario.requests.joined()).write(to: URL(filePath: requests))
    let cost = try scenario.bareLoop(1, jobs: 1).app.run(reading: requests)
    guard cost.exitCode == 0 else { throw BenchmarkFailure("The app ended with \(cost.exitCode).") }
    return cost
  }
}
