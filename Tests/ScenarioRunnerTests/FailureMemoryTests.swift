import ScenarioCore
import Testing

@testable import ScenarioRunner

@Suite("The memory of what did not pass")
struct FailureMemoryTests {
  private let one = ScenarioIdentity(path: "a.json", caseName: "one")
  private let two = ScenarioIdentity(path: "a.json", caseName: "two")
  private let three = ScenarioIdentity(path: "b \"ü\".json")

  private func memory(_ failed: ScenarioIdentity...) -> FailureMemory {
    var memory = FailureMemory()
    for scenario in failed { memory.note(scenario, passed: false) }
    return memory.added(to: FailureMemory())
  }

  @Test("is read as it was written, without what is no longer there")
  func roundTrip() throws {
    let written = memory(one, three).bytes { _ in true }
    #expect(try FailureMemory(bytes: written).failed == [one, three])
    let rest = memory(one, three).bytes { $0 == "a.json" }
    #expect(try FailureMemory(bytes: rest).failed == [one])
    #expect(
      String(decoding: rest, as: UTF8.self) == """
        {
          "version": 1,
          "failed": [
            {
              "path": "a.json",
              "case": "one"
            }
          ]
        }

        """)
  }

  @Test("of several results of a scenario, one that did not pass is enough")
  func repetition() {
    for order in [[true, false], [false, true]] {
      var memory = memory(one)
      for passed in order { memory.note(one, passed: passed) }
      #expect(memory.added(to: memory).failed == [one])
    }
  }

  @Test("keeps what another run wrote in the meantime")
  func meantime() {
    var mine = memory(one, two)
    mine.note(one, passed: true)
    mine.note(three, passed: false)
    #expect(mine.added(to: memory(one, two)).failed == [two, three])
    #expect(mine.added(to: memory()).failed == [three])
  }

  @Test("tells files apart whose names Unicode takes for the same")
  func spellings() {
    let failed = ScenarioIdentity(path: "\u{e9}.json")
    var memory = memory(failed)
    memory.note(ScenarioIdentity(path: "e\u{301}.json"), passed: true)
    #expect(memory.added(to: memory).failed == [failed])
  }

  @Test("that a later version wrote is not read")
  func version() {
    #expect(throws: FailureMemory.UnknownVersion.self) {
      try FailureMemory(bytes: Array(#"{"version": 2, "failed": []}"#.utf8))
    }
  }

  @Test(
    "knows a file by its path in the project, whatever PATH led to it",
    arguments: [
      ("Scenarios/a.json", "Scenarios/a.json"), ("./Scenarios//a.json", "Scenarios/a.json"),
      ("/p/Scenarios/a.json", "Scenarios/a.json"), ("../q/a.json", "/q/a.json"),
    ])
  func paths(path: String, relative: String) {
    #expect(ProjectPaths(folder: "/p", workingDirectory: "/p").relative(path) == relative)
    #expect(ProjectPaths(folder: "/", workingDirectory: "/").relative("/a.json") == "a.json")
  }
}
