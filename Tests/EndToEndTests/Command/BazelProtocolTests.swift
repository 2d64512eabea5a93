import Foundation
import Testing

@Suite("Bazel's test protocol")
struct BazelProtocolTests {
  private func environment(_ folder: FileFolder) -> [String: String] {
    [
      "TEST_TMPDIR": folder.path + "/scratch", "TEST_SRCDIR": folder.path, "TEST_TOTAL_SHARDS": "2",
      "TEST_SHARD_INDEX": "1",
      "TEST_SHARD_STATUS_FILE": folder.path + "/scratch/status",
      "XML_OUTPUT_FILE": folder.path + "/out/test.xml",
    ]
  }

  @Test("is kept: the status file, the report, the shard, and nothing left but in its folder")
  func kept() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.failing, "scratch/keep": "",
    ])
    defer { folder.remove() }
    let run = try folder.run(["."], environment: environment(folder))
    #expect(run.exitCode == 1)
    #expect(run.output.hasPrefix("shard 2 of 2, from TEST_SHARD_INDEX"))
    #expect(try folder.text("scratch/status").isEmpty)
    #expect(try folder.text("out/test.xml").contains("<failure"))
    #expect(!folder.has(".scenario-run"))
    let scratch = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/scratch")
    #expect(scratch.sorted() == ["keep", "status"])
  }

  @Test("the status file is there although the command line is wrong")
  func early() throws {
    let folder = try FileFolder(["scratch/keep": ""])
    defer { folder.remove() }
    #expect(try folder.run(["none.json"], environment: environment(folder)).exitCode == 2)
    #expect(folder.has("scratch/status"))
  }

  @Test("its filter narrows what is selected, and its wish to stop is heeded")
  func bridge() throws {
    let folder = try FileFolder([
      "a1.json": SampleScenario.failing, "a2.json": SampleScenario.passing,
      "b1.json": SampleScenario.passing, "scratch/keep": "",
    ])
    defer { folder.remove() }
    let bazel = ["TEST_TMPDIR": folder.path + "/scratch", "TEST_SRCDIR": folder.path]
    let filtered = try folder.run(
      [".", "--filter", "1"], environment: bazel.merging(["TESTBRIDGE_TEST_ONLY": "b"]) { $1 })
    #expect(filtered.output.contains("\n1 passed in "))
    let stopped = try folder.run(
      [".", "--jobs", "1"],
      environment: bazel.merging(["TESTBRIDGE_TEST_RUNNER_FAIL_FAST": "1"]) { $1 })
    #expect(stopped.output.contains("\n1 failed, 2 not run in "))
  }

  @Test("an app stays in the test's process group, and ends with the run all the same")
  func processGroup() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "hangIgnoringTermination"]"#)
    defer { folder.remove() }
    let run = try folder.start(
      "--events", "-",
      environment: ["TEST_TMPDIR": folder.path + "/tmp", "TEST_SRCDIR": folder.path])
    #expect(run.waitForOutput("tap button"))
    let apps = folder.processes.compactMap { Int32($0) }
    #expect(apps.count == 1)
    #expect(apps.map { getpgid($0) } == [getpgid(run.processIdentifier)])
    run.send(SIGTERM)
    #expect(run.waitForExit() == 143)
    #expect(folder.processes.isEmpty)
  }
}
