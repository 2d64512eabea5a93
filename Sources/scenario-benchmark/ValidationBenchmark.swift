import Foundation
import ScenarioRunner

/// 10,000 scenario files decoded and checked, beside reading the same bytes.
enum ValidationBenchmark: Benchmark {
  static let name = "validation"
  private static let count = 10_000

  static func run(in folder: String, _ write: (String) -> Void) throws {
    let paths = (0..<count).map { "\(folder)/\($0).json" }
    for (index, path) in paths.enumerated() {
      try Data(scenario(index).utf8).write(to: URL(filePath: path))
    }
    let files = LocalFiles()
    let floor = try Measurement.seconds(runs: 3) {
      for path in paths { _ = try files.bytes(ofFile: path) }
    }
    var valid = 0
    let seconds = try Measurement.seconds(runs: 3) {
      let found = try Discovery(files: files).discover([ScenarioPath(path: folder)])
      var planner = Planner(files: files, fixturesDirectory: folder)
      planner.threads = ProcessInfo.processInfo.activeProcessorCount
      valid = planner.plan(found, selecting: Selection()).entries.count
    }
    write(
      "\(valid) files in \(Measurement.text(seconds)) s, "
        + "\(Int(Double(count) / seconds)) files a second, "
        + "\(Measurement.text(seconds / floor, 1)) × reading them")
  }

  /// Some 3 KB, as people write them.
  private static func scenario(_ index: Int) -> String {
    let requests = (0..<12).map {
      #"{ "url": "https://ad.example.com/click?ad=A-\#($0)&area=cart", "count": 1 }"#
    }
    let actions = requests.enumerated().map { action, request in
      """
          { "tap": "SearchResultViewController/MyItemCell[\(action)]/cartButton",
            "sends": [\(request)] },
      """
    }
    return """
      {
        // Written for a benchmark.
        "name": "Scenario \(index)", "tags": ["benchmark"],
        "actions": [
      \(actions.joined(separator: "\n"))
        ],
        "expected": [
          \(requests.joined(separator: ",\n    ")),
        ],
      }
      """
  }
}
