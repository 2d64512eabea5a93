import JSON
import ScenarioCore

/// A CTRF report of a shard that is read again.
package struct CTRFFile: ShardReport {
  package static let kindName = "CTRF report"

  package let path: String
  private let root: JSONValue
  private let tests: [JSONValue]

  /// - Throws: what is wrong with the file, in one sentence.
  package init(path: String, bytes: [UInt8]) throws(ReportFault) {
    self.path = path
    do {
      root = try JSONValue(parsing: bytes)
    } catch {
      throw ReportFault("\(path) isn't a CTRF report: \(error)")
    }
    guard root["reportFormat"]?.string == "CTRF", let tests = root["results"]?["tests"]?.array
    else {
      throw ReportFault("\(path) isn't a CTRF report: it has no \"results\" with \"tests\".")
    }
    self.tests = tests
  }

  private var totals: JSONValue? { root["results"]?["summary"] }
  private var run: JSONValue? { root["results"]?["environment"]?["extra"] }

  package var shard: ShardProperties? {
    ShardProperties(
      run: run, signal: totals?["extra"]?["interruptingSignal"]?.int,
      hasInvalidFile: totals?["extra"]?["hasInvalidFile"]?.bool == true,
      failsByItsOptions: totals?["extra"]?["failsByOptions"]?.bool == true)
  }

  package var summary: ShardSummary {
    var summary = ShardSummary(duration: .milliseconds(totals?["duration"]?.int ?? 0))
    for test in tests {
      let text = test["trace"]?.string ?? test["message"]?.string ?? ""
      summary.add(
        test["rawStatus"]?.string.flatMap(Verdict.init) ?? .errored,
        isKnown: test["status"]?.string == "other", isFlaky: test["flaky"]?.bool == true,
        name: test["name"]?.string ?? "",
        message: text.split(separator: "\n").first.map(String.init) ?? "")
    }
    return summary
  }

  package static func write(_ parts: [CTRFFile], to sink: ReportSink) throws {
    var root = parts.first?.root.object ?? [:]
    root["timestamp"] = parts.compactMap { $0.root["timestamp"]?.string }.max()
      .map(JSONValue.string)
    var results = root["results"]?.object ?? [:]
    let tests = unique(parts)
    results["summary"] = .object(summary(of: parts, tests))
    results["environment"] = [
      "healthy": .bool(
        parts.allSatisfy { $0.root["results"]?["environment"]?["healthy"]?.bool == true }),
      "extra": MergedRun.value(parts.compactMap(\.run)),
    ]
    (root["results"], results["tests"]) = (nil, nil)
    try CTRFReport.write(
      root: .object(root), run: .object(results), tests.lazy.map { $0.bytes(.report) }, to: sink)
  }

  /// By file, each with a name that no other has.
  private static func unique(_ parts: [CTRFFile]) -> [JSONValue] {
    let plain = parts.flatMap { part in
      var names = ShardNames()
      return part.tests.map { test in
        (
          file: test["suite"]?[0]?.string ?? "", name: names.plain(test["name"]?.string ?? ""),
          test: test
        )
      }
    }
    let names = ResultNames()
    return plain.enumerated()
      .sorted { ($0.element.file, $0.offset) < ($1.element.file, $1.offset) }
      .map { _, item in
        var test = item.test.object ?? [:]
        let name = names.unique(item.name)
        test["name"] = .string(name)
        test["testId"] = .string("\(item.file)#\(name)")
        return .object(test)
      }
  }

  private static func summary(of parts: [CTRFFile], _ tests: [JSONValue]) -> JSONObject {
    let all = parts.compactMap(\.totals)
    var summary = MergedRun.sums(all).object ?? [:]
    summary["suites"] = .integer(Set(tests.compactMap { $0["suite"]?[0] }).count)
    summary["start"] = all.compactMap { $0["start"]?.int }.min().map(JSONValue.integer)
    for key in ["stop", "duration"] {
      summary[key] = all.compactMap { $0[key]?.int }.max().map(JSONValue.integer)
    }
    let extras = all.compactMap { $0["extra"] }
    var extra = MergedRun.sums(extras).object ?? [:]
    extra["interruptingSignal"] = extras.compactMap { $0["interruptingSignal"]?.int }.min()
      .map(JSONValue.integer)
    for key in ["hasInvalidFile", "failsByOptions"] {
      extra[key] = extras.contains { $0[key]?.bool == true } ? true : nil
    }
    summary["extra"] = .object(extra)
    return summary
  }
}
