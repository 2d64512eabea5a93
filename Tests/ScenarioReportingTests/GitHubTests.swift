import Foundation
import ScenarioCore
import SourceText
import Testing

@testable import ScenarioReporting

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Under GitHub Actions")
struct GitHubTests {
  private let paths = WorkspacePath(workspace: "/repo", workingDirectory: "/repo/app")

  private func annotations(_ result: RunResult) -> [ReadCommand] {
    GitHubAnnotations(result: result, paths: paths).lines.compactMap { ReadCommand($0) }
  }

  @Test("what did not pass is an error at its place, what is flaky a warning")
  func annotations() throws {
    let read = annotations(Samples.run)
    #expect(read.map(\.name) == ["error", "error", "error", "error", "warning"])
    let first = try #require(read.first)
    #expect(
      first.properties == [
        "file": "app/Scenarios/cart.json", "line": "2", "col": "3", "title": "failed: Cart",
      ])
    #expect(first.message.hasPrefix("Scenarios/cart.json:2:3: wanted 1, got 0: https://"))
    #expect(read[2].properties["title"]?.hasPrefix(#"errored: Crash <&">]]>'\u{1}"#) == true)
    #expect(read[4].properties["title"] == "flaky: Flaky")
    #expect(read[4].message.contains("wanted 1, got 2"))
  }

  @Test("ten of a kind are shown, and how many more there are")
  func limits() {
    let failed = (0..<14).map {
      Samples.result($0, verdict: .failed, findings: [Samples.duplicate])
    }
    let flaky = (14..<22).map { Samples.result($0, earlier: [failed[0]]) }
    var result = Samples.fold(failed + flaky)
    for _ in 0..<5 {
      result.apply(.diagnosed(Diagnostic(.warning, "Doubtful.", path: "Scenarios/a.json")))
    }
    let read = annotations(result)
    #expect(read.count { $0.name == "error" } == 10)
    #expect(read.count { $0.name == "warning" } == 10)
    let notices = read.filter { $0.name == "notice" }.map(\.message)
    #expect(notices.count == 2)
    #expect(notices.first?.hasPrefix("4 more did not pass") == true)
    #expect(notices.last?.hasPrefix("3 more are flaky, known or doubtful") == true)
  }

  @Test("a flaky scenario that fails the run is an error in every place")
  func flakyFailure() throws {
    let failed = Samples.result(0, verdict: .failed, findings: [Samples.duplicate])
    let results = [Samples.result(0, earlier: [failed])]
    for (failsOnFlaky, name, mark, state) in [
      (false, "warning", "### ✅", "good"), (true, "error", "### ❌", "bad"),
    ] {
      let run = Samples.fold(results, failsOnFlaky: failsOnFlaky)
      #expect(annotations(run).map(\.name) == [name])
      let text = try #require(StepSummary(run).text(room: StepSummary.limitBytes))
      #expect(text.hasPrefix(mark + " scenario-run: 1 flaky\n"))
      #expect(HTMLReport(run).text.contains("<header class=\"\(state)\">"))
    }
  }

  @Test("an invalid file of which nothing was selected fails the run in every place")
  func invalidFile() throws {
    var run = Samples.fold([Samples.result()])
    #expect(RunCounts(run).isSuccessful)
    run.apply(.diagnosed(Diagnostic(.error, "Wrong.", path: "Scenarios/a.json")))
    run.apply(.diagnosed(Diagnostic(.error, "Wrong, too.", path: "Scenarios/a.json")))
    #expect(annotations(run).map(\.message) == ["Wrong.", "Wrong, too."])
    #expect(annotations(run).map(\.name) == ["error", "error"])
    let text = try #require(StepSummary(run).text(room: StepSummary.limitBytes))
    #expect(text.hasPrefix("### ❌ scenario-run: 1 passed, 1 invalid file\n"))
    #expect(HTMLReport(run).text.contains("<header class=\"bad\">"))
  }

  @Test("a run of nothing isn't a success")
  func nothing() throws {
    let text = try #require(StepSummary(Samples.fold([])).text(room: StepSummary.limitBytes))
    #expect(text.hasPrefix("### ❌ scenario-run: nothing ran\n"))
  }

  @Test("nothing is annotated where all is well")
  func silence() {
    #expect(annotations(Samples.fold([Samples.result()])).isEmpty)
  }

  @Test(
    "files are named from the workspace",
    arguments: [
      ("a.json", "app/a.json"), ("./a.json", "app/a.json"), ("../b/a.json", "b/a.json"),
      ("/repo/c.json", "c.json"), ("/elsewhere/a.json", "/elsewhere/a.json"),
      ("/repository/a.json", "/repository/a.json"),
    ])
  func relative(path: String, shown: String) {
    #expect(paths.relative(path) == shown)
  }

  @Test("the summary has the counts, then what did not pass, then what is flaky")
  func summary() throws {
    let text = try #require(StepSummary(Samples.run).text(room: StepSummary.limitBytes))
    #expect(
      text.hasPrefix("### ❌ scenario-run: 1 passed, 1 flaky, 3 failed, 1 errored, 1 skipped\n"))
    #expect(text.contains("\n| 1 | 1 | 3 | 1 | 0 | 1 | 0 | 9.00 s |\n"))
    let entries = text.ranges(of: "<details>")
    #expect(entries.count == 5)
    #expect(text.contains("<summary>⚠️ flaky <b>Flaky</b>"))
  }

  @Test("no text in the summary is taken for Markdown or for HTML")
  func hostileSummary() throws {
    let name = "*a* `b` [c](d) | </summary></pre> <script> " + Samples.hostile
    let crash = RunError(.crashed, "```\n\n# x", standardErrorTail: ["</pre>", "", "# y", name])
    let result = Samples.result(0, name, verdict: .errored, findings: [.runError(crash)])
    let text = try #require(StepSummary(Samples.fold([result])).text(room: 1 << 20))
    let start = try #require(text.firstRange(of: "<details>"))
    let html = try XMLDocument(xmlString: String(text[start.lowerBound...]))
    // Markdown ends a block of HTML at a blank line, and `pre` at its end tag.
    let head = try #require(text[start.lowerBound...].firstRange(of: "</summary>\n\n<pre>\n"))
    #expect(!text[start.lowerBound..<head.lowerBound].contains("\n"))
    #expect(try html.nodes(forXPath: "//script").isEmpty)
    #expect(try html.nodes(forXPath: "//summary/b").first?.stringValue == Sanitizer.line(name))
    let body = try #require(try html.nodes(forXPath: "/details/pre").first?.stringValue)
    #expect(body.contains("\n    </pre>\n"))
    #expect(body.contains("# y"))
  }

  @Test("the summary ends with a whole entry, and says how many are left out")
  func fullSummary() throws {
    let results = (0..<3000).map {
      Samples.result($0, "Scenario \($0)", verdict: .failed, findings: [Samples.wrongCount])
    }
    let run = Samples.fold(results)
    let text = try #require(StepSummary(run).text(room: StepSummary.limitBytes))
    #expect(text.utf8.count <= StepSummary.limitBytes && text.utf8.count > 1_000_000)
    let shown = text.ranges(of: "<details>").count
    #expect(text.ranges(of: "</details>").count == shown)
    #expect(text.contains("\n\(3000 - shown) more are not shown: "))
    #expect(StepSummary(run).text(room: 100) == nil)
  }
}
