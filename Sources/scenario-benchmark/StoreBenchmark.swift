import Foundation
import HarnessProtocol
import ScenarioCore
import ScenarioRunner

/// 1,000,000 recorded requests against 1,000 expectations, beside reading the same bytes and counting their lines.
enum StoreBenchmark: Benchmark {
  static let name = "store"
  private static let url = "https://ad.example.com/v1/click?ad=A-<ad>&area=cart&rank=<rank>"

  static func run(in folder: String, _ write: (String) -> Void) throws {
    let urls = (0..<RecordedStore.expectationCount).map { RecordedStore.text(url, ad: $0) }
    for isMixed in [false, true] {
      let store = RecordedStore(folder: folder, requestCount: 1_000_000)
      let bytes = try store.write { number in
        RecordedRequest(
          url: urls[number % urls.count] + (isMixed ? "&ts=\(1_700_000_000_000 + number)" : ""),
          method: "GET",
          headers: ["Accept": "application/json", "User-Agent": "Demo/1.0 (Linux)"],
          action: number % 40, time: Double(number) / 1000, answer: .default)
      }
      let scenario = try store.scenario(isMixed ? #""volatileParameters": ["ts"]"# : "") {
        isMixed ? mixed($0) : plain
      }
      var findings = 0
      let floor = try Measurement.seconds(runs: 5) { try store.countLines() }
      let seconds = try Measurement.seconds(runs: 5) {
        findings = try store.verify(scenario).findings.count
      }
      write(
        "\(isMixed ? "all kinds" : "whole URLs"): \(store.requestCount) requests (\(bytes >> 20) MiB) "
          + "against \(RecordedStore.expectationCount) expectations: \(Measurement.text(seconds)) s, "
          + "\(Measurement.text(seconds / floor, 1)) × reading and counting lines "
          + "(\(Measurement.text(floor, 3)) s); findings: \(findings)")
    }
  }

  private static let plain = #""url": "\#(url)""#

  /// Whole URLs, paths with parameters, expressions and headers.
  private static func mixed(_ index: Int) -> String {
    switch index % 20 {
    case 0:
      #""urlPattern": "https://ad\\.example\\.com/v1/click\\?ad=A-<ad>&area=cart&rank=\\d+.*""#
    case 1, 2: #""urlPath": "/v1/click", "queryParameters": { "ad": { "equalTo": "A-<ad>" } }"#
    case 3: plain + #", "headers": { "accept": { "contains": "json" } }"#
    default: plain
    }
  }
}

/// A store that is verified against 1,000 expectations.
struct RecordedStore {
  static let expectationCount = 1000
  let folder: String
  let requestCount: Int

  /// - Returns: the number of bytes.
  func write(_ request: (Int) -> RecordedRequest) throws -> Int {
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    var bytes: [UInt8] = []
    for number in 0..<requestCount { bytes += request(number).line }
    try Data(bytes).write(to: URL(filePath: file))
    return bytes.count
  }

  /// A scenario whose expectations each want as many requests.
  ///
  /// - Parameters:
  ///   - count: absent: their share of all.
  ///   - keys: further keys of the scenario.
  ///   - pattern: the keys of each expectation, with `<ad>` for its number.
  func scenario(
    count: Int? = nil, _ keys: String, _ pattern: (Int) -> String
  ) throws -> Scenario {
    let count = count ?? requestCount / Self.expectationCount
    let expected = (0..<Self.expectationCount).map {
      "{ \(Self.text(pattern($0), ad: $0)), \"count\": \(count) }"
    }
    let text = """
      { "actions": [], "expected": [\(expected.joined(separator: ",\n"))],
        \(keys) }
      """
    let path = folder + "/scenario.json"
    try Data(text.utf8).write(to: URL(filePath: path))
    let files = LocalFiles()
    let found = try Discovery(files: files).discover([ScenarioPath(path: path)])
    let plan = Planner(files: files, fixturesDirectory: folder).plan(found, selecting: Selection())
    guard let entry = plan.entries.first, case .scenario(let scenario) = plan.content(of: entry)
    else { throw BenchmarkFailure("The scenario of the benchmark is invalid: \(pattern(0))") }
    return scenario
  }

  static func text(_ template: String, ad: Int) -> String {
    var text = template
    for (place, value) in [
      ("<ad>", "\(ad)"), ("<rank>", "\(ad % 50)"),
      // The number as an expression without a text to look for.
      ("<digits>", "\(ad)".map { "[\($0)x]" }.joined()),
    ] {
      text = text.components(separatedBy: place).joined(separator: value)
    }
    return text
  }

  func verify(
    _ scenario: Scenario, shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> VerificationOutcome {
    var verification = Verification(scenario: scenario)
    verification.shouldStop = shouldStop
    try StoreReader(folder: store).forEachLine { verification.observe($0) }
    return verification.outcome(completedSteps: .all)
  }

  func countLines() throws {
    let lines = try Data(contentsOf: URL(filePath: file)).withUnsafeBytes { bytes in
      var (lines, rest) = (0, bytes)
      while let start = rest.baseAddress, let newline = memchr(start, 0x0A, rest.count) {
        lines += 1
        rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(newline) - start + 1)...])
      }
      return lines
    }
    guard lines == requestCount else {
      throw BenchmarkFailure("\(file) doesn't have \(requestCount) lines.")
    }
  }

  private var store: String { folder + "/store" }
  private var file: String { store + "/storedRequests.1.jsonl" }
}
