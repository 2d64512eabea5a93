import JSON
import ScenarioCore

/// What the report of a shard says of itself in the `properties` of each suite.
package struct ShardProperties: Sendable, Equatable {
  private static let prefix = "scenario-run."
  /// What kept the apps of a shard from the network.
  static let network = "network"
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
  init?(_ result: RunResult) {
    guard let header = result.header, let shard = header.shard, let whole = header.whole else {
      return nil
    }
    self.version = header.version
    self.shard = shard
    self.whole = whole
    // A shard is chosen once all are known.
    plannedResults = header.scenarioCount ?? 0
    signal = result.interruptingSignal
    hasInvalidFile = result.diagnostics.contains { $0.severity == .error }
    failsByItsOptions = RunCounts(result).failsByOptions
  }

  /// - Parameter suite: a `testsuite`.
  /// - Returns: `nil` where it does not say all of this.
  init?(_ suite: MarkupElement) {
    self.init { Self.value($0, in: suite) }
  }

  /// - Parameter run: what a report in JSON says of the run, as the first line of the event stream does.
  /// - Returns: `nil` where it isn't a shard's.
  init?(run: JSONValue?, signal: Int?, hasInvalidFile: Bool, failsByItsOptions: Bool) {
    let whole = run?["whole"]
    self.init { name in
      switch name {
      case "version": run?["toolVersion"]?.string
      case "shard": Self.digits(run?["shard"]?["index"])
      case "shards": Self.digits(run?["shard"]?["total"])
      case "shard-by": whole?["shardBy"]?.string
      case "whole": whole?["fingerprint"]?.string
      case "whole.scenarios": Self.digits(whole?["scenarioCount"])
      case "whole.repetitions": Self.digits(whole?["repetitions"])
      case "results": Self.digits(run?["scenarioCount"])
      case "signal": signal.map { "\($0)" }
      case "has-invalid-file": "\(hasInvalidFile)"
      case "fails-by-options": "\(failsByItsOptions)"
      default: nil
      }
    }
  }

  private static func digits(_ value: JSONValue?) -> String? { value?.int.map { "\($0)" } }

  /// - Parameter value: looks up a property by its name, without its prefix.
  private init?(_ value: (String) -> String?) {
    func count(_ name: String) -> Int? {
      value(name).flatMap { Int($0) }.flatMap { (0...Self.countLimit).contains($0) ? $0 : nil }
    }
    guard let version = value("version"), let index = count("shard"), let total = count("shards"),
      let kind = value("shard-by").flatMap(ShardKind.init), let fingerprint = value("whole"),
      let scenarios = count("whole.scenarios"), let repetitions = count("whole.repetitions"),
      let planned = count("results"), (1...Shard.totalLimit).contains(total),
      (1...total).contains(index)
    else { return nil }
    self.version = version
    shard = Shard(index: index, total: total)
    whole = ShardedWhole(
      kind: kind, fingerprint: fingerprint, scenarioCount: scenarios, repetitions: repetitions)
    plannedResults = planned
    signal = count("signal").map { Int32(clamping: $0) }
    hasInvalidFile = value("has-invalid-file") == "true"
    failsByItsOptions = value("fails-by-options") == "true"
  }

  /// - Parameter suite: a `testsuite`.
  static func value(_ name: String, in suite: MarkupElement) -> String? {
    suite.elements(named: "properties").flatMap { $0.elements(named: "property") }
      .first { $0["name"] == prefix + name }?["value"]
  }

  /// What a suite is called that is there for these properties alone.
  var suiteName: String { "shard \(shard.index) of \(shard.total)" }

  /// By name, without its prefix.
  var values: [(String, String)] {
    var values = [
      ("version", version), ("shard", "\(shard.index)"), ("shards", "\(shard.total)"),
      ("shard-by", whole.kind.rawValue), ("whole", whole.fingerprint),
      ("whole.scenarios", "\(whole.scenarioCount)"),
      ("whole.repetitions", "\(whole.repetitions)"), ("results", "\(plannedResults)"),
    ]
    if let signal { values.append(("signal", "\(signal)")) }
    if hasInvalidFile { values.append(("has-invalid-file", "true")) }
    if failsByItsOptions { values.append(("fails-by-options", "true")) }
    return values
  }

  /// What a suite says of the run that it is of.
  static func element(_ values: [(String, String)]) -> MarkupElement {
    let properties = values.map { name, value in
      MarkupElement.Child.element(
        MarkupElement(
          "property",
          [.init(name: "name", value: prefix + name), .init(name: "value", value: value)]))
    }
    return MarkupElement("properties", [], properties)
  }
}
