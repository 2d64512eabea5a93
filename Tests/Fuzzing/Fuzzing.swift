import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import ScenarioReporting
import SourceText
import StubMappings

/// The readers that take what others wrote. `.ci/fuzz` builds this beside libFuzzer, which chooses the
/// bytes; `FUZZ_TARGET` chooses the reader.
enum FuzzTarget: String, CaseIterable {
  case scenario, csv, stubs, store, dialogue, json, jsonpath, element, text

  static let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      preconditionFailure("FUZZ_TARGET: one of \(allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return target
  }()

  /// What stubs are asked: their patterns have to decide.
  private static let requests = [
    MatchableRequest(method: "GET", url: "https://a.example.com/"),
    MatchableRequest(
      method: "POST", url: "https://a.example.com/a?b=c&b=%C3%A9",
      headers: ["Content-Type": "application/json", "Cookie": "d=e"],
      body: Array(#"{"a": [1, {"b": "c"}], "d": null}"#.utf8)),
  ]

  func read(_ bytes: [UInt8]) {
    switch self {
    case .scenario: readScenario(bytes)
    case .csv:
      let (records, _) = CSVParser.parse(SourceFile(path: "t.csv", bytes: bytes))
      for record in records { _ = record.location.position }
    case .stubs:
      let diagnostics = DiagnosticCollector()
      var stubs = StubSet()
      stubs.add(SourceFile(path: "s.json", bytes: bytes), diagnostics)
      render(diagnostics.diagnostics)
      let replay = StubReplay(stubs)
      for request in Self.requests { _ = try? replay.answer(to: request) }
    case .store:
      if let line = try? RecordedRequestLine(scanning: bytes, bytes.indices) {
        _ = line.request.line
      }
    case .dialogue:
      if let response = RPCLine.response(from: bytes) {
        precondition(RPCLine.response(from: RPCLine.bytes(of: response).dropLast()) != nil)
      }
      _ = try? RPCLine.request(from: bytes)
    case .json:
      guard let value = try? JSONValue(parsing: bytes) else { return }
      precondition((try? JSONValue(parsing: value.bytes())) == value, "isn't read back")
    case .jsonpath:
      guard let path = try? JSONPath(String(decoding: bytes, as: UTF8.self)) else { return }
      let root: JSONValue = ["a": [1, ["b": "c"]], "d": .null]
      _ = try? path.values(in: root)
    case .element:
      guard let path = try? ElementPath(String(decoding: bytes, as: UTF8.self)) else { return }
      precondition((try? ElementPath(path.description)) == path, "isn't read back")
    case .text: readText(String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Steps files and tables are the same bytes again.
  private func readScenario(_ bytes: [UInt8]) {
    let decoder = ScenarioDecoder(files: OneFile(bytes: bytes))
    let output = decoder.decode(SourceFile(path: "a.json", bytes: bytes))
    render(output.diagnostics)
    for scenario in output.scenarios.prefix(3) { _ = ScenarioExplanation.lines(of: scenario) }
  }

  private func render(_ diagnostics: [Diagnostic]) {
    check(DiagnosticRenderer().render(Array(diagnostics.prefix(20))))
  }

  /// What is shown obeys nobody, and reports are read back.
  private func readText(_ text: String) {
    check(Outlet().line(text))
    let error = RunError(.crashed, text)
    var result = RunResult()
    result.apply(
      .scenarioFinished(
        ScenarioResult(
          index: 0, scenario: ScenarioReference(path: text, scenarioName: text), verdict: .errored,
          findings: [.runError(error)], startedAt: Date(timeIntervalSince1970: 0), duration: .zero))
    )
    let report = try? JUnitFile(path: "", bytes: Array(JUnitReport(result).text.utf8))
    precondition(report?.cases.count == 1)
    let page = ReportSink.bytes { try HTMLReport(result).write(to: $0) }
    check(String(decoding: page, as: UTF8.self))
  }

  private func check(_ shown: String) {
    precondition(!shown.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B })
  }
}

private struct OneFile: FileAccess {
  let bytes: [UInt8]

  func bytes(ofFile path: String, limitBytes: Int) throws -> [UInt8] { bytes }
  func kind(of path: String) -> FileKind? { .file }
  func resolved(_ path: String) -> String? { path }
  func names(inFolder path: String) -> [String] { [] }
}

/// What the inputs have cost. One that takes more than a second of processor time, or 100 MB at a time, ends
/// the program.
private struct Costs {
  private static let secondsLimit = 1.0
  private static let bytesLimit = 100_000_000
  /// By then what is kept for later is there.
  private static let settledCount = 1000

  private var count = 0
  private var seconds = 0.0
  private var bytes = 0
  private var inUseWhenSettled = 0

  mutating func measure(_ work: () -> Void) {
    let inUse = meter_begin()
    let began = clock()
    work()
    let seconds = Double(clock() - began) / Double(CLOCKS_PER_SEC)
    let bytes = meter_most() - inUse
    precondition(seconds <= Self.secondsLimit, "took \(seconds) s")
    precondition(bytes <= Self.bytesLimit, "took \(bytes) bytes")
    self.seconds = max(self.seconds, seconds)
    self.bytes = max(self.bytes, bytes)
    count += 1
    if count == Self.settledCount { inUseWhenSettled = meter_in_use() }
  }

  func tell() {
    guard count > Self.settledCount else { return }
    let left = (meter_in_use() - inUseWhenSettled) / (count - Self.settledCount)
    print("COST at most \(seconds) s, \(bytes / 1000) kB; left of each input: \(left) bytes")
    fflush(stdout)
  }
}

/// libFuzzer calls on one thread alone.
nonisolated(unsafe) private var costs = Costs()

@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?
) -> CInt {
  atexit { costs.tell() }
  return 0
}

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  costs.measure { FuzzTarget.chosen.read(input) }
  return 0
}
