import Foundation
import JSON
import ScenarioCore
import SourceText
import Testing

@testable import ScenarioReporting

@Suite("What fails as it is known to, and what passes with warnings")
struct DoubtfulResultTests {
  private static let reason = "SHOP-7: the cart <counts> twice"

  private static var run: RunResult {
    var known = Samples.result(
      0, "Known", verdict: .failed, findings: [Samples.duplicate],
      output: AppOutput(standardOutput: CapturedText(head: Array("from the app".utf8))))
    known.knownIssue = reason
    var warned = Samples.result(1, "Warned")
    warned.warnings = [Samples.wrongCount, Samples.duplicate]
    let fixed = Samples.result(2, "Fixed", verdict: .failed, findings: [.fixedIssue(reason)])
    return Samples.fold([known, warned, fixed])
  }

  private static func console(_ detail: ConsoleOptions.Detail) -> String {
    let screen = ConsoleReporterTests.Screen()
    let options = ConsoleOptions(detail: detail)
    let pipeline = ReportingPipeline([ConsoleReporter(options: options, output: screen)])
    for event in Samples.events(Array(run.results)) { pipeline.handle(event) }
    return screen.text
  }

  @Test("are told by the console, with what is wrong")
  func console() {
    let text = Self.console(.normal)
    #expect(text.contains("known    Known  1.23 s  \(Self.reason)\n"))
    #expect(text.contains("passed   Warned  1.23 s  2 warnings\n"))
    #expect(
      text.contains("known  Known\n  known issue: \(Self.reason)\n  Scenarios/cart.json:2:3\n"))
    #expect(
      text.contains("WARNING  Warned\n  Scenarios/cart.json:2:3\n    warning: wanted 1, got 0"))
    #expect(
      text.contains(
        "FAILED  Fixed\n  Scenarios/cart.json:1:1\n    it passes now: remove \"knownIssue\", which")
    )
    #expect(text.hasSuffix("\n1 passed, 1 failed, 1 known issue (1 with warnings) in 9.00 s\n"))
  }

  @Test("are told once by the console where they are the same by the file or by the app")
  func shared() {
    let fault = Diagnostic(.warning, "This is doubtful.", at: Samples.location)
    var results = (0..<5).map { Samples.result($0, "Case \($0)") }
    for index in results.indices {
      results[index].warnings = [index < 3 ? .unseen(["threads"]) : .fileWarning(fault)]
    }
    results.append(Samples.result(5, "Own"))
    results[5].warnings = [.unseen(["threads"]), Samples.duplicate]
    let screen = ConsoleReporterTests.Screen()
    let pipeline = ReportingPipeline([ConsoleReporter(options: ConsoleOptions(), output: screen)])
    for event in Samples.events(results) { pipeline.handle(event) }
    #expect(screen.text.split(separator: "WARNING").count == 4)
    for part in [
      "WARNING  Case 0, and 2 more\n", "WARNING  Case 3, and 1 more\n", "WARNING  Own\n",
      "  Scenarios/cart.json:2:3\n    warning: This is doubtful.\n",
      "    warning: the kit can't see everything that this app does: threads\n",
    ] { #expect(screen.text.contains(part), "\(part)") }
    let paths = WorkspacePath(workspace: "/repo", workingDirectory: "/repo")
    let github = GitHubAnnotations(result: Samples.fold(results), paths: paths).lines
    #expect(github.filter { $0.contains("warning: Case 3") }.isEmpty && github.count == 4)
  }

  @Test("are told as far as they matter where the console is quiet")
  func quiet() {
    let text = Self.console(.quiet)
    #expect(!text.contains("Known\n"))
    #expect(text.contains("WARNING  Warned\n"))
    #expect(text.hasSuffix("\n1 passed, 1 failed, 1 known issue (1 with warnings) in 9.00 s\n"))
  }

  @Test("are skipped, and passed, for readers of JUnit, and say why")
  func junit() {
    let text = JUnitReport(Self.run).text
    #expect(text.contains(#"tests="3" failures="1" errors="0" skipped="1""#))
    #expect(
      text.contains(#"<skipped message="known issue: SHOP-7: the cart &lt;counts&gt; twice"/>"#))
    #expect(
      text.contains("<system-out>Scenarios/cart.json:2:3: wanted 1, got 2: https://ad.example.com/")
    )
    #expect(text.contains("\n\nfrom the app</system-out>"))
    #expect(
      text.contains("<system-out>Scenarios/cart.json:2:3: warning: wanted 1, got 0: https://"))
    #expect(text.contains(#"type="fixedIssue""#))
  }

  @Test("are told by CTRF and by the event stream")
  func machines() throws {
    let report = try JSONValue(parsing: CTRFReport(Self.run).bytes)
    let tests = try #require(report["results"]?["tests"]?.array)
    #expect(tests.map { $0["status"] } == ["other", "passed", "failed"])
    #expect(tests[0]["extra"]?["knownIssue"] == .string(Self.reason))
    #expect(tests[1]["extra"]?["warnings"]?.array?.count == 2)
    #expect(report["results"]?["summary"]?["other"] == 1)
    #expect(report["results"]?["summary"]?["failed"] == 1)
    #expect(report["results"]?["summary"]?["extra"]?["warned"] == 1)
    let events = try Self.run.results.map { result in
      try JSONValue(
        parsing: EventsVersion1.record(.scenarioFinished(result), Self.run, at: .zero).line(
          through: Outlet()))
    }
    #expect(events[0]["verdict"] == "failed" && events[0]["knownIssue"] == .string(Self.reason))
    #expect(events[1]["warnings"]?.array?.map { $0["kind"] } == ["wrongCount", "wrongCount"])
    #expect(events[2]["findings"]?.array?.first?["kind"] == "fixedIssue")
  }

  @Test("have sections of their own on the page")
  func page() {
    let text = HTMLReport(Self.run).text
    for part in [
      "<h2>Known issues</h2>", "<p>Known issue: SHOP-7: the cart &lt;counts&gt; twice</p>",
      "<h2>Passed, with warnings</h2>", "<h4>Warnings</h4>", #"id="show-known""#,
      #"id="show-warned""#,
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains("<h2>Passed</h2>"))
  }

  @Test("are warnings under GitHub Actions")
  func github() {
    let paths = WorkspacePath(workspace: "/repo", workingDirectory: "/repo")
    let read = GitHubAnnotations(result: Self.run, paths: paths).lines.compactMap {
      ReadCommand($0)
    }
    #expect(read.map(\.name) == ["error", "warning", "warning"])
    #expect(
      read.map { $0.properties["title"] } == [
        "failed: Fixed", "known issue: Known", "warning: Warned",
      ])
  }
}
