import Foundation
import JSON
import ScenarioCore

/// The run in the Common Test Report Format (ctrf.io), a test in each line.
///
/// What the format has no word for stands in its `extra` objects, findings as in the event stream.
package struct CTRFReport {
  /// Of the format; its schema is not told apart by it.
  private static let specVersion = "0.0.0"

  private let result: RunResult
  private let header: RunHeader
  private let outlet: Outlet

  package init(_ result: RunResult, _ outlet: Outlet = Outlet()) {
    self.result = result
    self.outlet = outlet
    header =
      result.header ?? RunHeader(version: "", startedAt: .distantPast, scenarioCount: 0, jobs: 0)
  }

  package var bytes: [UInt8] { ReportSink.bytes(write) }

  package func write(to sink: ReportSink) throws {
    let names = ResultNames()
    let tests = result.results.lazy.map { result in
      let outlet = outlet.hiding(credentialsOf: result)
      return CTRFTest(result, name: names.next(for: result, self.outlet), outlet).json
        .line(through: outlet)
    }
    try Self.write(root: root, run: run, tests, to: sink)
  }

  /// - Parameters:
  ///   - root: without its last member, `results`.
  ///   - run: the results without their last member, `tests`.
  ///   - tests: each as a line, without its newline; asked for once.
  static func write(
    root: JSONValue, run: JSONValue, _ tests: some Sequence<[UInt8]>, to sink: ReportSink
  ) throws {
    // Objects that are not closed yet, so that the list need not be held as a whole.
    try sink.write(root.bytes(.report).dropLast())
    try sink.write(",\n\"results\":")
    try sink.write(run.bytes(.report).dropLast())
    try sink.write(",\n\"tests\":[")
    for (index, test) in tests.enumerated() {
      try sink.write(index == 0 ? "\n" : ",\n")
      try sink.write(test)
    }
    try sink.write("\n]}}\n")
  }

  private var root: JSONValue {
    [
      "reportFormat": "CTRF", "specVersion": .string(Self.specVersion),
      "timestamp": .string(
        EventsVersion1.timestamp(header.startedAt + result.duration / .seconds(1))),
      "generatedBy": .string("scenario-run \(header.version)"),
    ]
  }

  private var run: JSONValue {
    [
      "tool": ["name": "scenario-run", "version": .string(header.version)], "summary": summary,
      "environment": environment,
    ]
  }

  private var summary: JSONValue {
    let counts: JSONObject = [
      "tests": .integer(result.results.count), "passed": .integer(result.count(.passed)),
      "failed": .integer(failures), "skipped": .integer(result.count(.skipped)), "pending": 0,
      "other": .integer(RunCounts(result).known), "flaky": .integer(result.results.flakyCount),
      "suites": .integer(Set(result.results.lazy.map(\.scenario.path)).count),
    ]
    let times = JSONObject(startedAt: header.startedAt, duration: result.duration)
    return .object(counts + times + ["extra": outcome])
  }

  private var outcome: JSONValue {
    [
      "errored": .integer(result.count(.errored)),
      "notRun": .integer(RunCounts(result).notRun),
      "warned": .integer(RunCounts(result).warned),
      "interruptingSignal": result.interruptingSignal.map { .integer(Int($0)) },
      "hasInvalidFile": result.hasInvalidFile ? true : nil,
      "failsByOptions": RunCounts(result).failsByOptions ? true : nil,
    ]
  }

  private var failures: Int { result.count(.failed) + result.count(.errored) }

  private var environment: JSONValue {
    [
      "shardId": header.shard.map { .string("\($0.index)/\($0.total)") },
      "healthy": .bool(RunCounts(result).isSuccessful),
      "extra": EventsVersion1.run(header),
    ]
  }
}

extension JSONObject {
  /// The times of the format: whole milliseconds, moments those since 1970.
  init(startedAt: Date, duration: Duration) {
    let start = Int((startedAt.timeIntervalSince1970 * 1000).rounded())
    let duration = Int((duration / .milliseconds(1)).rounded())
    self = [
      "start": .integer(start), "stop": .integer(start + duration), "duration": .integer(duration),
    ]
  }
}
