import Foundation
import ScenarioCore
import Testing

@testable import ScenarioRunner

@Suite("A plan of very many scenarios")
struct LongPlanTests {
  @Test(
    "decodes its scenarios when their turn comes, and says what changed meanwhile")
  func plan() throws {
    let folder = try TemporaryFolder()
    for number in 0..<Planner.keptLimit + 3 {
      _ = try folder.write(
        #"{"name": "S\#(number)", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
        to: "\(10_000 + number).json")
    }
    let files = LocalFiles()
    let plan = Planner(files: files, fixturesDirectory: folder.path)
      .plan(
        try Discovery(files: files).discover([ScenarioPath(path: folder.path)]),
        selecting: Selection())
    #expect(plan.entries.count == Planner.keptLimit + 3)
    let late = plan.entries[Planner.keptLimit]
    #expect(late.content == nil && late.reference.name == "S\(Planner.keptLimit)")
    guard case .scenario(let scenario) = plan.content(of: late) else {
      Issue.record("The scenario is not decoded.")
      return
    }
    #expect(scenario.reference == late.reference)
    _ = try folder.write(
      #"{"name": "T", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#, to: "10513.json"
    )
    try FileManager.default.removeItem(atPath: folder.path + "/10514.json")
    #expect(message(plan, 1) == #"The file has changed since the run began: "S513" is not there."#)
    #expect(message(plan, 2) == "The file can't be read any more: No such file or directory.")
  }

  private func message(_ plan: Plan, _ number: Int) -> String? {
    guard case .invalid(let faults) = plan.content(of: plan.entries[Planner.keptLimit + number])
    else { return nil }
    return faults.first?.message
  }
}
