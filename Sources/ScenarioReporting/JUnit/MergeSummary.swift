/// What a merged report says, for people: what did not pass, and the counts.
package struct MergeSummary {
  private let report: MergedReport

  package init(report: MergedReport) {
    self.report = report
  }

  package var text: String {
    let lines = report.unsuccessful.flatMap { test in
      let verdict = test.verdict == .failed ? "FAILED " : "ERRORED"
      return ["\(verdict)  \(Sanitizer.line(test.name))", "  \(Sanitizer.line(test.message))"]
    }
    return (lines + (lines.isEmpty ? [] : [""]) + [counts]).map { $0 + "\n" }.joined()
  }

  private var counts: String {
    let parts = [
      (report.count(.passed) - report.flakyCount, "passed"), (report.flakyCount, "flaky"),
      (report.count(.failed), "failed"), (report.count(.errored), "errored"),
      (report.count(.skipped), "skipped"), (report.notRunCount, "not run"),
    ]
    let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let shards = "\(report.shardCount) shard\(report.shardCount == 1 ? "" : "s")"
    return "\(told.isEmpty ? "nothing ran" : told) in \(shards), the longest of "
      + Seconds.text(report.duration)
  }
}
