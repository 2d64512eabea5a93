import ScenarioCore

/// A JUnit report that is read again.
package struct JUnitFile: ShardReport {
  package static let kindName = "JUnit report"

  /// As a message names it.
  package var path: String
  package var suites: [MarkupElement]
  /// Of the whole run, as the root says.
  package var milliseconds: Int

  /// - Throws: what is wrong with the file, in one sentence.
  package init(path: String, bytes: [UInt8]) throws(ReportFault) {
    self.path = path
    let root: MarkupElement
    do {
      root = try MarkupParser.parse(bytes)
    } catch {
      throw ReportFault("\(path) isn't a JUnit report: \(error)")
    }
    milliseconds = Self.milliseconds(root["time"])
    switch root.name {
    case "testsuites": suites = root.elements(named: "testsuite")
    case "testsuite": suites = [root]
    default: throw ReportFault("\(path) isn't a JUnit report: its root is <\(root.name)>.")
    }
  }

  package var shard: ShardProperties? {
    let all = suites.map { ShardProperties($0) }
    guard let first = all.first, let properties = first, all.allSatisfy({ $0 == properties }) else {
      return nil
    }
    return properties
  }

  package var summary: ShardSummary {
    var summary = ShardSummary(duration: .milliseconds(milliseconds))
    for test in cases {
      let element = test.elements.first { $0.name == "failure" || $0.name == "error" }
      summary.add(
        MergedJUnit.verdict(of: test), isFlaky: MergedJUnit.isFlaky(test), name: test["name"] ?? "",
        message: element.map(MergedJUnit.firstLine) ?? "")
    }
    return summary
  }

  package static func write(_ parts: [JUnitFile], to sink: ReportSink) throws {
    try sink.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + MergedJUnit(parts).root.text())
  }

  package var cases: [MarkupElement] { suites.flatMap { $0.elements(named: "testcase") } }

  /// 0 where an attribute isn't a time.
  static func milliseconds(_ text: String?) -> Int {
    guard let seconds = text.flatMap({ Double($0) }), (0...1_000_000_000).contains(seconds) else {
      return 0
    }
    return Int((seconds * 1000).rounded())
  }
}

/// The suites of all shards, joined by file.
struct MergedJUnit {
  let root: MarkupElement

  init(_ parts: [JUnitFile]) {
    let names = ResultNames()
    var suites: [MarkupElement] = []
    for same in Self.grouped(parts.flatMap { Self.plain($0.suites) }) {
      suites.append(Self.joined(same, names))
    }
    let time = parts.map(\.milliseconds).max() ?? 0
    root = MarkupElement(
      "testsuites",
      Self.attributes(
        [("name", "scenario-run")]
          + Self.totals(suites.flatMap { $0.elements(named: "testcase") }, hasSkipped: false)
          + [("time", Self.seconds(time))]),
      suites.map { .element($0) })
  }

  fileprivate static func firstLine(of element: MarkupElement) -> String {
    let line = element.content.split(separator: "\n").first
    return line.map(String.init) ?? element["message"] ?? ""
  }

  fileprivate static func verdict(of test: MarkupElement) -> Verdict {
    if !test.elements(named: "error").isEmpty { return .errored }
    if !test.elements(named: "failure").isEmpty { return .failed }
    return test.elements(named: "skipped").isEmpty ? .passed : .skipped
  }

  fileprivate static func isFlaky(_ test: MarkupElement) -> Bool {
    test.elements.contains { $0.name == "flakyFailure" || $0.name == "flakyError" }
  }

  /// With the names as they were before the shard numbered the equal ones: the whole is numbered anew.
  private static func plain(_ suites: [MarkupElement]) -> [MarkupElement] {
    var names = ShardNames()
    return suites.map { suite in
      var suite = suite
      suite.children = suite.children.map { child in
        guard case .element(var test) = child, let name = test["name"] else { return child }
        test["name"] = names.plain(name)
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
