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

  /// - Parameter hasFileAttribute: whether cases say their `file` and `line`, which the schema does
  ///   not know but some readers use.
  package init(_ result: RunResult, hasFileAttribute: Bool = false) {
    self.result = result
    self.hasFileAttribute = hasFileAttribute
  }

  package var text: String {
    let suites = Self.suites(result.results)
    let names = ResultNames()
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="scenario-run"\(totals(result.results, hasSkipped: false)) time="\(time(result.duration))">
      \(suites.map { suite($0.path, $0.results, names) }.joined())\(emptyShard)</testsuites>

      """
  }

  /// The results by file, in the order in which the files come first.
  private static func suites(
    _ results: [ScenarioResult]
  ) -> [(path: String, results: [ScenarioResult])] {
    var suites: [(path: String, results: [ScenarioResult])] = []
    var places: [String: Int] = [:]
    for result in results {
      let path = result.scenario.path
      let place = places[path] ?? suites.count
      if place == suites.count { suites.append((path, [])) }
      places[path] = place
      suites[place].results.append(result)
    }
    return suites
  }

  private func suite(_ path: String, _ results: [ScenarioResult], _ names: ResultNames) -> String {
    let duration = results.reduce(Duration.zero) { $0 + $1.duration }
    let started = results.map(\.startedAt).min().map(timestamp) ?? ""
    let cases = results.map { JUnitCase($0, names, hasFileAttribute: hasFileAttribute).text }
    return """
        <testsuite\(attribute("name", path))\(totals(results)) time="\(time(duration))"\
       timestamp="\(started)">
      \(properties)\(cases.joined())  </testsuite>

      """
  }

  /// Which shard of which whole this is, for `merge`: in each suite, for the whole can't have it.
  private var properties: String {
    ShardProperties(result).map { $0.element.text(indentation: "    ") } ?? ""
  }

  /// A suite without cases, where a shard has no scenario but has to say which it is.
  private var emptyShard: String {
    guard result.results.isEmpty, let shard = ShardProperties(result) else { return "" }
    return """
        <testsuite\(attribute("name", shard.suiteName))\(totals([])) time="0.000">
      \(properties)  </testsuite>

      """
  }

  /// The schema does not know `skipped` for the whole.
  private func totals(_ results: [ScenarioResult], hasSkipped: Bool = true) -> String {
    func count(_ verdict: Verdict) -> Int { results.count { $0.verdict == verdict } }
    return " tests=\"\(results.count)\" failures=\"\(count(.failed))\""
      + " errors=\"\(count(.errored))\""
      + (hasSkipped ? " skipped=\"\(count(.skipped))\"" : "")
  }

  private func timestamp(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle().year().month().day().time(includingFractionalSeconds: false))
  }
}

func attribute(_ name: String, _ value: String) -> String {
  " \(name)=\"\(XMLText.escaped(value, isAttribute: true))\""
}

/// Seconds with three decimals, whatever the locale.
func time(_ duration: Duration) -> String {
  let milliseconds = Int((duration / .milliseconds(1)).rounded())
  return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
}
