import Foundation
import JSON
import ScenarioCore

/// A run without its results: what each report says of the whole. The report of a shard holds it as JSON,
/// for `merge`.
package struct RunOutline: Sendable {
  /// So many of those that did not pass are named.
  private static let namedLimit = 500
  /// Above what any run has, and low enough to be multiplied and added up.
  private static let countLimit = 1_000_000_000

  var header: RunHeader
  var counts: RunCounts
  var endedAt: Date
  var duration: Duration
  /// The signal that interrupted the run.
  package private(set) var signal: Int32?
  /// Whether a file that the run looked at is invalid, of whichever shard; its scenarios may be of none.
  package private(set) var hasInvalidFile: Bool
  /// Of a shard, what did not pass: a line with its name, and one with its first finding.
  private(set) var unsuccessful: [String] = []

  /// - Parameter outlet: what all output goes through.
  init(_ result: RunResult, _ outlet: Outlet) {
    header =
      result.header ?? RunHeader(version: "", startedAt: .distantPast, scenarioCount: 0, jobs: 0)
    counts = RunCounts(result)
    duration = result.duration
    endedAt = header.startedAt + result.duration / .seconds(1)
    signal = result.interruptingSignal
    hasInvalidFile = result.diagnostics.contains { $0.severity == .error }
    guard header.shard != nil else { return }
    unsuccessful = result.results.lazy.filter(\.isUnsuccessful).prefix(Self.namedLimit)
      .flatMap { Self.lines($0, outlet.hiding(credentialsOf: $0)) }
  }

  private static func lines(_ result: ScenarioResult, _ outlet: Outlet) -> [String] {
    let (words, scenario) = (FindingText(outlet), result.scenario)
    let reason = result.findings.first.map {
      "\(words.place($0, in: scenario)): \(words.headline($0))"
    }
    let verdict = result.verdict == .failed ? "FAILED " : "ERRORED"
    return ["\(verdict)  \(outlet.line(HTMLResult.name(of: result)))", "  " + (reason ?? "")]
  }

  // MARK: - As JSON

  /// As the end of an event stream has it.
  var end: JSONObject {
    [
      "endedAt": .string(EventsVersion1.timestamp(endedAt)), "duration": .seconds(duration),
      "counts": counts.json, "failsByOptions": counts.failsByOptions ? true : nil,
    ]
  }

  /// What the report of a shard says of it; `nil` for a run that isn't a shard.
  var told: JSONValue? {
    guard header.shard != nil, header.whole != nil else { return nil }
    return .object(
      ["run": EventsVersion1.run(header)] + end + [
        "signal": signal.map { .integer(Int($0)) }, "hasInvalidFile": .bool(hasInvalidFile),
        "passedWithWarnings": .integer(counts.passedWithWarnings),
        "unsuccessful": .strings(unsuccessful),
      ])
  }

  /// - Parameter told: what a report says; anything may stand there.
  /// - Returns: `nil` where it isn't what a shard says.
  init?(told: JSONValue?) {
    func count(_ value: JSONValue?) -> Int? {
      value?.int.flatMap { (0...Self.countLimit).contains($0) ? $0 : nil }
    }
    let run = told?["run"]
    let (part, all) = (run?["shard"], run?["whole"])
    guard let version = run?["toolVersion"]?.string, let index = count(part?["index"]),
      let total = count(part?["total"]), let fingerprint = all?["fingerprint"]?.string,
      let scenarios = count(all?["scenarioCount"]), let repetitions = count(all?["repetitions"]),
      let planned = count(run?["scenarioCount"]), (1...Shard.totalLimit).contains(total),
      (1...total).contains(index), let counts = told?["counts"], counts.object != nil
    else { return nil }
    header = RunHeader(
      version: version, startedAt: Self.date(run?["startedAt"]), scenarioCount: planned,
      jobs: count(run?["jobs"]) ?? 0, shard: Shard(index: index, total: total),
      whole: ShardedWhole(
        fingerprint: fingerprint, scenarioCount: scenarios, repetitions: repetitions),
      seal: run?["networkSeal"]?.string.flatMap(NetworkSeal.init))
    self.counts = RunCounts { count(counts[$0]) ?? 0 }
    self.counts.passedWithWarnings = count(told?["passedWithWarnings"]) ?? 0
    // Planned and not there: of a shard that was stopped early.
    self.counts.notRun = max(0, planned - self.counts.resultCount)
    if told?["failsByOptions"]?.bool == true { self.counts.setFailsByOptions() }
    endedAt = Self.date(told?["endedAt"])
    duration = .seconds(min(max(0, told?["duration"]?.double ?? 0), Double(Self.countLimit)))
    signal = (told?["signal"]?.int).map { Int32(clamping: $0) }
    hasInvalidFile = told?["hasInvalidFile"]?.bool == true
    unsuccessful = (told?["unsuccessful"]?.array ?? []).compactMap(\.string)
  }

  static func date(_ value: JSONValue?) -> Date {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return value?.string.flatMap { try? style.parse($0) } ?? .distantPast
  }

  // MARK: - All shards

  /// - Parameter shards: those of one run, at least one.
  init(merging shards: [RunOutline]) {
    self = shards[0]
    let headers = shards.map(\.header)
    header.startedAt = headers.map(\.startedAt).min() ?? header.startedAt
    header.scenarioCount = headers.reduce(0) { $0 + ($1.scenarioCount ?? 0) }
    header.jobs = headers.reduce(0) { $0 + $1.jobs }
    // The weakest seal, for it is what the whole can claim.
    header.seal = NetworkSeal.allCases.last { seal in headers.contains { $0.seal == seal } }
    (header.shard, header.whole) = (nil, nil)
    counts = shards.map(\.counts).reduce(RunCounts(), +)
    endedAt = shards.map(\.endedAt).max() ?? endedAt
    // Shards run beside each other: together they took as long as the longest.
    duration = shards.map(\.duration).max() ?? duration
    signal = shards.compactMap(\.signal).min()
    hasInvalidFile = shards.contains(where: \.hasInvalidFile)
    counts.invalidFiles = counts.errored == 0 && hasInvalidFile ? 1 : 0
    unsuccessful = shards.flatMap(\.unsuccessful)
  }
}
