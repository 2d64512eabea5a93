import Foundation
import ScenarioCore
import SourceText
import Synchronization
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("A plan that grows while it is carried out")
struct GrowingPlanTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b", "c", "d", "e"] { try write(name) }
  }

  private func write(_ name: String, called: String? = nil) throws {
    _ = try folder.write(
      #"{"name": "\#(called ?? name)", "tags": ["\#(name)"], "skip": "s", "actions": []}"#,
      to: name + ".json")
  }

  /// Of the folder's files; the first two are read at once.
  private func plan(_ selection: Selection = Selection()) throws -> GrowingPlan {
    let files = LocalFiles()
    return GrowingPlan(
      Planner(files: files, fixturesDirectory: folder.path),
      try Discovery(files: files).discover([ScenarioPath(path: folder.path)]),
      selecting: selection, lead: 2)
  }

  private func name(_ index: Int, of plan: GrowingPlan) -> String? {
    plan.entry(index, unless: { false }, told: { _ in })?.reference.name
  }

  private func rest(of plan: GrowingPlan, from index: Int) -> [String] {
    (index...).lazy.map { name($0, of: plan) }.prefix { $0 != nil }.compactMap(\.self)
  }

  @Test("reads a file when the scenarios before it have been handed out, and no other files")
  func lateFiles() throws {
    let plan = try plan()
    #expect(plan.current.entries.map(\.reference.name) == ["a", "b"] && plan.total == nil)
    try write("b", called: "too late")
    try write("c", called: "in time")
    try write("f")
    #expect(name(1, of: plan) == "b" && plan.current.entries.count == 2)
    #expect(name(2, of: plan) == "in time" && plan.total == nil)
    try write("e", called: "in time, too")
    #expect(rest(of: plan, from: 3) == ["d", "in time, too"])
    #expect(plan.total == 5 && plan.current.scenarioCount == 5)
  }

  @Test("hands out what it read, decoded once")
  func decodedOnce() throws {
    let plan = try plan()
    for index in 0..<5 {
      let entry = try #require(plan.entry(index, unless: { false }, told: { _ in }))
      guard case .scenario = entry.content else {
        Issue.record("\(entry.reference.name) would be decoded again.")
        continue
      }
      #expect(plan.current.entries[index].content == nil, "nothing stays in memory")
    }
  }

  @Test(
    "is known whole at once where its choice takes all of the scenarios",
    arguments: [
      Selection(lastFailed: []), Selection(shard: Shard(index: 1, total: 1)),
    ])
  func whole(selection: Selection) throws {
    let plan = try plan(selection)
    #expect(plan.total == 5 && plan.current.entries.count == 5)
  }

  @Test("chooses and repeats as a whole plan does")
  func selection() throws {
    let last = try plan(Selection(tags: ["e"]))
    #expect(last.current.entries.map(\.reference.name) == ["e"] && last.total == 1)
    let some = try plan(Selection(tags: ["b", "d"], repetitions: 2))
    #expect(some.total == nil && rest(of: some, from: 0) == ["b", "b", "d", "d"])
    let none = try plan(Selection(tags: ["none"]))
    #expect(none.total == 0 && none.current.scenarioCount == 5)
  }

  @Test("is the same however many threads read its files", arguments: [2, 8])
  func threads(count: Int) throws {
    for number in 0..<200 {
      let text = number % 50 == 7 ? "{" : #"{"skip": "s", "actions": []}"#
      _ = try folder.write(text, to: "f\(number).json")
    }
    let files = LocalFiles()
    let found = try Discovery(files: files).discover([ScenarioPath(path: folder.path)])
    var planner = Planner(files: files, fixturesDirectory: folder.path)
    let serial = planner.plan(found, selecting: Selection())
    planner.threads = count
    let parallel = planner.plan(found, selecting: Selection())
    #expect(parallel.entries.map(\.reference.path) == serial.entries.map(\.reference.path))
    #expect(parallel.diagnostics.map(\.path) == serial.diagnostics.map(\.path))
    #expect(parallel.entries.count == 205 && parallel.diagnostics.count == 4)
  }

  @Test("stops reading when it is told to")
  func stopped() throws {
    let plan = try plan()
    #expect(plan.entry(4, unless: { true }, told: { _ in }) == nil && plan.total == nil)
  }

  /// Runs it one scenario after the other.
  private func events(
    _ plan: GrowingPlan, maximumFailures: Int? = nil, cancelling: Bool = false
  ) throws -> [RunEvent] {
    let log = Mutex<[RunEvent]>([])
    let cancellation = Cancellation()
    try Scheduler(limit: 1, temporaryDirectory: folder.path).run(
      SuiteRun(plan: plan, settings: try Suite().settings(), jobLimit: 1),
      header: RunHeader(version: "0", startedAt: Date(), scenarioCount: plan.total, jobs: 1),
      failureLimit: ScenarioJob.FailureLimit(count: maximumFailures), cancellation: cancellation,
      happened: { event in
        log.withLock { $0.append(event) }
        if cancelling, case .scenarioFinished = event { cancellation.cancel(signal: SIGINT) }
      })
    return log.withLock { $0 }
  }

  private func result(_ events: [RunEvent]) -> RunResult {
    events.reduce(into: RunResult()) { $0.apply($1) }
  }

  private func words(_ events: [RunEvent]) -> [String] {
    events.compactMap { event in
      switch event {
      case .diagnosed(let diagnostic): FilePath.lastComponent(diagnostic.path)
      case .planned(let count): "\(count) planned"
      case .scenarioFinished(let result): "\(result.scenario.name) \(result.verdict)"
      default: nil
      }
    }
  }

  @Test("is told as it grows, the faults of a file before its result")
  func events() throws {
    _ = try folder.write("{", to: "d.json")
    let events = try events(try plan())
    #expect(
      words(events) == [
        "a skipped", "b skipped", "c skipped", "d.json", "d errored", "5 planned", "e skipped",
      ])
    #expect(result(events).header?.scenarioCount == 5)
  }

  @Test("is read to its end where the run stops earlier, so that no fault stays unknown")
  func failFast() throws {
    for name in ["a", "e"] { _ = try folder.write("{", to: name + ".json") }
    let plan = try plan()
    let events = try events(plan, maximumFailures: 1)
    #expect(words(events) == ["a.json", "a errored", "e.json", "5 planned"])
    #expect(plan.total == 5 && plan.current.diagnostics.count == 2)
  }

  @Test("is not read on where the run is interrupted, which its results say")
  func interrupted() throws {
    let plan = try plan(Selection(skippedTags: ["b"]))
    let result = result(try events(plan, cancelling: true))
    #expect(result.results.map(\.verdict) == [.skipped, .errored] && plan.total == nil)
    #expect(
      result.results.last?.runErrors.map(\.message) == [
        "The run was interrupted by SIGINT (interrupt) before all files were read."
      ])
    #expect(result.header?.scenarioCount == nil)
  }

  @Test("knows what the cases of a table left unused, whenever its file is read")
  func tables() throws {
    _ = try folder.write(
      #"{"cases": [{"n": "1"}, {"n": "2"}], "actions": [{"tap": "${n}"}]}"#, to: "e.json")
    let tables = TableDoubts()
    let plan = try plan()
    var entries: [PlannedScenario] = []
    for index in 0..<6 {
      let entry = plan.entry(index, unless: { false }, told: { tables.expect($0.entries) })
      entries.append(try #require(entry))
    }
    let doubt = FileDoubt(.unusedStubs, Diagnostic(.warning, "Nothing was used.", path: "s.json"))
    #expect(tables.add([doubt], of: entries[4].reference).isEmpty)
    #expect(
      tables.add([doubt], of: entries[5].reference).map(\.diagnostic.message) == [
        "Nothing was used. (In none of the 2 cases.)"
      ])
  }
}
