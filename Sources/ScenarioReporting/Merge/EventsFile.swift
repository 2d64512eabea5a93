import Foundation
import JSON
import ScenarioCore

/// The event stream of a shard that is read again.
package struct EventsFile: ShardReport {
  package static let kindName = "event stream"

  package let path: String
  /// Each line.
  private let events: [JSONValue]

  /// - Throws: what is wrong with the file, in one sentence.
  package init(path: String, bytes: [UInt8]) throws(ReportFault) {
    self.path = path
    var events: [JSONValue] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      do {
        events.append(try JSONValue(parsing: line))
      } catch {
        throw ReportFault("\(path) isn't an event stream: line \(index + 1): \(error)")
      }
    }
    guard events.first?["kind"]?.string == "runStarted" else {
      throw ReportFault("\(path) isn't an event stream: its first line isn't \"runStarted\".")
    }
    guard events.last?["kind"]?.string == "runFinished" else {
      throw ReportFault(
        "\(path) is of a run that hasn't ended: its last line isn't \"runFinished\".")
    }
    self.events = events
  }

  private var run: JSONValue? { events.first?["run"] }

  package var shard: ShardProperties? {
    let hasInvalidFile = events.contains { $0["diagnostic"]?["severity"]?.string == "error" }
    let signal = events.first { $0["kind"]?.string == "interrupted" }?["signal"]?.int
    return ShardProperties(
      run: run, signal: signal, hasInvalidFile: hasInvalidFile,
      failsByItsOptions: events.last?["failsByOptions"]?.bool == true)
  }

  package var summary: ShardSummary {
    var summary = ShardSummary(duration: .seconds(events.last?["duration"]?.double ?? 0))
    for event in events where event["kind"]?.string == "scenarioFinished" {
      let verdict = event["verdict"]?.string.flatMap(Verdict.init) ?? .errored
      summary.add(
        verdict, isKnown: verdict == .failed && event["knownIssue"] != nil,
        isFlaky: event["flaky"]?.bool == true, name: event["scenario"]?["name"]?.string ?? "",
        message: Self.message(of: event["findings"]?[0]))
    }
    return summary
  }

  private static func message(of finding: JSONValue?) -> String {
    let (place, message) = (finding?["location"], finding?["message"]?.string ?? "")
    guard let path = place?["path"]?.string, let line = place?["line"]?.int else { return message }
    return "\(path):\(line): \(message)"
  }

  /// All events by their time, between the one start and the one end of the whole.
  package static func write(_ parts: [EventsFile], to sink: ReportSink) throws {
    let run = MergedRun.value(parts.compactMap(\.run))
    let start = MergedRun.date(run["startedAt"])
    var events: [(time: Double, event: JSONObject)] = []
    var firstIndex = 0
    for part in parts {
      let delay = max(0, MergedRun.date(part.run?["startedAt"]).timeIntervalSince(start))
      for case .object(var event) in part.events.dropFirst().dropLast() {
        let time = (((event["time"]?.double ?? 0) + delay) * 1000).rounded() / 1000
        event["time"] = .double(time)
        event["index"] = event["index"]?.int.map { .integer($0 + firstIndex) }
        events.append((time, event))
      }
      firstIndex += part.run?["scenarioCount"]?.int ?? 0
    }
    let sorted = events.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    let lines = sorted.map(\.element.event)
    let ends = (
      first: ["version": 1, "kind": "runStarted", "time": 0, "run": run] as JSONObject,
      last: end(of: parts, at: lines.last?["time"] ?? 0)
    )
    for event in [ends.first] + lines + [ends.last] {
      try sink.write(JSONValue.object(event).bytes(.report) + [UInt8(ascii: "\n")])
    }
  }

  private static func end(of parts: [EventsFile], at time: JSONValue) -> JSONObject {
    let ends = parts.compactMap(\.events.last)
    return [
      "version": 1, "kind": "runFinished", "time": time,
      "endedAt": ends.compactMap { $0["endedAt"]?.string }.max().map(JSONValue.string),
      "duration": ends.compactMap { $0["duration"]?.double }.max().map(JSONValue.double),
      "counts": MergedRun.sums(ends.compactMap { $0["counts"] }),
      "failsByOptions": ends.contains { $0["failsByOptions"]?.bool == true } ? true : nil,
    ]
  }
}

/// What the reports of all shards say of the run, as one.
enum MergedRun {
  /// - Parameter runs: each as `EventsVersion1.run` makes it.
  static func value(_ runs: [JSONValue]) -> JSONValue {
    var run = runs.first?.object ?? [:]
    run["startedAt"] = runs.compactMap { $0["startedAt"]?.string }.min().map(JSONValue.string)
    for key in ["scenarioCount", "jobs"] {
      run[key] = .integer(runs.reduce(0) { $0 + ($1[key]?.int ?? 0) })
    }
    // The weakest seal, for it is what the whole can claim.
    let seals = runs.compactMap { $0["networkSeal"]?.string.flatMap(NetworkSeal.init) }
    if let seal = NetworkSeal.allCases.last(where: seals.contains) {
      run["networkSeal"] = .string(seal.rawValue)
    }
    run["shard"] = nil
    run["whole"] = nil
    return .object(run)
  }

  /// The sum of each member that is a number.
  static func sums(_ objects: [JSONValue]) -> JSONValue {
    let keys = objects.first?.object?.keys ?? []
    return .object(
      JSONObject(
        keys.map { key in
          (key, .integer(objects.reduce(0) { $0 + ($1[key]?.int ?? 0) }))
        }))
  }

  static func date(_ value: JSONValue?) -> Date {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return value?.string.flatMap { try? style.parse($0) } ?? .distantPast
  }
}
