import Foundation
import JSON
import SourceText
import Testing

@testable import ScenarioCore
@testable import ScenarioReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The reports of shards")
struct ShardMergeTests {
  /// What one shard is like; the rest is the same for all.
  private struct Sample {
    var index: Int
    var total = 3
    var results: [ScenarioResult] = []
    var planned: Int?
    var version = "1"
    var fingerprint = "f"
    var signal: Int32?
    var diagnostics: [Diagnostic] = []
    /// How many scenarios there are in all shards.
    var scenarios = 0

    var file: JUnitFile {
      get throws { try JUnitFile(path: "\(index).xml", bytes: bytes) }
    }

    var bytes: [UInt8] {
      var events = Samples.events(results)
      let whole = ShardedWhole(fingerprint: fingerprint, scenarioCount: scenarios)
      events[0] = .runStarted(
        RunHeader(
          version: version, startedAt: .distantPast, scenarioCount: planned ?? results.count,
          jobs: 1, shard: Shard(index: index, total: total), whole: whole))
      events.insert(contentsOf: diagnostics.map(RunEvent.diagnosed), at: 1)
      if let signal { events.insert(.interrupted(signal: signal), at: events.count - 1) }
      var result = RunResult()
      for event in events { result.apply(event) }
      return Array(JUnitReport(result).text.utf8)
    }
  }

  /// The report of a whole that has what the samples have.
  private struct Merged {
    var report: ShardMerge<JUnitFile>

    var text: String { String(decoding: ReportSink.bytes(report.write), as: UTF8.self) }
    var cases: [JUnitFile.Case] {
      get throws { try JUnitFile(path: "", bytes: Array(text.utf8)).cases }
    }

    func values(_ attribute: String, of path: String) throws -> [String] {
      try XMLDocument(xmlString: text).nodes(forXPath: "\(path)/@\(attribute)")
        .map { $0.stringValue ?? "" }
    }
  }

  private func merged(_ samples: Sample...) throws -> Merged {
    let scenarios = samples.reduce(0) { $0 + ($1.planned ?? $1.results.count) }
    let files = try samples.map { sample in
      var sample = sample
      sample.scenarios = scenarios
      return try sample.file
    }
    return Merged(report: try ShardMerge(files))
  }

  private func passing(_ name: String) -> ScenarioResult { Samples.result(0, name) }

  @Test(
    "claim the weakest seal of all",
    arguments: [
      (["systemCalls", "systemCalls"], "systemCalls"), (["namespace", "none"], "none"),
      (["none", "namespace"], "none"), (["systemCalls", "namespace", "open"], "open"),
    ])
  func seals(of shards: [String], expected: String) {
    let outlines = shards.map { seal in
      var run = RunOutline(Samples.run, Outlet())
      run.header.seal = NetworkSeal(rawValue: seal)
      return run
    }
    #expect(RunOutline(merging: outlines).header.seal?.rawValue == expected)
  }

  @Test("become one: suites of a file joined, names unique, totals counted anew")
  func joined() throws {
    var other = passing("Elsewhere")
    other.scenario.path = "Scenarios/a.json"
    let report = try merged(
      Sample(index: 3),
      Sample(index: 2, results: [passing("Cart"), other]),
      Sample(
        index: 1,
        results: [
          Samples.result(0, verdict: .failed, findings: [Samples.wrongCount]),
          Samples.result(1, "Skipped", verdict: .skipped),
        ]))
    for (attribute, whole, suites) in [
      ("name", "scenario-run", ["Scenarios/a.json", "Scenarios/cart.json"]),
      ("tests", "4", ["1", "3"]), ("failures", "1", ["0", "1"]),
      // The longest.
      ("time", "9.000", ["1.234", "3.702"]),
    ] {
      #expect(try report.values(attribute, of: "/testsuites") == [whole])
      #expect(try report.values(attribute, of: "//testsuite") == suites)
    }
    #expect(try report.values("skipped", of: "//testsuite") == ["0", "1"])
    #expect(
      try report.cases.map { $0.tag["name"] } == ["Elsewhere", "Cart", "Skipped", "Cart (2)"])
    let whole = report.report
    #expect(whole.run.counts.notRun == 0 && whole.signal == nil && !whole.hasInvalidFile)
    #expect(
      whole.text == """
        FAILED   Cart
          Scenarios/cart.json:2:3: wanted 1, got 0: https://ad.example.com/click?ad=A-1&area=cart

        2 passed, 1 failed, 1 skipped in 3 shards, the longest of 9.00 s

        """)
  }

  @Test("keep every word, hostile ones too")
  func verbatim() throws {
    let whole = JUnitReport(Samples.run).text
    let report = try merged(Sample(index: 1, total: 1, results: Array(Samples.run.results)))
    let cases = try JUnitFile(path: "", bytes: Array(whole.utf8)).cases
    #expect(try report.cases == cases)
    #expect(report.report.flakyCount == 1)
    let written = lines(of: report.text)
    #expect(written.contains { $0.contains("out &lt;&amp;\"&gt;]]&gt;'") })
    #expect(written == lines(of: whole))
  }

  /// Those of the cases.
  private func lines(of report: String) -> ArraySlice<Substring> {
    report.split(separator: "\n").drop { !$0.hasPrefix("    <testcase") }
  }

  @Test("tell a run that was stopped, interrupted, or had an invalid file")
  func graver() throws {
    let stopped = try merged(Sample(index: 1, total: 1, results: [passing("A")], planned: 3))
    #expect(stopped.report.run.counts.notRun == 2)
    let interrupted = try merged(
      Sample(index: 1, total: 2, signal: 15), Sample(index: 2, total: 2))
    #expect(interrupted.report.signal == 15)
    let atItsEnd = try merged(
      Sample(
        index: 1, total: 2, results: [passing("A"), Samples.result(1, verdict: .errored)],
        planned: 1, signal: 15),
      Sample(index: 2, total: 2, planned: 1))
    #expect(atItsEnd.report.signal == 15 && atItsEnd.report.run.counts.notRun == 1)
    let invalid = try merged(
      Sample(index: 1, total: 2, diagnostics: [Diagnostic("It is wrong.", path: "b.json")]),
      Sample(index: 2, total: 2))
    #expect(invalid.report.hasInvalidFile)
    // A file that changes while others run spoils its scenario alone, for the run too.
    let error = Finding.runError(RunError(.invalidInput, "The file has changed."))
    let changed = try merged(
      Sample(
        index: 1, total: 1, results: [Samples.result(verdict: .errored, findings: [error])]))
    #expect(!changed.report.hasInvalidFile && changed.report.text.hasPrefix("ERRORED"))
  }

  @Test("name equal scenarios as the whole run would have")
  func names() throws {
    let same = [passing("Same"), passing("Same")]
    let report = try merged(
      Sample(index: 1, results: same + ["Other (2)", "Same (02)"].map(passing)),
      Sample(index: 2, results: same), Sample(index: 3))
    #expect(
      try report.cases.map { $0.tag["name"] } == [
        "Same", "Same (2)", "Other (2)", "Same (02)", "Same (3)", "Same (4)",
      ])
  }

  @Test(
    "are refused where one is missing, doubled or foreign, with all reasons",
    arguments: [
      ([Sample(index: 1), Sample(index: 3)], ["Shard 2 of 3 is missing."]),
      ([Sample(index: 2)], ["Shards 1, 3 of 3 are missing."]),
      (
        [Sample(index: 1), Sample(index: 3), Sample(index: 3)],
        ["Shard 3 of 3 is there 2 times: 3.xml and 3.xml.", "Shard 2 of 3 is missing."]
      ),
      (
        [Sample(index: 1), Sample(index: 2, total: 2), Sample(index: 3, version: "2")],
        [
          "2.xml is one of 2 shards, 1.xml one of 3.",
          "3.xml was written by version 2 of scenario-run, 1.xml by 1.",
        ]
      ),
      (
        [Sample(index: 1), Sample(index: 2), Sample(index: 3, fingerprint: "g")],
        [
          "3.xml is of another run than 1.xml: of other scenario files, or another selection."
        ]
      ),
      (
        [Sample(index: 1, total: 1, results: [Samples.result()], planned: 0)],
        ["1.xml has 1 results, of 0 in its shard."]
      ),
      (
        [
          Sample(index: 1, scenarios: 3), Sample(index: 2, scenarios: 3),
          Sample(index: 3, planned: 2, scenarios: 3),
        ],
        [
          "The reports have 2 results in their shards, of 3 in the whole run. Use the reports as "
            + "scenario-run wrote them."
        ]
      ),
      (
        [Sample(index: 1, total: 99_999)],
        ["1.xml is not the report of a shard, as scenario-run --shard writes it."]
      ),
    ] as [([Sample], [String])])
  private func refused(samples: [Sample], reasons: [String]) throws {
    let files = try samples.map { try $0.file }
    let fault = #expect(throws: MergeFault.self) { _ = try ShardMerge(files) }
    #expect(fault?.reasons == reasons)
  }

  @Test(
    "are refused where a result isn't what the suite counts", arguments: ["failure", "testcase"])
  func changed(element: String) throws {
    let failed = Samples.result(0, "a", verdict: .failed)
    var result = RunResult()
    for event in Samples.events([failed, passing("b")]) { result.apply(event) }
    let text = JUnitReport(result).text
    _ = try JUnitFile(path: "1.xml", bytes: Array(text.utf8))
    let moved = text.replacing("  <\(element) ", with: "   <\(element) ")
    #expect(throws: ReportFault.self) { try JUnitFile(path: "1.xml", bytes: Array(moved.utf8)) }
  }

  @Test("may lack the end of a result")
  func unclosed() throws {
    var other = passing("Elsewhere")
    other.scenario.path = "Scenarios/d.json"
    var result = RunResult()
    for event in Samples.events([Samples.result(0, "a", verdict: .failed), other]) {
      result.apply(event)
    }
    let text = JUnitReport(result).text.replacing("    </testcase>\n", with: "")
    let file = try JUnitFile(path: "1.xml", bytes: Array(text.utf8))
    #expect(file.cases.map(\.verdict) == [.failed, .passed])
  }

  @Test("are refused where results are gone, whatever their suites count")
  func lessThanCounted() throws {
    var other = passing("Elsewhere")
    other.scenario.path = "Scenarios/d.json"
    let results = [passing("Cart"), other]
    let sample = Sample(index: 1, total: 1, results: results, scenarios: 2)
    let text = String(decoding: sample.bytes, as: UTF8.self)
    _ = try ShardMerge([JUnitFile(path: "1.xml", bytes: Array(text.utf8))])
    let second = try #require(text.range(of: "  <testsuite name=\"Scenarios/d.json"))
    let cut = try JUnitFile(
      path: "1.xml", bytes: Array((text[..<second.lowerBound] + "</testsuites>\n").utf8))
    let fault = #expect(throws: MergeFault.self) { _ = try ShardMerge([cut]) }
    #expect(
      fault?.reasons == [
        "1.xml was changed after scenario-run wrote it: it has 1 results, and counts 2. Run that "
          + "shard again."
      ])
  }

  @Test("tell of their shard without secrets")
  func masked() throws {
    let outlet = Outlet(secrets: ["s3cret-token"])
    let finding = Finding.wrongCount(
      WrongCount(
        scope: .expected, pattern: "https://a.example.com/?token=s3cret-token",
        wanted: .exactly(1), got: 0, location: Samples.location))
    let events = Samples.events(
      [Samples.result(0, "with s3cret-token", verdict: .failed, findings: [finding])],
      shard: Shard(index: 1, total: 1))
    var result = RunResult()
    for event in events { result.apply(event) }
    let end = EventsVersion1.record(try #require(events.last), result, at: .zero, outlet)
    for text in [
      JUnitReport(result, outlet).text, HTMLReport(result, outlet).text,
      String(decoding: CTRFReport(result, outlet).bytes, as: UTF8.self), end.text(),
    ] {
      #expect(text.contains("FAILED   with ***") && !text.contains("s3cret"), "\(text)")
    }
  }

  @Test("are told from reports of no shard")
  func unsharded() throws {
    let file = try JUnitFile(path: "r.xml", bytes: Array(JUnitReport(Samples.run).text.utf8))
    let fault = #expect(throws: MergeFault.self) { _ = try ShardMerge([file]) }
    #expect(
      fault?.reasons == ["r.xml is not the report of a shard, as scenario-run --shard writes it."])
  }
}
