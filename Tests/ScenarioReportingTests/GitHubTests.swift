import Foundation
import ScenarioCore
import SourceText
import Testing

@testable import ScenarioReporting

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
    for (failsOnFlaky, name, state) in [(false, "warning", "good"), (true, "error", "bad")] {
      let run = Samples.fold(results, failsOnFlaky: failsOnFlaky)
      #expect(annotations(run).map(\.name) == [name])
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
    #expect(RunCounts(run).text() == "1 passed, 1 invalid file")
    #expect(HTMLReport(run).text.contains("<header class=\"bad\">"))
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
}
