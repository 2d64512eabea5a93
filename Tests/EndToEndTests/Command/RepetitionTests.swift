import Foundation
import TestSupport
import Testing

@Suite("What is run again", .waitsForPrograms)
struct RepetitionTests {
  @Test(
    "a pass after a failure is flaky, and a failure only where that is asked for",
    arguments: [(["--flaky", "pass"], 0), ([], 0), (["--flaky", "fail"], 1)] as [([String], Int32)])
  func flaky(arguments: [String], exitCode: Int32) throws {
    let folder = try FileFolder([:])
    defer { folder.remove() }
    try folder.write(SampleScenario.flaky(folder.path + "/tried"), to: "a.json")
    let run = try folder.run(["a.json", "--retries", "1", "--junit", "r.xml"] + arguments)
    #expect(run.exitCode == exitCode)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("FAILED   a  ") == true)
    #expect(lines.first?.hasSuffix(", tried again") == true)
    #expect(lines.contains { $0.hasPrefix("flaky    a  ") })
    #expect(lines.last?.hasPrefix("1 flaky in ") == true)
    #expect(try folder.text("r.xml").contains("<flakyFailure"))
    let said = "scenario-run: 1 flaky scenario fails the run (--flaky fail).\n"
    #expect(run.errors == (exitCode == 0 ? "" : said))
    // What fails the run is what did not pass.
    #expect(folder.has(".scenario-run/last-failed.json") == (exitCode == 1))
  }

  @Test("each repetition counts, and one that fails fails the run")
  func repeated() throws {
    let folder = try FileFolder(["b.json": SampleScenario.passing])
    defer { folder.remove() }
    try folder.write(SampleScenario.flaky(folder.path + "/tried"), to: "a.json")
    let run = try folder.run(["a.json", "b.json", "--repeat", "3", "--jobs", "1"])
    #expect(run.exitCode == 1)
    let verdicts = run.output.split(separator: "\n").prefix(6).map { $0.prefix(13) }
    #expect(
      verdicts == [
        "FAILED   a (1", "passed   a (2", "passed   a (3", "passed   b (1", "passed   b (2",
        "passed   b (3",
      ])
    #expect(run.output.contains("\n5 passed, 1 failed in "))
  }

  @Test("nothing more is started after so many failures, and what was not run is counted")
  func maximumFailures() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.failing, "b.json": SampleScenario.passing,
      "c.json": SampleScenario.failing, "d.json": SampleScenario.passing,
    ])
    defer { folder.remove() }
    let two = try folder.run([".", "--max-failures", "2", "--jobs", "1"])
    #expect(two.output.contains("\n1 passed, 2 failed, 1 not run in "))
    let one = try folder.run([".", "--fail-fast", "--jobs", "1"])
    #expect(one.output.contains("\n1 failed, 3 not run in "))
    #expect(one.exitCode == 1 && two.exitCode == 1)
    try folder.write(SampleScenario.flaky(folder.path + "/tried"), to: "a.json")
    let options = ["--retries", "1", "--flaky", "fail", "--fail-fast", "--jobs", "1"]
    let flaky = try folder.run(["a.json", "b.json"] + options)
    #expect(flaky.output.contains("\n1 flaky, 1 not run in ") && flaky.exitCode == 1)
  }

  @Test("the order is the files' order")
  func order() throws {
    let names = (1...9).map { "s\($0)" }
    let files = names.map { ($0 + ".json", SampleScenario.passing) }
    let folder = try FileFolder(Dictionary(uniqueKeysWithValues: files))
    defer { folder.remove() }
    let output = try folder.run([".", "--jobs", "1"]).output
    let order = output.split(separator: "\n").filter { $0.hasPrefix("passed ") }
      .map { String($0.dropFirst(9).prefix(2)) }
    #expect(order == names)
  }
}
