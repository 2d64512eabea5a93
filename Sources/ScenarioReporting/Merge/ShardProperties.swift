import JSON
import ScenarioCore

/// What the report of a shard says of itself.
package struct ShardProperties: Sendable, Equatable {
  /// The properties of a suite of a JUnit report: what `told` says, as JSON, and what kept the apps of a
  /// shard from the network.
  static let (shardName, networkName) = ("scenario-run.shard", "scenario-run.network")
  /// Above what any run has, and low enough to be multiplied and added up.
  private static let countLimit = 1_000_000_000

  package var version: String
  package var shard: Shard
  package var whole: ShardedWhole
  /// How many results there are when nothing stops the run.
  package var plannedResults: Int
  /// The signal that interrupted the run.
  package var signal: Int32?
  /// Whether a file that the run looked at is invalid, of whichever shard.
  package var hasInvalidFile: Bool
  /// Whether the run fails although every result of it passed: by `--flaky fail`, or by `--strict` for a
  /// warning of a file.
  package var failsByItsOptions: Bool

  /// - Returns: `nil` for a run that isn't a shard.
  init?(_ result: RunResult) { self.init(told: Self.told(of: result)) }

  /// - Parameter run: what a report says of the run, as the first line of the event stream does.
  /// - Returns: `nil` where it isn't a shard's.
  init?(run: JSONValue?, signal: Int?, hasInvalidFile: Bool, failsByItsOptions: Bool) {
    func count(_ value: JSONValue?) -> Int? {
      value?.int.flatMap { (0...Self.countLimit).contains($0) ? $0 : nil }
    }
    let (part, all) = (run?["shard"], run?["whole"])
    guard let version = run?["toolVersion"]?.string, let index = count(part?["index"]),
      let total = count(part?["total"]), let fingerprint = all?["fingerprint"]?.string,
      let scenarios = count(all?["scenarioCount"]), let repetitions = count(all?["repetitions"]),
      let planned = count(run?["scenarioCount"]), (1...Shard.totalLimit).contains(total),
      (1...total).contains(index)
    else { return nil }
    self.version = version
    shard = Shard(index: index, total: total)
    whole = ShardedWhole(
      fingerprint: fingerprint, scenarioCount: scenarios, repetitions: repetitions)
    plannedResults = planned
    self.signal = signal.map { Int32(clamping: $0) }
    self.hasInvalidFile = hasInvalidFile
    self.failsByItsOptions = failsByItsOptions
  }

  /// - Parameter told: see `told(of:)`; it may have more members.
  init?(told: JSONValue?) {
    self.init(
      run: told?["run"], signal: told?["signal"]?.int,
      hasInvalidFile: told?["hasInvalidFile"]?.bool == true,
      failsByItsOptions: told?["failsByOptions"]?.bool == true)
  }

  /// What a report says of the shard that it is of, where its format has no words for that.
  ///
  /// - Returns: `nil` for a run that isn't a shard.
  static func told(of result: RunResult) -> JSONValue? {
    guard let header = result.header, header.shard != nil, header.whole != nil else { return nil }
    return [
      "run": EventsVersion1.run(header),
      "signal": result.interruptingSignal.map { .integer(Int($0)) },
      "hasInvalidFile": .bool(result.hasInvalidFile),
      "failsByOptions": .bool(RunCounts(result).failsByOptions),
    ]
  }

  /// What a suite says of the run that it is of.
  static func element(_ values: [(String, String)]) -> MarkupElement {
    MarkupElement(
      "properties", [],
      values.map { .element(MarkupElement("property", [("name", $0), ("value", $1)])) })
  }
}

extension RunResult {
  /// Whether a file that the run looked at is invalid.
  var hasInvalidFile: Bool { diagnostics.contains { $0.severity == .error } }
}
