import Foundation
import JSON
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The reports of shards become one", .waitsForPrograms)
struct MergeTests {
  private func shards(_ folder: FileFolder, _ total: Int, _ arguments: String...) throws {
    for index in 1...total {
      _ = try folder.run(
        [".", "--shard", "\(index)/\(total)", "--junit", "r\(index).xml"] + arguments)
    }
  }

  private func merge(_ folder: FileFolder, _ files: String...) throws -> BuiltProgram.Outcome {
    try folder.run(["merge", "--junit", "all.xml"] + files)
  }

  @Test("with the exit code that the whole run would have had")
  func codes() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.passing,
    ])
    defer { folder.remove() }
    try shards(folder, 3)
    let passed = try merge(folder, "r1.xml", "r2.xml", "r3.xml")
    #expect(passed.exitCode == 0 && passed.errors == "")
    #expect(passed.output.hasPrefix("2 passed in 3 shards, the longest of "))
    let piped = try folder.run(["merge", "--junit", "-", "r1.xml", "r2.xml", "r3.xml"])
    #expect(try piped.output == folder.text("all.xml"))
    #expect(piped.errors == passed.output)
    try folder.write(SampleScenario.failing, to: "c.json")
    try shards(folder, 3)
    let failed = try merge(folder, "r1.xml", "r2.xml", "r3.xml")
    #expect(failed.exitCode == 1)
    #expect(failed.output.hasPrefix("FAILED   c\n  ./c.json:1:"), "\(failed.output)")
    try folder.write(SampleScenario.invalid, to: "d.json")
    try shards(folder, 2)
    #expect(try merge(folder, "r1.xml", "r2.xml").exitCode == 3)
    #expect(try folder.text("all.xml").contains(#"tests="4" failures="1" errors="1""#))
  }

  @Test("unless one is missing, or the scenarios were changed in between; then nothing is written")
  func refused() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.passing,
    ])
    defer { folder.remove() }
    try shards(folder, 2)
    let missing = try merge(folder, "r1.xml")
    #expect(missing.exitCode == 2)
    #expect(missing.errors.hasPrefix("scenario-run: Shard 2 of 2 is missing.\n"))
    try folder.write(SampleScenario.passing + " ", to: "a.json")
    _ = try folder.run([".", "--shard", "2/2", "--junit", "r2.xml"])
    let foreign = try merge(folder, "r1.xml", "r2.xml")
    #expect(foreign.exitCode == 2)
    #expect(foreign.errors.hasPrefix("scenario-run: r2.xml is of another run than r1.xml"))
    #expect(!folder.has("all.xml"))
    for (arguments, message) in [
      (["merge", "r1.xml"], "Name one file that the reports are joined into"),
      (["merge", "--junit", "x", "--html", "y", "r1.xml"], "Name one file"),
      (["merge", "--junit", "x"], "Name the JUnit reports of all shards."),
      (["merge", "--junit", "x", "none.xml"], "There is no file \"none.xml\"."),
      (
        ["merge", "--junit", "x", "a.json"],
        "a.json isn't a JUnit report that scenario-run wrote."
      ),
    ] {
      let run = try folder.run(arguments)
      #expect(run.exitCode == 2 && run.errors.hasPrefix("scenario-run: " + message))
    }
  }

  @Test("a row of a table that differs makes another run")
  func tables() throws {
    let folder = try FileFolder([
      "a.json": #"""
      {"app": ["faulty-app", "none", "${x}"], "cases": "rows.csv", "actions": [], "expected": [{"url": "/none", "count": 0}]}
      """#,
      "rows.csv": "name,x\none,1\ntwo,2\n",
    ])
    defer { folder.remove() }
    try shards(folder, 2)
    try folder.write("name,x\none,1\ntwo,3\n", to: "rows.csv")
    _ = try folder.run([".", "--shard", "2/2", "--junit", "r2.xml"])
    #expect(try merge(folder, "r1.xml", "r2.xml").exitCode == 2)
  }

  @Test("with the codes of shards in which an invalid file, or nothing at all, was selected")
  func selected() throws {
    let folder = try FileFolder(["a.json": SampleScenario.passing])
    defer { folder.remove() }
    try shards(folder, 2, "--tag", "none")
    #expect(try merge(folder, "r1.xml", "r2.xml").exitCode == 4)
    try folder.write(SampleScenario.invalid, to: "b.json")
    for filter in ["a.json", "none"] {
      #expect(try folder.run([".", "--filter", filter]).exitCode == 3)
      try shards(folder, 2, "--filter", filter)
      #expect(try merge(folder, "r1.xml", "r2.xml").exitCode == 3)
    }
  }

  @Test("repetitions too, but not of a shard whose report was edited")
  func repeated() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.passing,
    ])
    defer { folder.remove() }
    try shards(folder, 2, "--repeat", "2")
    #expect(try merge(folder, "r1.xml", "r2.xml").output.hasPrefix("4 passed in 2 shards, "))
    let edited = try folder.text("r2.xml").split(separator: "\n").filter {
      !$0.contains("<testcase")
    }
    .joined(separator: "\n").replacing(
      "scenarioCount&quot;:2,&quot;jobs", with: "scenarioCount&quot;:0,&quot;jobs"
    ).replacing("tests=\"2\"", with: "tests=\"0\"").replacing(
      "passed&quot;:2", with: "passed&quot;:0")
    try folder.write(edited, to: "r2.xml")
    let refused = try merge(folder, "r1.xml", "r2.xml")
    #expect(refused.exitCode == 2)
    #expect(
      refused.errors.hasPrefix(
        "scenario-run: The reports have 2 results in their shards, of 4 in the whole run."),
      "\(refused.errors)")
  }

  @Test("that of one machine alone too, where its engine numbers it")
  func single() throws {
    let folder = try FileFolder(["a.json": SampleScenario.passing])
    defer { folder.remove() }
    let run = try folder.run(
      [".", "--junit", "r1.xml"], environment: ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "1"])
    #expect(run.exitCode == 0 && !run.output.contains("shard"))
    #expect(try merge(folder, "r1.xml").exitCode == 0)
  }

  @Test("flaky scenarios fail it where that is asked for")
  func flaky() throws {
    let folder = try FileFolder([:])
    defer { folder.remove() }
    try folder.write(SampleScenario.flaky(folder.path + "/tried"), to: "a.json")
    try shards(folder, 1, "--retries", "1")
    #expect(try merge(folder, "r1.xml").output.hasPrefix("1 flaky in 1 shard, "))
    #expect(try merge(folder, "r1.xml", "--flaky", "fail").exitCode == 1)
  }

  @Test(
    "which fails where a shard failed by its options alone, of every kind",
    arguments: ["--html", "--ctrf", "--events", "--junit"], ["--flaky", "--strict", "neither"])
  func failedByOptions(kind: String, option: String) throws {
    let folder = try FileFolder([:])
    defer { folder.remove() }
    try folder.write(SampleScenario.flaky(folder.path + "/tried"), to: "a.json")
    // A warning of a file that isn't run.
    try folder.write(
      #"{"skip": "later", "expected": [{"url": "x.y/?a=1", "count": 0}], "actions": [{"tap": "a"}]}"#,
      to: "b.json")
    let options: [String] =
      switch option {
      case "--flaky": ["--flaky", "fail"]
      case "--strict": ["--strict"]
      default: []
      }
    let shard = try folder.run([".", "--shard", "1/1", "--retries", "1", kind, "r"] + options)
    let merged = try folder.run(["merge", "r", kind, "all"])
    #expect(shard.exitCode == (options.isEmpty ? 0 : 1), "\(shard.output)\(shard.errors)")
    #expect(merged.exitCode == shard.exitCode)
    #expect(merged.errors.contains("A shard failed by its options") == !options.isEmpty)
    // So does the report of all.
    #expect(try folder.text("all").isEmpty == false)
  }

  @Test(
    "of every kind, with what all of them say and the exit code of the whole",
    arguments: ["--html", "--ctrf", "--events", "--junit"])
  func kinds(option: String) throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.failing,
      "c.json": SampleScenario.failing, "d.json": SampleScenario.passing,
      "e.json": #"{"skip": "later", "actions": [{"tap": "b"}], "expected": []}"#,
      "f.json": SampleScenario.failing.replacing("{\"app", with: #"{"knownIssue": "k", "app"#),
    ])
    defer { folder.remove() }
    try folder.write(SampleScenario.flaky(folder.path + "/tried"), to: "g.json")
    let runs = try (1...3).map { index in
      try folder.run([
        ".", "--shard", "\(index)/3", "--retries", "1", option, "r\(index)",
      ]).exitCode
    }
    #expect(runs.max() == 1)
    let whole = try folder.run(["merge", "r3", "r1", "r2", option, "all"])
    #expect(whole.exitCode == 1 && whole.errors == "")
    let counts = "2 passed, 1 flaky, 2 failed, 1 skipped, 1 known issue"
    #expect(whole.output.contains("\(counts) in 3 shards, the longest of "), "\(whole.output)")
    for name in ["b", "c"] {
      #expect(whole.output.contains("FAILED   \(name)\n  ./\(name).json:1:"), "\(whole.output)")
    }
    let text = try folder.text("all")
    for name in ["a", "b", "c", "d", "e", "f", "g"] {
      #expect(text.contains("\(name).json"), "\(name) is missing")
    }
    let missing = try folder.run(["merge", "r1", "r2", option, "all"])
    #expect(missing.exitCode == 2)
    #expect(missing.errors.hasPrefix("scenario-run: Shard 3 of 3 is missing.\n"))
    try check(option, text)
    try folder.write(String(try folder.text("r1").dropLast(40)), to: "r1")
    let torn = try folder.run(["merge", "r3", "r1", "r2", option, "all"])
    #expect(torn.exitCode == 2 && torn.errors.hasPrefix("scenario-run: r1 is"), "\(torn.errors)")
  }

  private func check(_ option: String, _ text: String) throws {
    switch option {
    case "--html":
      let names = try text.matches(of: Regex(#"<section class="([a-z]+)"#)).map {
        String($0.output[1].substring ?? "")
      }
      #expect(
        names.filter { $0 != "attempt" } == [
          "failed", "flaky", "known", "skipped", "passed",
        ])
      #expect(text.contains("<h1>2 passed, 1 flaky, 2 failed, 1 skipped, 1 known issue"))
      #expect(
        try XMLDocument(xmlString: text.replacing("<!DOCTYPE html>", with: "")).rootElement() != nil
      )
    case "--ctrf":
      let results = try JSONValue(parsing: text)["results"]
      let summary = results?["summary"]
      #expect(
        results?["tests"]?.array?.map { $0["name"]?.string } == ["a", "b", "c", "d", "e", "f", "g"])
      #expect(
        ["tests", "passed", "failed", "skipped", "other", "flaky"].map { summary?[$0]?.int } == [
          7, 3, 2, 1, 1, 1,
        ])
      #expect(results?["environment"]?["healthy"]?.bool == false)
    case "--events":
      let events = try text.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
      let kinds = events.map { $0["kind"]?.string ?? "" }
      #expect(kinds.first == "runStarted" && kinds.last == "runFinished")
      #expect(kinds.count { $0.hasPrefix("run") } == 2)
      let times = events.map { $0["time"]?.double ?? -1 }
      #expect(times == times.sorted())
      let indexes = events.filter { $0["kind"]?.string == "scenarioFinished" }
        .compactMap { $0["index"]?.int }
      #expect(indexes.sorted() == Array(0..<7))
      #expect(events.last?["counts"]?["failed"]?.int == 2)
      #expect(events.first?["run"]?["scenarioCount"]?.int == 7)
    default: #expect(text.contains(#"tests="7" failures="2""#))
    }
  }
}
