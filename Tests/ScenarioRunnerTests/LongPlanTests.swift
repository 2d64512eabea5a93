import Foundation
import ScenarioCore
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("A plan of very many scenarios")
struct LongPlanTests {
  @Test(
    "decodes its scenarios when their turn comes, and says what changed meanwhile")
  func plan() throws {
    let folder = try TemporaryFolder()
    // Files of one content, for that is less to write.
    let first = try folder.write(
      #"{"name": "S", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      to: "10000.json")
    for number in 1..<Planner.keptLimit {
      try FileManager.default.linkItem(
        atPath: first, toPath: folder.path + "/\(10_000 + number).json")
    }
    for number in Planner.keptLimit..<Planner.keptLimit + 5 {
      let action = number == Planner.keptLimit + 4 ? #"{"use": "Steps/s.json"}"# : ""
      try folder.write(
        #"{"name": "S\#(number)", "actions": [\#(action)], "expected": [{"url": "/none", "count": 0}]}"#,
        to: "\(10_000 + number).json")
    }
    try folder.write(#"{"actions": [{"tap": "a"}]}"#, to: "Steps/s.json")
    let files = LocalFiles()
    let plan = Planner(files: files, fixturesDirectory: folder.path)
      .plan(
        try Discovery(files: files).discover([ScenarioPath(path: folder.path)]),
        selecting: Selection())
    #expect(plan.entries.count == Planner.keptLimit + 5)
    let late = plan.entries[Planner.keptLimit]
    #expect(late.content == nil && late.reference.name == "S\(Planner.keptLimit)")
    guard case .scenario(let scenario) = plan.content(of: late) else {
      Issue.record("The scenario is not decoded.")
      return
    }
    #expect(scenario.reference == late.reference)
    try folder.write(
      #"{"name": "T", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      to: "\(10_001 + Planner.keptLimit).json"
    )
    try FileManager.default.removeItem(atPath: folder.path + "/\(10_002 + Planner.keptLimit).json")
    // Its name and its place are as they were.
    try folder.write(
      #"{"name": "S\#(Planner.keptLimit + 3)", "actions": [], "expected": [{"url": "/none", "count": 1}]}"#,
      to: "\(10_003 + Planner.keptLimit).json")
    try folder.write(#"{"actions": [{"tap": "b"}]}"#, to: "Steps/s.json")
    let change = "it has changed since the run began. Run it again."
    #expect(message(plan, 1) == "The file can't be read any more: \(change)")
    #expect(message(plan, 2) == "The file can't be read any more: No such file or directory.")
    #expect(message(plan, 3) == "The file can't be read any more: \(change)")
    #expect(message(plan, 4)?.hasSuffix("Steps/s.json\" can't be read: \(change)") == true)
  }

  private func message(_ plan: Plan, _ number: Int) -> String? {
    message(plan, of: plan.entries[Planner.keptLimit + number])
  }

  private func message(_ plan: Plan, of entry: PlannedScenario) -> String? {
    guard case .invalid(let faults) = plan.content(of: entry) else { return nil }
    return faults.first?.message
  }

  @Test(
    "keeps of a table who its cases are, and decodes them when their turn comes",
    arguments: ["table.csv", "list"])
  func table(rows: String) throws {
    let folder = try TemporaryFolder()
    let numbers = 1...ScenarioList.keptLimit + 3
    try folder.write(
      "name,id\n" + numbers.map { "row \($0),\($0)\n" }.joined(), to: "table.csv")
    let list = numbers.map { #"{"name": "row \#($0)", "id": "\#($0)"}"# }.joined(separator: ",\n")
    let cases = rows == "list" ? "[\(list)]" : "\"\(rows)\""
    try folder.write(
      #"{"name": "S", "cases": \#(cases), "actions": [{"use": "Steps/s.json"}, "#
        + #"{"push": "p.apns"}, {"tap": "b${id}"}], "expected": []}"#, to: "s.json")
    try folder.write(#"{"actions": [{"tap": "a"}]}"#, to: "Steps/s.json")
    let payload = try folder.write(#"{"aps": {}}"#, to: "p.apns")
    let files = LocalFiles()
    let plan = Planner(files: files, fixturesDirectory: folder.path).plan(
      try Discovery(files: files).discover([ScenarioPath(path: folder.path + "/s.json")]),
      selecting: Selection())
    #expect(plan.diagnostics.isEmpty)
    #expect(Set(plan.entries.map(\.reference.caseName)) == Set(numbers.map { "row \($0)" }))
    // What the file was when it was read stays so.
    for name in ["s.json", "table.csv", "Steps/s.json"] { try folder.write("", to: name) }
    for entry in plan.entries {
      #expect(entry.content == nil)
      guard case .scenario(let scenario) = plan.content(of: entry) else {
        Issue.record("The scenario is not decoded.")
        return
      }
      #expect(scenario.reference == entry.reference)
      #expect(scenario.steps.count == 3)
      let element = "b\(entry.reference.caseName?.dropFirst(4) ?? "")"
      guard case .app(.tap(let path)) = scenario.steps[2].action else {
        Issue.record("The step is not a tap.")
        return
      }
      #expect(path.description == element)
    }
    try FileManager.default.removeItem(atPath: payload)
    let late = try #require(plan.entries.first { $0.number == ScenarioList.keptLimit })
    #expect(message(plan, of: late)?.contains(#"The fixture "p.apns" does not exist"#) == true)
  }
}
