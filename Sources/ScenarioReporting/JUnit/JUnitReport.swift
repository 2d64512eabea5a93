import Foundation
import ScenarioCore

/// The run as JUnit XML: a suite for each scenario file, a case for each scenario or case.
///
/// The shape is Jenkins' `junit-10.xsd`.
package struct JUnitReport {
  /// How much of each stream of an app goes into the report.
  package static let outputLimitBytes = 64 * 1024

  let result: RunResult
  let hasFileAttribute: Bool
  private let shard: ShardProperties?
  private let outlet: Outlet

  /// - Parameters:
  ///   - outlet: what all output goes through.
  ///   - hasFileAttribute: whether cases say their `file` and `line`, which the schema does not know
  ///     but some readers use.
  package init(
    _ result: RunResult, _ outlet: Outlet = Outlet(), hasFileAttribute: Bool = false
  ) {
    self.result = result
    self.outlet = outlet
    self.hasFileAttribute = hasFileAttribute
    shard = ShardProperties(result)
  }

  package var text: String { String(decoding: ReportSink.bytes(write), as: UTF8.self) }

  package func write(to sink: ReportSink) throws {
    let names = ResultNames()
    let totals = Self.totals(count: result.results.count, hasSkipped: false, result.count)
    try sink.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="scenario-run"\(totals) time="\(time(result.duration))">

      """)
    try forEachSuite { try write($0, names, to: sink) }
    try sink.write(emptyShard + "</testsuites>\n")
  }

  /// Calls with the places of each file's results, in the order in which the files come first.
  private func forEachSuite(_ body: ([Int]) throws -> Void) rethrows {
    if let header = result.header, header.shuffleSeed == nil {
      // In the order of a plan the results of a file stand together.
      var suite: [Int] = []
      var path: String?
      for (index, result) in result.results.enumerated() {
        if result.scenario.path != path, !suite.isEmpty {
          try body(suite)
          suite.removeAll(keepingCapacity: true)
        }
        path = result.scenario.path
        suite.append(index)
      }
      if !suite.isEmpty { try body(suite) }
    } else {
      for suite in suitesByPath { try body(suite) }
    }
  }

  private var suitesByPath: [[Int]] {
    var suites: [[Int]] = []
    var places: [String: Int] = [:]
    for (index, result) in result.results.enumerated() {
      let path = result.scenario.path
      let place = places[path] ?? suites.count
      if place == suites.count {
        suites.append([])
        places[path] = place
      }
      suites[place].append(index)
    }
    return suites
  }

  /// Looks at the results twice, so that no suite is in memory as a whole.
  private func write(_ suite: [Int], _ names: ResultNames, to sink: ReportSink) throws {
    var counts: [Verdict: Int] = [:]
    var duration = Duration.zero
    var started = Date.distantFuture
    for index in suite {
      let result = result.results[index]
      counts[result.verdict, default: 0] += 1
      duration += result.duration
      started = min(started, result.startedAt)
    }
    let name = XMLText.attribute(
      "name", outlet.masked(result.results[suite[0]].scenario.path))
    let totals = Self.totals(count: suite.count) { counts[$0] ?? 0 }
    try sink.write(
      """
        <testsuite\(name)\(totals) time="\(time(duration))" timestamp="\(timestamp(started))">
      \(properties)
      """)
    for index in suite {
      try sink.write(
        JUnitCase(result.results[index], names, outlet, hasFileAttribute: hasFileAttribute).text)
    }
    try sink.write("  </testsuite>\n")
  }

  /// Which shard of which whole this is, for `merge`: in each suite, for the whole can't have it.
  private var properties: String {
    shard.map { $0.element.text(indentation: "    ") } ?? ""
  }

  /// A suite without cases, where a shard has no scenario but has to say which it is.
  private var emptyShard: String {
    guard result.results.isEmpty, let shard else { return "" }
    return """
        <testsuite\(XMLText.attribute("name", shard.suiteName))\(Self.totals(count: 0) { _ in 0 }) time="0.000">
      \(properties)  </testsuite>

      """
  }

  /// The schema does not know `skipped` for the whole.
  private static func totals(
    count total: Int, hasSkipped: Bool = true, _ count: (Verdict) -> Int
  ) -> String {
    " tests=\"\(total)\" failures=\"\(count(.failed))\" errors=\"\(count(.errored))\""
      + (hasSkipped ? " skipped=\"\(count(.skipped))\"" : "")
  }

  private func timestamp(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle().year().month().day().time(includingFractionalSeconds: false))
  }
}

/// Seconds with three decimals, whatever the locale.
func time(_ duration: Duration) -> String {
  let milliseconds = Int((duration / .milliseconds(1)).rounded())
  return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
}
