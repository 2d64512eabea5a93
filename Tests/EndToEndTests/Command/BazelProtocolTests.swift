import Foundation
import TestSupport
import Testing

@Suite("Bazel's test protocol", .waitsForPrograms)
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

  @Test("fixtures may be links, each to its own place in the project of the configuration")
  func links() throws {
    let scenario = try String(
      contentsOf: BuiltProgram.packageFolder.appending(path: "Scenarios/search-cart-tap.json"),
      encoding: .utf8)
    let real = try FileFolder.ofExample(["Scenarios/a.json": scenario, "other.json": "{}"])
    let sandbox = try FileFolder(["scratch/keep": ""])
    defer {
      real.remove()
      sandbox.remove()
    }
    sandbox.removeFile(".scenario-run.json")
    for name in [".scenario-run.json", "Fixtures/ModuleA.json", "Scenarios/a.json"] {
      try sandbox.link(name, to: real.path + "/" + name)
    }
    let bazel = environment(sandbox)
    func run(_ environment: [String: String]) throws -> BuiltProgram.Outcome {
      try sandbox.run(["Scenarios", "--shard", "1/1"], environment: environment)
    }
    let passed = try run(bazel)
    #expect(passed.exitCode == 0, "\(passed.output)\(passed.errors)")
    #expect(try run([:]).exitCode == 2, "nobody else may follow a link")
    for other in ["other.json", "Fixtures/ModuleB.json"] {
      sandbox.removeFile("Fixtures/ModuleA.json")
      try sandbox.link("Fixtures/ModuleA.json", to: real.path + "/" + other)
      let refused = try run(bazel)
      #expect(refused.exitCode == 3)
      #expect(refused.errors.contains("is a link that leads out of the fixtures folder"))
    }
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
