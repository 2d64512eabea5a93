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
  private let outlet: Outlet

  package init(_ result: RunResult, _ outlet: Outlet = Outlet()) {
    self.result = result
    self.outlet = outlet
  }

  package var bytes: [UInt8] { ReportSink.bytes(write) }

  package func write(to sink: ReportSink) throws {
    let names = ResultNames()
    let tests = result.results.lazy.map { result in
      let outlet = outlet.hiding(credentialsOf: result)
      return CTRFTest(result, name: names.next(for: result, self.outlet), outlet).json
        .line(through: outlet)
    }
    let files = Set(result.results.lazy.map(\.scenario.path)).count
    try Self.write(RunOutline(result, outlet), suites: files, tests, to: sink)
  }

  /// - Parameter tests: each as a line, without its newline; asked for once.
  static func write(
    _ run: RunOutline, suites: Int, _ tests: some Sequence<[UInt8]>, to sink: ReportSink
  ) throws {
    // Objects that are not closed yet, so that the list need not be held as a whole.
    try sink.write(root(run).bytes(.report).dropLast())
    try sink.write(",\n\"results\":")
    try sink.write(results(run, suites: suites).bytes(.report).dropLast())
    try sink.write(",\n\"tests\":[")
    for (index, test) in tests.enumerated() {
      try sink.write(index == 0 ? "\n" : ",\n")
      try sink.write(test)
    }
    try sink.write("\n]}}\n")
  }

  /// Without its last member, `results`.
  private static func root(_ run: RunOutline) -> JSONValue {
    [
      "reportFormat": "CTRF", "specVersion": .string(specVersion),
      "timestamp": .string(EventsVersion1.timestamp(run.endedAt)),
      "generatedBy": .string("scenario-run \(run.header.version)"), "extra": run.told,
    ]
  }

  /// Without their last member, `tests`.
  private static func results(_ run: RunOutline, suites: Int) -> JSONValue {
    [
      "tool": ["name": "scenario-run", "version": .string(run.header.version)],
      "summary": summary(run, suites: suites),
      "environment": [
        "shardId": run.header.shard.map { .string("\($0.index)/\($0.total)") },
        "healthy": .bool(run.counts.isSuccessful),
        "extra": EventsVersion1.run(run.header),
      ],
    ]
  }

  private static func summary(_ run: RunOutline, suites: Int) -> JSONValue {
    let counts = run.counts
    let numbers: JSONObject = [
      "tests": .integer(counts.resultCount), "passed": .integer(counts.passed + counts.flaky),
      "failed": .integer(counts.failed + counts.errored), "skipped": .integer(counts.skipped),
      "pending": 0, "other": .integer(counts.known), "flaky": .integer(counts.flaky),
      "suites": .integer(suites),
    ]
    let times = JSONObject(
      startedAt: run.header.startedAt, endedAt: run.endedAt, duration: run.duration)
    let extra: JSONValue = [
      "errored": .integer(counts.errored), "notRun": .integer(counts.notRun),
      "warned": .integer(counts.warned),
      "interruptingSignal": run.signal.map { .integer(Int($0)) },
    ]
    return .object(numbers + times + ["extra": extra])
  }
}

extension JSONObject {
  /// The times of the format: whole milliseconds, moments those since 1970.
  ///
  /// - Parameter endedAt: where that is later than the duration says, as for shards.
  init(startedAt: Date, endedAt: Date = .distantPast, duration: Duration) {
    func moment(_ date: Date) -> Int { Int((date.timeIntervalSince1970 * 1000).rounded()) }
    let start = moment(startedAt)
    let duration = Int((duration / .milliseconds(1)).rounded())
    self = [
      "start": .integer(start), "stop": .integer(max(start + duration, moment(endedAt))),
      "duration": .integer(duration),
    ]
  }
}
