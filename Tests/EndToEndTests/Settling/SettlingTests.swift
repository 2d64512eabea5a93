import Foundation
import TestSupport
import Testing

@Suite(
  "Settling, in an app as built", .waitsForPrograms, .enabled(if: BuiltProgram.reachesWholeApp))
struct SettlingTests {
  private let scenarios = "Tests/EndToEndTests/Settling"

  @Test("an action is answered when everything that it started is done, and not before")
  func exact() throws {
    let files = [
      "every-kind", "clock", "attribution", "order-in-one-step", "order-in-many-steps",
      "blocked-threads", "request-after-wait", "children-that-stay",
    ]
    let run = try BuiltProgram("scenario-run")
      .run(files.map { "\(scenarios)/\($0).json" } + ["--quiet"])
    #expect(run.exitCode == 0)
    #expect(run.output.hasPrefix("49 passed in "), "\(run.output)")
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
