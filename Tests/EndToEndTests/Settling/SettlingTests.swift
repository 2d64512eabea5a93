import Foundation
import Testing

@Suite("Settling, in an app as built", .enabled(if: BuiltProgram.reachesWholeApp))
struct SettlingTests {
  private let scenarios = "Tests/EndToEndTests/Settling"

  @Test(
    "an action is answered when everything that it started is done, and not before",
    arguments: [
      ("every-kind", 62), ("clock", 37), ("attribution", 6), ("order-in-one-step", 1),
      ("order-in-many-steps", 1), ("blocked-threads", 1), ("request-after-wait", 3),
      ("children-that-stay", 1),
    ])
  func exact(scenario: String, cases: Int) throws {
    let run = try BuiltProgram("scenario-run").run("\(scenarios)/\(scenario).json", "--quiet")
    #expect(run.exitCode == 0)
    #expect(run.output.hasPrefix("\(cases) passed in "), "\(run.output)")
  }

  @Test("an app that never becomes idle is errored, with what is still running")
  func endless() throws {
    let state = try FileFolder([:])
    defer { state.remove() }
    let run = try BuiltProgram("scenario-run")
      .run("\(scenarios)/endless.json", "--state", state.path)
    #expect(run.exitCode == 1)
    let words = run.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(
      words.contains("never becomes idle: it began 1000000 jobs and requests"), "\(run.output)")
    #expect(words.contains(/Still running: [0-9]+ job\(s\) of Swift concurrency/), "\(run.output)")
  }
}
