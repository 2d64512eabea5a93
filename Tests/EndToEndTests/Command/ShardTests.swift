import Foundation
import TestSupport
import Testing

@Suite("A run that is spread over machines", .waitsForPrograms)
struct ShardTests {
  private static let files = Dictionary(
    uniqueKeysWithValues: (1...5).map { ("s\($0).json", SampleScenario.passing) })

  private func names(_ run: BuiltProgram.Outcome) -> [String] {
    run.output.split(separator: "\n").filter { $0.hasPrefix("passed") }
      .map { String($0.dropFirst(9).prefix(2)) }.sorted()
  }

  @Test("says once which part it is, and who wanted it", arguments: ["-v", "-q"])
  func source(detail: String) throws {
    let folder = try FileFolder(Self.files)
    defer { folder.remove() }
    let run = try folder.run(
      [".", detail], environment: ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"])
    let line = "shard 2 of 3, from CI_NODE_INDEX: 5 scenarios in all\n"
    #expect(run.output.hasPrefix(line))
    #expect(run.output.components(separatedBy: "shard 2").count == 2)
    #expect(run.output.contains("\n2 passed in ") || run.output.contains(line + "2 passed in "))
    let whole = try folder.run(
      [".", "--shard", "1/1"], environment: ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"])
    #expect(names(whole).count == 5 && !whole.output.contains("shard"))
  }

  @Test("covers everything once")
  func parts() throws {
    let folder = try FileFolder(Self.files)
    defer { folder.remove() }
    let parts = try (1...3).map { names(try folder.run([".", "--shard", "\($0)/3"])) }
    #expect(parts.joined().sorted() == ["s1", "s2", "s3", "s4", "s5"])
  }

  @Test("passes where there is nothing left for a machine, and writes its report")
  func empty() throws {
    let folder = try FileFolder(Self.files)
    defer { folder.remove() }
    let run = try folder.run([".", "--shard", "6/6", "--junit", "r.xml"])
    #expect(run.exitCode == 0)
    let report = try folder.text("r.xml")
    #expect(report.contains(#"<testsuite name="shard 6 of 6" tests="0""#))
    #expect(report.contains(#"&quot;scenarioCount&quot;:5,"#))
    // But a selection that is empty on every machine is a mistake.
    let none = try folder.run([".", "--shard", "6/6", "--tag", "none"])
    #expect(none.exitCode == 4)
  }

  @Test("is listed as it would run")
  func list() throws {
    let folder = try FileFolder(Self.files)
    defer { folder.remove() }
    let run = try folder.run(
      ["list", "."], environment: ["CIRCLE_NODE_INDEX": "4", "CIRCLE_NODE_TOTAL": "5"])
    #expect(run.output == "./s5.json  s5\n")
    #expect(run.errors.hasPrefix("scenario-run: shard 5 of 5, from CIRCLE_NODE_INDEX"))
  }

  @Test("isn't a matter for what only looks at files")
  func files() throws {
    let folder = try FileFolder(Self.files)
    defer { folder.remove() }
    let environment = ["CIRCLE_NODE_INDEX": "4", "CIRCLE_NODE_TOTAL": "5"]
    let explained = try folder.run(["explain", "."], environment: environment)
    #expect((1...5).allSatisfy { explained.output.contains("s\($0)") })
    let validated = try folder.run(["validate", "."], environment: environment)
    #expect(validated.output == "5 scenarios valid\n")
  }
}
