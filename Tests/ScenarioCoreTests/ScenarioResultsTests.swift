import Foundation
import Testing

@testable import ScenarioCore

@Suite("The results of a run")
struct ScenarioResultsTests {
  private func result(_ index: Int, _ verdict: Verdict = .passed) -> ScenarioResult {
    ScenarioResult(
      index: index,
      scenario: ScenarioReference(
        path: "S/é \(index).json", position: .init(line: 3, column: index + 1),
        scenarioName: "Name \u{1}", caseName: index % 2 == 0 ? nil : "case",
        caseFile: index % 2 == 0 ? nil : "S/cases.csv", tags: ["a", "b c"]),
      verdict: verdict, startedAt: Date(timeIntervalSince1970: 1_800_000_000.125),
      duration: .nanoseconds(1_234_567_891), skipReason: verdict == .skipped ? "later" : nil,
      recordedRequests: 7,
      output: AppOutput(
        standardOutput: CapturedText(head: [0xFF, 0x0A], omittedBytes: 12, tail: [0x61]),
        standardError: CapturedText(head: Array("bytes \(index)".utf8))),
      repetition: index % 3 == 0 ? nil : index)
  }

  @Test("are counted by verdict, and by whether they are flaky")
  func counts() {
    var flaky = result(3)
    flaky.earlierAttempts = [result(3, .failed)]
    var kept = result(4)
    kept.keptFolder = "k"
    let all = [
      result(0), result(1, .skipped), result(2, .errored), flaky, kept, result(5, .failed),
    ]
    var results = ScenarioResults()
    for result in all { results.append(result) }
    #expect(results.unsuccessful.map(\.index) == [2, 5])
    #expect(results.flaky.map(\.index) == [3] && results.flakyCount == 1)
    #expect(results.count(.passed) == 3 && results.count(.errored) == 1)
  }

  @Test("are sorted as the plan is, once the run has ended")
  func order() {
    var results = ScenarioResults()
    for index in [3, 1, 0, 2] { results.append(result(index, index == 1 ? .failed : .passed)) }
    #expect(results.map(\.index) == [3, 1, 0, 2])
    results.sortAsPlanned()
    #expect(results.map(\.index) == [0, 1, 2, 3])
    #expect(results.unsuccessful.map(\.scenario.path) == ["S/é 1.json"])
  }
}
