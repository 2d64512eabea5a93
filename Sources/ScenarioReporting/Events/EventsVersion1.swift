import Foundation
import HarnessProtocol
import JSON
import ScenarioCore
import SourceText

/// Version 1 of the events as others read them.
///
/// Events inside the package change as they like; what stands here may only grow, and anything else is
/// a new version beside this one. `TheEventStream.md` describes it for its readers.
enum EventsVersion1 {
  private static let version = 1

  /// - Parameters:
  ///   - result: the run so far, the event included.
  ///   - time: since the run started.
  ///   - outlet: what hides credentials in what the app wrote; all else is masked where it is written.
  static func record(
    _ event: RunEvent, _ result: RunResult, at time: Duration, _ outlet: Outlet = Outlet()
  ) -> JSONValue {
    let (kind, members) = content(of: event, result, outlet)
    let common: JSONObject = [
      "version": .integer(version), "kind": .string(kind), "time": .seconds(time),
    ]
    return .object(common + members)
  }

  private static func content(
    of event: RunEvent, _ result: RunResult, _ outlet: Outlet
  ) -> (String, JSONObject) {
    switch event {
    case .runStarted(let header): ("runStarted", ["run": run(header)])
    case .diagnosed(let fault): ("diagnosed", ["diagnostic": diagnostic(fault)])
    case .planned(let count): ("planned", ["scenarioCount": .integer(count)])
    case .scenarioStarted(let started, let attempt):
      ("scenarioStarted", ["scenario": scenario(started), "attempt": .integer(attempt)])
    case .stepStarted(let running, let step):
      ("actionStarted", ["scenario": scenario(running), "action": action(step)])
    case .attemptFailed(let attempt): ("attemptFailed", outcome(attempt, outlet))
    case .scenarioFinished(let finished):
      (
        "scenarioFinished",
        outcome(finished, outlet) + [
          "attempts": .integer(finished.earlierAttempts.count + 1),
          "flaky": .bool(finished.isFlaky),
        ]
      )
    case .interrupted(let signal): ("interrupted", ["signal": .integer(Int(signal))])
    case .runFinished(let endedAt, let duration):
      ("runFinished", end(of: result, endedAt, duration))
    }
  }

  static func run(_ header: RunHeader) -> JSONValue {
    [
      "tool": "scenario-run", "toolVersion": .string(header.version),
      "startedAt": .string(timestamp(header.startedAt)),
      "scenarioCount": header.scenarioCount.map(JSONValue.integer), "jobs": .integer(header.jobs),
      "shard": header.shard.map { ["index": .integer($0.index), "total": .integer($0.total)] },
      "whole": header.shard == nil ? nil : header.whole.map(whole),
      "networkSeal": header.seal.map { .string($0.rawValue) },
      // A string: many readers of JSON round whole numbers of this size.
      "shuffleSeed": header.shuffleSeed.map { .string("\($0)") },
    ]
  }

  private static func whole(_ whole: ShardedWhole) -> JSONValue {
    [
      "shardBy": .string(whole.kind.rawValue), "fingerprint": .string(whole.fingerprint),
      "scenarioCount": .integer(whole.scenarioCount), "repetitions": .integer(whole.repetitions),
    ]
  }

  private static func end(
    of result: RunResult, _ endedAt: Date, _ duration: Duration
  ) -> JSONObject {
    [
      "endedAt": .string(timestamp(endedAt)), "duration": .seconds(duration),
      "counts": counts(result),
      "failsByOptions": RunCounts(result).failsByOptions ? true : nil,
    ]
  }

  static func counts(_ result: RunResult) -> JSONValue {
    let counts = RunCounts(result)
    return [
      "passed": .integer(counts.passed + counts.flaky), "failed": .integer(counts.failed),
      "errored": .integer(counts.errored), "skipped": .integer(counts.skipped),
      "flaky": .integer(counts.flaky), "notRun": .integer(counts.notRun),
      "known": .integer(counts.known), "warned": .integer(counts.warned),
    ]
  }

  static func timestamp(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true).year().month().day()
        .time(includingFractionalSeconds: true).timeZone(separator: .omitted))
  }
}
