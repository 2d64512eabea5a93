import JSON
import ScenarioCore

/// A report of one shard that is read again, to be joined with those of the others.
package protocol ShardReport: Sendable {
  /// As messages call one.
  static var kindName: String { get }
  /// - Throws: what is wrong with the file, in one sentence.
  init(path: String, bytes: [UInt8]) throws(ReportFault)
  /// As a message names it.
  var path: String { get }
  /// What it says of its shard, as `RunOutline` does; `nil` where it says nothing.
  var told: JSONValue? { get }
  /// How many results are in it; `nil` where nobody can tell.
  var resultCount: Int? { get }
  /// Writes one report of all shards, which are in order.
  ///
  /// - Parameter run: what came out in all of them.
  static func write(_ parts: [Self], as run: RunOutline, to sink: ReportSink) throws
}

/// The reports of all shards of a run as one.
package struct ShardMerge<Report: ShardReport>: Sendable {
  private struct Part {
    var report: Report
    var run: RunOutline
    var shard: Shard
    var whole: ShardedWhole

    var planned: Int { run.header.scenarioCount ?? 0 }
  }

  /// In the order of the shards.
  private let parts: [Part]
  /// What came out.
  let run: RunOutline

  /// - Throws: where a report is missing, doubled, or of something else.
  package init(_ reports: [Report]) throws(MergeFault) {
    var parts: [Part] = []
    var reasons: [String] = []
    for report in reports {
      do throws(ReportFault) {
        parts.append(try Self.part(report))
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
    guard reasons.isEmpty, !parts.isEmpty else { throw MergeFault(reasons: reasons) }
    self.parts = parts.sorted { $0.shard.index < $1.shard.index }
    run = RunOutline(merging: self.parts.map(\.run))
  }

  /// - Throws: what the sink does.
  package func write(to sink: ReportSink) throws {
    try Report.write(parts.map(\.report), as: run, to: sink)
  }

  /// The signal that interrupted one of the shards.
  package var signal: Int32? { run.signal }
  /// Whether a file that the shards looked at is invalid; its scenarios may be of no shard.
  package var hasInvalidFile: Bool { run.hasInvalidFile }
  /// Whether no shard had anything to run.
  package var isNothingSelected: Bool { parts.allSatisfy { $0.whole.scenarioCount == 0 } }
  /// Whether something failed, errored, or was not run.
  package var isUnsuccessful: Bool {
    run.counts.failed + run.counts.errored + run.counts.notRun > 0 || failsByOptions
  }
  /// Whether a shard failed by `--flaky fail`, or by `--strict` for a warning of a file.
  package var failsByOptions: Bool { run.counts.failsByOptions }
  package var flakyCount: Int { run.counts.flaky }

  /// For people: what did not pass, and the counts.
  package var text: String {
    let lines = run.unsuccessful.map { Outlet().line($0) }
    let more = run.counts.failed + run.counts.errored - lines.count / 2
    let rest = more > 0 ? ["… and \(more) more that did not pass"] : []
    let total =
      "\(run.counts.text()) in \(Wording.counted(parts.count, "shard")), the longest of "
      + Seconds.text(run.duration)
    return (lines + rest + (lines.isEmpty ? [] : [""]) + [total]).map { $0 + "\n" }.joined()
  }

  private static func part(_ report: Report) throws(ReportFault) -> Part {
    guard let run = RunOutline(told: report.told), let shard = run.header.shard,
      let whole = run.header.whole
    else {
      throw ReportFault(
        "\(report.path) is not the report of a shard, as scenario-run --shard writes it.")
    }
    let part = Part(report: report, run: run, shard: shard, whole: whole)
    let count = run.counts.resultCount
    // A run that was interrupted at its end tells that by a result of its own.
    guard count <= part.planned + (run.signal == nil ? 0 : 1) else {
      throw ReportFault("\(report.path) has \(count) results, of \(part.planned) in its shard.")
    }
    guard report.resultCount ?? count == count else {
      throw ReportFault(
        "\(report.path) was changed after scenario-run wrote it: it has \(report.resultCount ?? 0) results, "
          + "and counts \(count). Run that shard again.")
    }
    return part
  }

  private static func difference(of part: Part, from first: Part) -> String? {
    let (path, firstPath) = (part.report.path, first.report.path)
    let (version, firstVersion) = (part.run.header.version, first.run.header.version)
    if version != firstVersion {
      return "\(path) was written by version \(version) of scenario-run, \(firstPath) by "
        + "\(firstVersion)."
    }
    if part.shard.total != first.shard.total {
      return "\(path) is one of \(part.shard.total) shards, \(firstPath) one of "
        + "\(first.shard.total)."
    }
    if part.whole != first.whole {
      return "\(path) is of another run than \(firstPath): of other scenario files, or another "
        + "selection."
    }
    return nil
  }

  private static func gaps(in parts: [Part]) -> [String] {
    guard let total = parts.first?.shard.total else { return [] }
    let byIndex = Dictionary(grouping: parts) { $0.shard.index }
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
    guard let whole = parts.first?.whole else { return [] }
    let planned = parts.reduce(0) { $0 + $1.planned }
    let count = whole.scenarioCount * whole.repetitions
    guard planned != count else { return [] }
    return [
      "The reports have \(planned) results in their shards, of \(count) in the whole run. Use the "
        + "reports as scenario-run wrote them."
    ]
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
