import Foundation
import ScenarioCore

/// The run in the Common Test Report Format (ctrf.io), a test in each line.
///
/// What the format has no word for stands in its `extra` objects, findings as in the event stream.
package struct CTRFReport {
  /// Of the format; its schema is not told apart by it.
  private static let specVersion = "0.0.0"

  private let result: RunResult
  private let header: RunHeader

  package init(_ result: RunResult) {
    self.result = result
    header =
      result.header ?? RunHeader(version: "", startedAt: .distantPast, scenarioCount: 0, jobs: 0)
  }

  package var bytes: [UInt8] {
    let names = ResultNames()
    var bytes: [UInt8] = []
    append(root, withoutEnd: "}", to: &bytes)
    bytes.append(contentsOf: ",\n\"results\":".utf8)
    append(run, withoutEnd: "}", to: &bytes)
    bytes.append(contentsOf: ",\n\"tests\":[".utf8)
    for (index, result) in result.results.enumerated() {
      bytes.append(contentsOf: (index == 0 ? "\n" : ",\n").utf8)
      CTRFTest(result, name: names.next(for: result)).json.append(to: &bytes)
    }
    bytes.append(contentsOf: "\n]}}\n".utf8)
    return bytes
  }

  /// An object that is not closed yet, so that long lists need not be held as a whole.
  private func append(_ object: OrderedJSON, withoutEnd end: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: object.line.dropLast(end.utf8.count))
  }

  private var root: OrderedJSON {
    [
      "reportFormat": "CTRF", "specVersion": .string(Self.specVersion),
      "timestamp": .string(EventsVersion1.timestamp(header.startedAt + result.duration.seconds)),
      "generatedBy": .string("scenario-run \(header.version)"),
    ]
  }

  private var run: OrderedJSON {
    [
      "tool": ["name": "scenario-run", "version": .string(header.version)], "summary": summary,
      "environment": environment,
    ]
  }

  private var summary: OrderedJSON {
    let start = CTRFTime.milliseconds(header.startedAt)
    let duration = CTRFTime.milliseconds(result.duration)
    let failures = result.count(.failed) + result.count(.errored)
    return [
      "tests": .integer(result.results.count), "passed": .integer(result.count(.passed)),
      "failed": .integer(failures), "skipped": .integer(result.count(.skipped)), "pending": 0,
      "other": 0, "flaky": .integer(result.results.count(where: \.isFlaky)),
      "suites": .integer(Set(result.results.lazy.map(\.scenario.path)).count),
      "start": .integer(start), "stop": .integer(start + duration),
      "duration": .integer(duration), "extra": outcome,
    ]
  }

  private var outcome: OrderedJSON {
    [
      "errored": .integer(result.count(.errored)),
      "notRun": .integer(RunCounts(result).notRun),
      "interruptingSignal": result.interruptingSignal.map { .integer(Int($0)) },
    ]
  }

  private var environment: OrderedJSON {
    [
      "shardId": header.shard.map { .string("\($0.index)/\($0.total)") },
      "healthy": .bool(!result.results.contains(where: \.isUnsuccessful)),
      "extra": EventsVersion1.run(header),
    ]
  }
}

/// The times of the format are whole milliseconds, moments those since 1970.
enum CTRFTime {
  static func milliseconds(_ date: Date) -> Int {
    Int((date.timeIntervalSince1970 * 1000).rounded())
  }

  static func milliseconds(_ duration: Duration) -> Int {
    Int((duration / .milliseconds(1)).rounded())
  }
}

extension Duration {
  fileprivate var seconds: TimeInterval { self / .seconds(1) }
}
