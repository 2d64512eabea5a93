import Foundation
import HarnessProtocol
import RequestMatching
import ScenarioCore
import SourceText

/// 1,000,000 recorded requests against 1,000 expectations.
enum StoreBenchmark: Benchmark {
  static let name = "store"
  private static let requestCount = 1_000_000
  private static let expectationCount = 1000

  static func run(_ write: (String) -> Void) throws {
    let folder = NSTemporaryDirectory() + "scenario-benchmark-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for mix in [Mix.urls, .allKinds] {
      try measure(mix, folder, write)
    }
  }

  /// What the expectations are made of.
  enum Mix: String {
    /// Whole URLs.
    case urls = "whole URLs"
    /// Whole URLs, paths with parameters, expressions and headers; a volatile parameter in each request.
    case allKinds = "all kinds"
  }

  private static func measure(_ mix: Mix, _ folder: String, _ write: (String) -> Void) throws {
    let path = folder + "/storedRequests.1.jsonl"
    let bytes = try writeStore(mix, path)
    let scenario = try scenario(mix)
    let floor = Measurement.seconds { countNewlines(path) }
    let before = Measurement.peakMemory
    let runs = 5
    var findings = 0
    let processor = Measurement.processorSeconds()
    let seconds = try Measurement.seconds(runs: runs) {
      var verification = Verification(scenario: scenario)
      try StoreReader(folder: folder).forEachLine { verification.observe($0) }
      let outcome = verification.outcome(completedSteps: .all)
      findings = outcome.findings.count
    }
    let processorSeconds = (Measurement.processorSeconds() - processor) / Double(runs)
    let grown = Measurement.peakMemory - before
    write(
      "store, \(mix.rawValue): \(requestCount) requests (\(bytes >> 20) MiB) against "
        + "\(expectationCount) expectations: \(Measurement.text(seconds)) s "
        + "(\(Measurement.text(processorSeconds)) s of processor time on average), "
        + "\(Measurement.text(seconds / floor, 1)) × reading and counting lines "
        + "(\(Measurement.text(floor, 3)) s); memory +\(Measurement.text(grown, 1)) MiB; "
        + "findings: \(findings)")
  }

  private static func scenario(_ mix: Mix) throws -> Scenario {
    let file = SourceFile(path: "benchmark.json", text: "{}")
    let location = SourceLocation(file: file, range: 0..<2)
    let expected = try (0..<expectationCount).map { index in
      Expectation(
        pattern: try pattern(index, mix), count: .exactly(requestCount / expectationCount),
        location: location)
    }
    return Scenario(
      reference: ScenarioReference(path: file.path, scenarioName: "benchmark"), steps: [],
      expected: expected, volatileParameters: mix == .urls ? [] : ["ts"], location: location)
  }

  private static func pattern(_ index: Int, _ mix: Mix) throws -> RequestPattern {
    let plain = RequestPattern(target: .url(url(index)))
    guard mix == .allKinds else { return plain }
    switch index % 20 {
    case 0:
      let text = "https://ad\\.example\\.com/v1/click\\?ad=A-\(index)&area=cart&rank=\\d+.*"
      return RequestPattern(target: .urlPattern(try TextPattern(text)))
    case 1, 2:
      return RequestPattern(
        method: "GET", target: .urlPath("/v1/click"),
        queryParameters: [
          .init(name: "ad", matcher: .equalTo("A-\(index)", caseInsensitive: false))
        ])
    case 3:
      return RequestPattern(
        method: "GET", target: .url(url(index)),
        headers: [.init(name: "accept", matcher: .contains("json"))])
    default: return plain
    }
  }

  private static func url(_ index: Int) -> String {
    "https://ad.example.com/v1/click?ad=A-\(index)&area=cart&rank=\(index % 50)"
  }

  private static func writeStore(_ mix: Mix, _ path: String) throws -> Int {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var buffer: [UInt8] = []
    var total = 0
    for number in 0..<requestCount {
      let stamp = mix == .urls ? "" : "&ts=\(1_700_000_000_000 + number)"
      let request = RecordedRequest(
        url: url(number % expectationCount) + stamp, method: "GET",
        headers: ["Accept": "application/json", "User-Agent": "Demo/1.0 (Linux)"],
        action: number % 40, time: Double(number) / 1000, answer: .default)
      buffer += request.line
      if buffer.count > 1 << 20 || number == requestCount - 1 {
        try file.write(contentsOf: buffer)
        total += buffer.count
        buffer.removeAll(keepingCapacity: true)
      }
    }
    return total
  }

  /// The floor: the same bytes read in the same pieces, and their newlines found.
  private static func countNewlines(_ path: String) {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var lines = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      buffer.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        var rest = base
        while let found = memchr(rest, 0x0A, base + count - rest) {
          lines += 1
          rest = UnsafeRawPointer(found) + 1
        }
      }
    }
    precondition(lines == requestCount)
  }
}
