import Foundation
import JSON
import ScenarioCore

/// The page of a shard that is read again.
package struct HTMLFile: ShardReport {
  package static let kindName = "page"

  package let path: String
  private let told: JSONValue?
  private let sections: [Section]

  /// A part of the page: the results of one kind, or what several have in common.
  private struct Section {
    var kinds: [String]
    /// With `h2` around it.
    var title: String
    var lines: [Substring] = []
  }

  /// - Throws: what is wrong with the file, in one sentence.
  package init(path: String, bytes: [UInt8]) throws(ReportFault) {
    self.path = path
    guard let page = String(validating: bytes, as: UTF8.self),
      let start = page.range(of: "\n<main>\n"), page.hasSuffix("</html>\n")
    else { throw ReportFault("\(path) isn't a page that scenario-run wrote.") }
    let told = page[..<start.lowerBound].split(separator: "\n")
      .first { $0.hasPrefix(HTMLShard.start) }
    self.told = told.flatMap(HTMLShard.value)
    sections = Self.sections(of: page[start.upperBound...])
  }

  /// Whatever an app says is escaped, so that no other line begins as these do.
  private static func sections(of page: Substring) -> [Section] {
    var sections: [Section] = []
    var depth = 0
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      let isStart = line.hasPrefix("<section class=\"")
      if isStart { depth += 1 }
      defer { if line == "</section>" { depth -= 1 } }
      if isStart, depth == 1 {
        let kinds = line.dropFirst("<section class=\"".count).prefix { $0 != "\"" }
        sections.append(Section(kinds: kinds.split(separator: " ").map(String.init), title: ""))
      } else if depth == 1, sections.last?.title == "" {
        sections[sections.count - 1].title = String(line)
      } else if depth > 1 || depth == 1 && line != "</section>" {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  package var shard: ShardProperties? { ShardProperties(told: told) }

  /// The page has its results for people, and their numbers.
  package var summary: ShardSummary {
    ShardSummary(
      counts: RunCounts(told?["counts"]), duration: .seconds(told?["duration"]?.double ?? 0))
  }

  package static func write(_ parts: [HTMLFile], to sink: ReportSink) throws {
    let shards = parts.compactMap(\.shard)
    var counts = RunCounts(of: shards, parts.map(\.summary))
    counts.invalidFiles =
      counts.errored == 0 && shards.contains(where: \.hasInvalidFile) ? 1 : 0
    if shards.contains(where: \.failsByItsOptions) {
      (counts.failsOnFlaky, counts.doubtfulFiles) = (counts.flaky > 0, counts.flaky > 0 ? 0 : 1)
    }
    let warned = parts.reduce(0) { $0 + ($1.told?["warned"]?.int ?? 0) }
    try HTMLPage(result(of: parts, shards), counts, warned: warned).write(to: sink) {
      for kind in ["groups"] + HTMLPage.kinds {
        try write(parts.flatMap(\.sections).filter { $0.kinds.first == kind }, to: sink)
      }
    }
  }

  /// The run without its results.
  private static func result(of parts: [HTMLFile], _ shards: [ShardProperties]) -> RunResult {
    let run = MergedRun.value(parts.compactMap { $0.told?["run"] })
    var result = RunResult()
    result.apply(
      .runStarted(
        RunHeader(
          version: shards.first?.version ?? "", startedAt: MergedRun.date(run["startedAt"]),
          scenarioCount: run["scenarioCount"]?.int ?? 0, jobs: run["jobs"]?.int ?? 0,
          seal: run["networkSeal"]?.string.flatMap(NetworkSeal.init))))
    if let signal = shards.compactMap(\.signal).min() { result.apply(.interrupted(signal: signal)) }
    let duration = parts.map(\.summary.duration).max() ?? .zero
    result.apply(.runFinished(endedAt: .distantPast, duration: duration))
    return result
  }

  /// As one.
  private static func write(_ same: [Section], to sink: ReportSink) throws {
    guard let first = same.first else { return }
    let kinds = same.flatMap(\.kinds).reduce(into: [String]()) { kinds, kind in
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    try sink.write("<section class=\"\(kinds.joined(separator: " "))\">\n\(first.title)\n")
    for line in same.flatMap(\.lines) { try sink.write(line + "\n") }
    try sink.write("</section>\n")
  }
}

/// What the page of a shard says of itself, for `merge`.
enum HTMLShard {
  static let start = "<meta name=\"scenario-run\""

  /// - Returns: an element with its newline; empty for a run that isn't a shard.
  static func element(_ result: RunResult, warned: Int) -> String {
    guard let told = ShardProperties.told(of: result)?.object else { return "" }
    let value = JSONValue.object(
      told + [
        "counts": EventsVersion1.counts(result), "duration": .seconds(result.duration),
        "warned": .integer(warned),
      ])
    return "\(start)\(XMLText.attribute("content", value.text(.report)))/>\n"
  }

  static func value(_ line: Substring) -> JSONValue? {
    MarkupTag(line)["content"].flatMap { try? JSONValue(parsing: $0) }
  }
}
