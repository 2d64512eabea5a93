import ScenarioCore

/// A report of one shard that is read again, to be joined with those of the others.
package protocol ShardReport: Sendable {
  /// As messages call one.
  static var kindName: String { get }
  /// - Throws: what is wrong with the file, in one sentence.
  init(path: String, bytes: [UInt8]) throws(ReportFault)
  /// As a message names it.
  var path: String { get }
  /// `nil` where the report doesn't say which shard it is of.
  var shard: ShardProperties? { get }
  var summary: ShardSummary { get }
  /// Writes one report of all shards, which are in order.
  static func write(_ parts: [Self], to sink: ReportSink) throws
}

/// What came out in one shard.
package struct ShardSummary: Sendable {
  /// Without those that were not run.
  var counts = RunCounts()
  /// What did not pass, each with its first finding; empty where the report doesn't tell.
  var lines: [String] = []
  var duration = Duration.zero

  /// Counts a result.
  ///
  /// - Parameter message: the first finding with its place, in one line.
  mutating func add(
    _ verdict: Verdict, isKnown: Bool = false, isFlaky: Bool = false, name: String, message: String
  ) {
    switch verdict {
    case _ where isKnown: counts.known += 1
    case .passed where isFlaky: counts.flaky += 1
    case .passed: counts.passed += 1
    case .skipped: counts.skipped += 1
    case .failed: counts.failed += 1
    case .errored: counts.errored += 1
    }
    guard verdict.isUnsuccessful, !isKnown else { return }
    let outlet = Outlet()
    let word = verdict == .failed ? "FAILED " : "ERRORED"
    lines += ["\(word)  \(outlet.line(name))", "  \(outlet.line(message))"]
  }
}

/// The reports of all shards of a run as one.
package struct ShardMerge<Report: ShardReport>: Sendable {
  private struct Part {
    var report: Report
    var properties: ShardProperties
  }

  /// In the order of the shards.
  private let reports: [Report]
  private let shards: [ShardProperties]
  private let summaries: [ShardSummary]
  let counts: RunCounts

  /// - Throws: where a report is missing, doubled, or of something else.
  package init(_ reports: [Report]) throws(MergeFault) {
    var parts: [Part] = []
    var reasons: [String] = []
    for report in reports {
      do throws(ReportFault) {
        parts.append(Part(report: report, properties: try Self.properties(of: report)))
      } catch {
        reasons.append(error.description)
      }
    }
    if let first = parts.first {
      reasons += parts.dropFirst().compactMap { Self.difference(of: $0, from: first) }
    }
    // Which are missing can be told only of those that belong together.
    if reasons.isEmpty { reasons = Self.gaps(in: parts) }
    if reasons.isEmpty { reasons = Self.surplus(of: parts) }
    guard reasons.isEmpty else { throw MergeFault(reasons: reasons) }
    parts.sort { $0.properties.shard.index < $1.properties.shard.index }
    self.reports = parts.map(\.report)
    shards = parts.map(\.properties)
    summaries = parts.map(\.report.summary)
    counts = RunCounts(of: shards, summaries)
  }

  /// - Throws: what the sink does.
  package func write(to sink: ReportSink) throws { try Report.write(reports, to: sink) }

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

  /// For people: what did not pass, and the counts.
  package var text: String {
    let lines = summaries.flatMap(\.lines)
    // Shards run beside each other: together they took as long as the longest.
    let time = Seconds.text(summaries.map(\.duration).max() ?? .zero)
    let total =
      "\(counts.text()) in \(Wording.counted(shards.count, "shard")), the longest of \(time)"
    return (lines + (lines.isEmpty ? [] : [""]) + [total]).map { $0 + "\n" }.joined()
  }

  private static func properties(of report: Report) throws(ReportFault) -> ShardProperties {
    guard let properties = report.shard else {
      throw ReportFault(
        "\(report.path) is not the report of a shard, as scenario-run --shard writes it.")
    }
    let count = report.summary.counts.resultCount
    // A run that was interrupted at its end tells that by a result of its own.
    guard count <= properties.plannedResults + (properties.signal == nil ? 0 : 1) else {
      throw ReportFault(
        "\(report.path) has \(count) results, of \(properties.plannedResults) in its shard.")
    }
    return properties
  }

  private static func difference(of part: Part, from first: Part) -> String? {
    let (one, other) = (first.properties, part.properties)
    let (path, firstPath) = (part.report.path, first.report.path)
    if other.version != one.version {
      return "\(path) was written by version \(other.version) of scenario-run, \(firstPath) by "
        + "\(one.version)."
    }
    if other.shard.total != one.shard.total {
      return "\(path) is one of \(other.shard.total) shards, \(firstPath) one of "
        + "\(one.shard.total)."
    }
    if other.whole != one.whole {
      return "\(path) is of another run than \(firstPath): of other scenario files, or another "
        + "selection."
    }
    return nil
  }

  private static func gaps(in parts: [Part]) -> [String] {
    guard let total = parts.first?.properties.shard.total else { return [] }
    let byIndex = Dictionary(grouping: parts) { $0.properties.shard.index }
    let doubled = byIndex.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map {
      index, same in
      let paths = same.map(\.report.path).joined(separator: " and ")
      return "Shard \(index) of \(total) is there \(same.count) times: \(paths)."
    }
    let missing = (1...total).filter { byIndex[$0] == nil }
    guard !missing.isEmpty else { return doubled }
    let numbers = missing.map(String.init).joined(separator: ", ")
    let isOne = missing.count == 1
    return doubled + [
      "Shard\(isOne ? "" : "s") \(numbers) of \(total) \(isOne ? "is" : "are") missing."
    ]
  }

  /// A report that was edited may be of another shard than it says, or of more or less.
  private static func surplus(of parts: [Part]) -> [String] {
    guard let whole = parts.first?.properties.whole else { return [] }
    let planned = parts.reduce(0) { $0 + $1.properties.plannedResults }
    let count = whole.scenarioCount * whole.repetitions
    guard planned != count else { return [] }
    return [
      "The reports have \(planned) results in their shards, of \(count) in the whole run. Use the "
        + "reports as scenario-run wrote them."
    ]
  }
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

/// Why reports do not belong together; a sentence each.
package struct MergeFault: Error {
  package var reasons: [String]
}

/// Why a report can't be used.
package struct ReportFault: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
