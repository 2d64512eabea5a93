import Foundation
import ScenarioRunner

/// 10,000 scenario files decoded and checked, beside reading the same bytes.
enum ValidationBenchmark: Benchmark {
  static let name = "validation"
  private static let count = 10_000

  static func run(_ write: (String) -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "scenario-benchmark-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let paths = try writeFiles(in: folder)
    let files = LocalFiles()
    let floor = try Measurement.seconds(runs: 3) {
      for path in paths { _ = try files.bytes(ofFile: path) }
    }
    let before = Measurement.peakMemory
    var valid = 0
    let seconds = try Measurement.seconds(runs: 3) {
      let found = try Discovery(files: files).discover([ScenarioPath(path: folder)])
      var planner = Planner(files: files, fixturesDirectory: folder)
      planner.threads = ProcessInfo.processInfo.activeProcessorCount
      let plan = planner.plan(found, selecting: Selection())
      valid = plan.entries.count
    }
    let growth = Measurement.peakMemory - before
    write(
      "validation: \(valid) files in \(Measurement.text(seconds)) s, "
        + "\(Int(Double(count) / seconds)) files a second, "
        + "\(Measurement.text(seconds / floor, 1)) × reading them, "
        + "+\(Measurement.text(growth, 1)) MiB at the peak")
  }

  private static func writeFiles(in folder: String) throws -> [String] {
    try (0..<count).map { index in
      let path = "\(folder)/\(index).json"
      try Data(scenario(index).utf8).write(to: URL(filePath: path))
      return path
    }
  }

  /// Some 3 KB, as people write them.
  private static func scenario(_ index: Int) -> String {
    let actions = (0..<12).map { action in
      """
          { "tap": "SearchResultViewController/MyItemCell[\(action)]/cartButton",
            "sends": [{ "url": "https://ad.example.com/click?ad=A-\(action)&area=cart", "count": 1 }] },
      """
    }
    let expected = (0..<12).map {
      "    { \"url\": \"https://ad.example.com/click?ad=A-\($0)&area=cart\", \"count\": 1 },"
    }
    return """
      {
        // Written for a benchmark.
        "name": "Scenario \(index)", "tags": ["benchmark"],
        "actions": [
      \(actions.joined(separator: "\n"))
        ],
        "expected": [
      \(expected.joined(separator: "\n"))
        ],
      }
      """
  }
}
