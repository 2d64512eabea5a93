import ScenarioCore

/// The reports of all shards as one.
package struct MergedReport: Sendable {
  /// A test case that did not pass.
  package struct Unsuccessful: Sendable {
    package var verdict: Verdict
    package var name: String
    /// The first finding with its place, in one line.
    package var message: String
  }

  package let shardCount: Int
  package let root: MarkupElement
  /// The signal that interrupted one of the shards.
  package let signal: Int32?
  /// Whether a file that the shards looked at is invalid; its scenarios may be of no shard.
  package let hasInvalidFile: Bool
  /// Whether no shard had anything to run.
  package let isNothingSelected: Bool
  /// Results that were planned and are not there: of a shard that was stopped early.
  package let notRunCount: Int
  package let cases: [MarkupElement]

  init(_ parts: [(file: JUnitFile, properties: ShardProperties)]) {
    shardCount = parts.count
    signal = parts.compactMap(\.properties.signal).min()
    hasInvalidFile = parts.contains { $0.properties.hasInvalidFile }
    isNothingSelected = parts.allSatisfy { $0.properties.whole.scenarioCount == 0 }
    notRunCount = parts.reduce(0) { $0 + $1.properties.plannedResults - $1.file.cases.count }
    let names = ResultNames()
    var suites: [MarkupElement] = []
    for same in Self.grouped(parts.flatMap { Self.plain($0.file.suites) }) {
      suites.append(Self.joined(same, names))
    }
    let cases = suites.flatMap { $0.elements(named: "testcase") }
    self.cases = cases
    // Shards run beside each other: together they took as long as the longest.
    let time = parts.map(\.file.milliseconds).max() ?? 0
    root = MarkupElement(
      "testsuites",
      Self.attributes([("name", "scenario-run")] + Self.totals(cases, hasSkipped: false))
        + Self.attributes([("time", Self.seconds(time))]),
      suites.map { .element($0) })
  }

  package var text: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text()
  }

  package var unsuccessful: [Unsuccessful] {
    cases.compactMap { test in
      guard let verdict = Self.verdict(of: test), verdict == .failed || verdict == .errored else {
        return nil
      }
      let element = test.elements.first { $0.name == "failure" || $0.name == "error" }
      return Unsuccessful(
        verdict: verdict, name: test["name"] ?? "", message: element.map(Self.firstLine) ?? "")
    }
  }

  package func count(_ verdict: Verdict) -> Int {
    cases.count { Self.verdict(of: $0) == verdict }
  }

  package var flakyCount: Int { cases.count(where: Self.isFlaky) }

  package var duration: Duration { .seconds(Double(root["time"] ?? "") ?? 0) }

  private static func firstLine(of element: MarkupElement) -> String {
    let line = element.content.split(separator: "\n").first
    return line.map(String.init) ?? element["message"] ?? ""
  }

  private static func verdict(of test: MarkupElement) -> Verdict? {
    if !test.elements(named: "error").isEmpty { return .errored }
    if !test.elements(named: "failure").isEmpty { return .failed }
    return test.elements(named: "skipped").isEmpty ? .passed : .skipped
  }

  private static func isFlaky(_ test: MarkupElement) -> Bool {
    test.elements.contains { $0.name == "flakyFailure" || $0.name == "flakyError" }
  }

  /// With the names as they were before the shard numbered the equal ones: the whole is numbered anew.
  private static func plain(_ suites: [MarkupElement]) -> [MarkupElement] {
    var names: Set<String> = []
    return suites.map { suite in
      var suite = suite
      suite.children = suite.children.map { child in
        guard case .element(var test) = child, let name = test["name"] else { return child }
        let plain = ResultNames.withoutNumber(name)
        if names.contains(plain) { test["name"] = plain }
        names.insert(name)
        return .element(test)
      }
      return suite
    }
  }

  /// The suites with cases, by file.
  private static func grouped(_ suites: [MarkupElement]) -> [[MarkupElement]] {
    let filled = suites.filter { !$0.elements(named: "testcase").isEmpty }
    return Dictionary(grouping: filled) { $0["name"] ?? "" }.sorted { $0.key < $1.key }
      .map(\.value)
  }

  private static func joined(_ same: [MarkupElement], _ names: ResultNames) -> MarkupElement {
    let cases = same.flatMap { $0.elements(named: "testcase") }.map { test in
      var test = test
      test["name"] = names.unique(test["name"] ?? "")
      return test
    }
    let time = cases.reduce(0) { $0 + JUnitFile.milliseconds($1["time"]) }
    let started = same.compactMap { $0["timestamp"] }.min()
    let seals = Set(same.compactMap { ShardProperties.value(ShardProperties.network, in: $0) })
    let properties = seals.sorted().map { (ShardProperties.network, $0) }
    return MarkupElement(
      "testsuite",
      attributes(
        [("name", same.first?["name"] ?? "")] + totals(cases, hasSkipped: true)
          + [("time", seconds(time))] + (started.map { [("timestamp", $0)] } ?? [])),
      ((properties.isEmpty ? [] : [ShardProperties.element(properties)]) + cases).map {
        .element($0)
      })
  }

  private static func totals(
    _ cases: [MarkupElement], hasSkipped: Bool
  ) -> [(String, String)] {
    func count(_ verdict: Verdict) -> String {
      "\(cases.count { self.verdict(of: $0) == verdict })"
    }
    return [("tests", "\(cases.count)"), ("failures", count(.failed)), ("errors", count(.errored))]
      + (hasSkipped ? [("skipped", count(.skipped))] : [])
  }

  private static func attributes(_ pairs: [(String, String)]) -> [MarkupElement.Attribute] {
    pairs.map { MarkupElement.Attribute(name: $0.0, value: $0.1) }
  }

  private static func seconds(_ milliseconds: Int) -> String {
    XMLText.seconds(.milliseconds(milliseconds))
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
    let shards = "\(report.shardCount) shard\(report.shardCount == 1 ? "" : "s")"
    return "\(RunCounts(report).text) in \(shards), the longest of \(Seconds.text(report.duration))"
  }
}
