import ScenarioCore

/// The reports of all shards as one.
package struct MergedReport: Sendable {
  package let shards: [ShardProperties]
  package let unsuccessful: [ShardSummary.Unsuccessful]
  /// Shards run beside each other: together they took as long as the longest.
  package let duration: Duration
  let counts: RunCounts
  private let report: @Sendable (ReportSink) throws -> Void

  init(
    _ shards: [ShardProperties], _ summaries: [ShardSummary],
    _ report: @escaping @Sendable (ReportSink) throws -> Void
  ) {
    self.shards = shards
    self.report = report
    unsuccessful = summaries.flatMap(\.unsuccessful)
    duration = summaries.map(\.duration).max() ?? .zero
    counts = RunCounts(of: shards, summaries)
  }

  /// - Throws: what the sink does.
  package func write(to sink: ReportSink) throws { try report(sink) }

  /// The signal that interrupted one of the shards.
  package var signal: Int32? { shards.compactMap(\.signal).min() }
  /// Whether a file that the shards looked at is invalid; its scenarios may be of no shard.
  package var hasInvalidFile: Bool { shards.contains(where: \.hasInvalidFile) }
  /// Whether no shard had anything to run.
  package var isNothingSelected: Bool { shards.allSatisfy { $0.whole.scenarioCount == 0 } }
  /// Whether something failed, errored, or was not run.
  package var isUnsuccessful: Bool {
    counts.failed + counts.errored + counts.notRun > 0 || failsByOptions
  }
  /// Whether a shard failed by `--flaky fail`, or by `--strict` for a warning of a file.
  package var failsByOptions: Bool { shards.contains(where: \.failsByItsOptions) }
  package var flakyCount: Int { counts.flaky }
}

extension RunCounts {
  /// Of all shards.
  init(of shards: [ShardProperties], _ summaries: [ShardSummary]) {
    self = summaries.map(\.counts).reduce(RunCounts(), +)
    // Planned and not there: of a shard that was stopped early.
    notRun = zip(shards, summaries).reduce(0) {
      $0 + max(0, $1.0.plannedResults - $1.1.counts.resultCount)
    }
  }
}

/// What a merged report says, for people: what did not pass, and the counts.
package struct MergeSummary {
  private let report: MergedReport

  package init(report: MergedReport) {
    self.report = report
  }

  package var text: String {
    let outlet = Outlet()
    let lines = report.unsuccessful.flatMap { test in
      let verdict = test.verdict == .failed ? "FAILED " : "ERRORED"
      return ["\(verdict)  \(outlet.line(test.name))", "  \(outlet.line(test.message))"]
    }
    return (lines + (lines.isEmpty ? [] : [""]) + [counts]).map { $0 + "\n" }.joined()
  }

  private var counts: String {
    let count = report.shards.count
    let shards = "\(count) shard\(count == 1 ? "" : "s")"
    return "\(report.counts.text) in \(shards), the longest of \(Seconds.text(report.duration))"
  }
}
