import JSON
import ScenarioCore

/// A JUnit report of a shard that is read again, as this program wrote it: each tag begins a line, and
/// whatever an app says is escaped, so that no other line begins as these do.
package struct JUnitFile: ShardReport {
  package static let kindName = "JUnit report"

  package let path: String
  private let suites: [Suite]

  private struct Suite {
    var tag: MarkupTag
    /// By their names.
    var properties: [String: String] = [:]
    var cases: [Case] = []

    /// Whether its results are as many of each kind as it says: what was taken out of a report, or moved
    /// in it, isn't read as a pass.
    var isComplete: Bool {
      let counts = [
        ("tests", cases.count), ("failures", cases.count { $0.verdict == .failed }),
        ("errors", cases.count { $0.verdict == .errored }),
        ("skipped", cases.count { $0.verdict == .skipped }),
      ]
      return counts.allSatisfy { tag[$0] == "\($1)" }
    }
  }

  /// A `testcase`.
  package struct Case: Equatable {
    var tag: MarkupTag
    /// Those after the tag.
    var lines: [Substring] = []

    var verdict: Verdict {
      if has("error ") { return .errored }
      if has("failure ") { return .failed }
      return has("skipped ") ? .skipped : .passed
    }

    private func has(_ element: String) -> Bool {
      lines.contains { $0.hasPrefix("      <" + element) }
    }
  }

  package init(path: String, bytes: [UInt8]) throws(ReportFault) {
    self.path = path
    guard let text = String(validating: bytes, as: UTF8.self),
      text.hasPrefix(XMLText.declaration + "<testsuites "),
      text.hasSuffix("</testsuites>\n") || text.hasSuffix("</testsuites>")
    else { throw ReportFault("\(path) isn't a JUnit report that scenario-run wrote.") }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    suites = Self.suites(lines)
    if let changed = suites.first(where: { !$0.isComplete }) {
      throw ReportFault(
        "\(path) was changed after scenario-run wrote it: the results of \"\(changed.tag["name"] ?? "")\""
          + " aren't those that the suite counts. Run that shard again.")
    }
  }

  private static func suites(_ lines: [Substring]) -> [Suite] {
    var suites: [Suite] = []
    var isInCase = false
    for line in lines {
      if line.hasPrefix("  <testsuite ") {
        suites.append(Suite(tag: MarkupTag(line)))
        isInCase = false
      } else if suites.isEmpty {
        continue
      } else if line.hasPrefix("      <property ") {
        let tag = MarkupTag(line)
        suites[suites.count - 1].properties[tag["name"] ?? ""] = tag["value"]
      } else if line.hasPrefix("    <testcase ") {
        suites[suites.count - 1].cases.append(Case(tag: MarkupTag(line)))
        isInCase = !line.hasSuffix("/>")
      } else if isInCase {
        let last = suites[suites.count - 1].cases.count - 1
        suites[suites.count - 1].cases[last].lines.append(line)
        isInCase = line != "    </testcase>"
      }
    }
    return suites
  }

  package var told: JSONValue? {
    let told = suites.compactMap { $0.properties[JUnitReport.shardProperty] }
    return told.count == 1 ? try? JSONValue(parsing: told[0]) : nil
  }

  package var resultCount: Int? { cases.count }

  package var cases: [Case] { suites.flatMap(\.cases) }

  // MARK: - All shards

  /// Suites of the same file are joined, in the order of the files.
  package static func write(
    _ parts: [JUnitFile], as run: RunOutline, to sink: ReportSink
  ) throws {
    let names = ResultNames()
    let filled = parts.flatMap { plain($0.suites) }.filter { !$0.cases.isEmpty }
    try sink.write(JUnitReport.start(of: run))
    for (name, same) in filled.grouped(by: { $0.tag["name"] ?? "" }).sorted(by: { $0.key < $1.key })
    {
      let cases = same.flatMap(\.cases)
      let time = Duration.milliseconds(cases.reduce(0) { $0 + $1.tag.milliseconds })
      let attributes = JUnitReport.attributes(name, tests: cases.count, isSuite: true, time: time) {
        verdict in cases.count { $0.verdict == verdict }
      }
      let started = same.compactMap { $0.tag["timestamp"] }.min()
      let suite = MarkupElement("testsuite", attributes + [("timestamp", started)])
      try sink.write(suite.start("  ") + ">\n")
      let seals = Set(same.compactMap { $0.properties[JUnitReport.networkProperty] }).sorted()
      let properties = JUnitReport.properties(seals.map { (JUnitReport.networkProperty, $0) })
      try sink.write(properties?.text("    ") ?? "")
      for var test in cases {
        test.tag["name"] = names.unique(test.tag["name"] ?? "")
        for line in [test.tag.line] + test.lines { try sink.write(line + "\n") }
      }
      try sink.write("  </testsuite>\n")
    }
    try sink.write("</testsuites>\n")
  }

  /// With the names as they were before the shard numbered the equal ones: the whole is numbered anew.
  private static func plain(_ suites: [Suite]) -> [Suite] {
    var names = ShardNames()
    return suites.map { suite in
      var suite = suite
      for place in suite.cases.indices {
        suite.cases[place].tag["name"] = names.plain(suite.cases[place].tag["name"] ?? "")
      }
      return suite
    }
  }
}

extension MarkupTag {
  /// 0 where there is no time.
  fileprivate var milliseconds: Int {
    guard let seconds = self["time"].flatMap({ Double($0) }), (0...1_000_000_000).contains(seconds)
    else { return 0 }
    return Int((seconds * 1000).rounded())
  }
}

/// Takes off the numbers that a shard gave to equal names.
struct ShardNames {
  private var names: Set<String> = []

  /// To be asked once for each result, in the order of the report.
  mutating func plain(_ name: String) -> String {
    defer { names.insert(name) }
    let plain = ResultNames.withoutNumber(name)
    return names.contains(plain) ? plain : name
  }
}
