import Foundation
import JSON

/// The event stream of a shard that is read again.
package struct EventsFile: ShardReport {
  package static let kindName = "event stream"

  package let path: String
  /// Each line.
  private let events: [JSONValue]

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

  package var told: JSONValue? { events.last?["shard"] }

  package var resultCount: Int? { events.count { $0["kind"]?.string == "scenarioFinished" } }

  /// All events by their time, between the one start and the one end of the whole.
  package static func write(
    _ parts: [EventsFile], as run: RunOutline, to sink: ReportSink
  ) throws {
    var events: [(time: Double, event: JSONObject)] = []
    var firstIndex = 0
    for part in parts {
      let start = RunOutline.date(part.told?["run"]?["startedAt"])
      let delay = max(0, start.timeIntervalSince(run.header.startedAt))
      for case .object(var event) in part.events.dropFirst().dropLast() {
        let time = (((event["time"]?.double ?? 0) + delay) * 1000).rounded() / 1000
        event["time"] = .double(time)
        event["index"] = event["index"]?.int.map { .integer($0 + firstIndex) }
        events.append((time, event))
      }
      firstIndex += part.told?["run"]?["scenarioCount"]?.int ?? 0
    }
    let sorted = events.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element.event)
    let ends = (
      first: EventsVersion1.line("runStarted", at: 0, ["run": EventsVersion1.run(run.header)]),
      last: EventsVersion1.line("runFinished", at: sorted.last?["time"] ?? 0, run.end)
    )
    for event in [ends.first] + sorted.map(JSONValue.object) + [ends.last] {
      try sink.write(event.bytes(.report) + [UInt8(ascii: "\n")])
    }
  }
}
