import Foundation
import TestSupport
import Testing

@Suite("What failed last time can be run alone", .waitsForPrograms)
struct LastFailedTests {
  private static let state = ".scenario-run/last-failed.json"
  private static let everything =
    "scenario-run: Nothing that is selected is known to have failed, so all of it is selected.\n"

  private func names(_ outcome: BuiltProgram.Outcome) -> [String] {
    outcome.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }.sorted()
  }

  private func listed(_ folder: FileFolder, _ arguments: String...) throws -> [String] {
    names(try folder.run(["list", "--last-failed"] + arguments))
  }

  @Test("case by case, also after lines were moved, until it passes")
  func cases() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, ".scenario-run.json": "{}",
      "b.json": SampleScenario.cases([("one", false), ("two", true)]),
    ])
    defer { folder.remove() }
    #expect(try folder.run(["."]).exitCode == 1)
    #expect(try listed(folder, ".") == ["./b.json:4"])
    let again = try folder.run(["--last-failed", "."])
    #expect(again.output.contains("\n1 failed in "))
    #expect(
      again.errors == "scenario-run: Only the 1 that did not pass last time is selected, of 3.\n")
    try folder.write("\n\n" + (try folder.text("b.json")), to: "b.json")
    #expect(try listed(folder, "b.json") == ["b.json:6"])
    try folder.write(SampleScenario.cases([("one", false), ("two", false)]), to: "b.json")
    #expect(try folder.run(["--last-failed", "."]).output.contains("\n1 passed in "))
    let all = try folder.run(["--last-failed", "."])
    #expect(all.output.contains("\n3 passed in "))
    #expect(all.errors == Self.everything)
  }

  @Test("and a run of other files forgets nothing, from whatever folder")
  func merged() throws {
    let folder = try FileFolder([
      ".scenario-run.json": "{}", "sub/a.json": SampleScenario.failing,
      "sub/b.json": SampleScenario.failing, "c.json": SampleScenario.passing,
    ])
    defer { folder.remove() }
    _ = try folder.run(["a.json", "b.json"], in: "sub")
    _ = try folder.run(["c.json"])
    #expect(try listed(folder, ".") == ["./sub/a.json", "./sub/b.json"])
    #expect(try listed(folder, folder.path + "/sub/a.json").count == 1)
    try folder.write(SampleScenario.passing, to: "sub/a.json")
    _ = try folder.run(["sub/a.json"])
    #expect(try listed(folder, ".") == ["./sub/b.json"])
    // A removed scenario isn't an error, and is forgotten at the next failure.
    try FileManager.default.removeItem(atPath: folder.path + "/sub/b.json")
    let outcome = try folder.run(["--last-failed", "."])
    #expect(outcome.exitCode == 0 && outcome.errors == Self.everything)
    #expect(!(try folder.text(Self.state)).contains("sub/b.json"))
  }

  @Test("what is skipped meanwhile is not forgotten")
  func skipped() throws {
    let folder = try FileFolder(["a.json": SampleScenario.failing])
    defer { folder.remove() }
    _ = try folder.run(["a.json"])
    let skipped = #"{"skip": "later","# + SampleScenario.failing.dropFirst()
    try folder.write(skipped, to: "a.json")
    #expect(try folder.run(["a.json"]).output.contains("1 skipped"))
    #expect(try folder.text(Self.state).contains("a.json"))
  }

  @Test("where a name that failed holds a secret, everything is run, and is said to be")
  func secret() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.cases([("my-password-1", true), ("two", true), ("three", false)])
    ])
    defer { folder.remove() }
    let secret = ["--secret", "SECRET"]
    let environment = ["SECRET": "my-password"]
    _ = try folder.run(["a.json"] + secret, environment: environment)
    #expect(!(try folder.text(Self.state)).contains("my-password"))
    let again = try folder.run(["--last-failed", "a.json"] + secret, environment: environment)
    #expect(again.output.contains("\n1 passed, 2 failed in "))
    #expect(again.errors.contains("holds a secret, so it is not remembered.\n"))
    #expect(again.errors.hasSuffix(Self.everything))
  }

  @Test("and an interrupted run remembers what it knows")
  func interrupted() throws {
    let folder = try ScenarioFolder(app: #"["faulty-app", "hangIgnoringTermination"]"#)
    defer { folder.remove() }
    let run = try folder.start("--events", "-")
    #expect(run.waitForOutput("tap button"))
    run.send(SIGINT)
    #expect(run.waitForExit() == 130)
    let state = try String(contentsOfFile: folder.path + "/" + Self.state, encoding: .utf8)
    #expect(state.contains(#""path": "scenario.json""#))
  }

  @Test("a run without failures leaves nothing; one with them keeps itself out of repositories")
  func traces() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.failing,
    ])
    defer { folder.remove() }
    _ = try folder.run(["a.json"])
    #expect(!folder.has(".scenario-run"))
    _ = try folder.run(["b.json", "--state", "elsewhere"])
    #expect(!folder.has(".scenario-run") && folder.has("elsewhere/last-failed.json"))
    _ = try folder.run(["b.json"])
    #expect(try folder.text(".scenario-run/.gitignore") == "*\n")
  }

  @Test("and the folder may lie outside of the project")
  func outside() throws {
    let folder = try FileFolder([
      "p/.scenario-run.json": "{}", "p/a.json": SampleScenario.passing,
      "p/b.json": SampleScenario.failing,
    ])
    defer { folder.remove() }
    let state = ["--state", folder.path + "/state"]
    _ = try folder.run(["b.json"] + state, in: "p")
    _ = try folder.run(["a.json"] + state, in: "p")
    let outcome = try folder.run(["--last-failed", "."] + state, in: "p")
    #expect(outcome.errors.contains("Only the 1 that did not pass last time"), "\(outcome.errors)")
  }

  @Test(
    "what stands in its place is replaced, and no link is followed to what isn't of the project")
  func links() throws {
    let folder = try FileFolder([
      "p/.scenario-run.json": "{}", "p/b.json": SampleScenario.failing, "outside": "precious",
      "p/.scenario-run/note": "",
    ])
    defer { folder.remove() }
    let state = folder.path + "/p/.scenario-run"
    #expect(symlink("../../outside", state + "/last-failed.json") == 0)
    #expect(symlink("../../made", state + "/.gitignore") == 0)
    #expect(try folder.run(["b.json"], in: "p").errors.isEmpty)
    #expect(try folder.text("p/" + Self.state).contains("b.json"))
    #expect(try folder.text("outside") == "precious" && !folder.has("made"))
    for name in ["last-failed.json", ".gitignore"] { #expect(unlink(state + "/" + name) == 0) }
    // A pipe that nobody reads would hold up the run for good.
    #expect(mkfifo(state + "/last-failed.json", 0o600) == 0)
    #expect(try folder.run(["b.json"], in: "p").errors.isEmpty)
    #expect(try folder.text("p/" + Self.state).contains("b.json"))
    #expect(rename(state, folder.path + "/aside") == 0)
    #expect(symlink("../aside", state) == 0)
    try folder.write("precious", to: "aside/last-failed.json")
    let outcome = try folder.run(["b.json"], in: "p")
    #expect(outcome.errors.contains("it is a link, which may lead anywhere"), "\(outcome.errors)")
    #expect(try folder.text("aside/last-failed.json") == "precious")
  }

  @Test("a folder that can't be written is a warning, and damage of the file isn't a knowledge")
  func unwritable() throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.failing, "file": "",
    ])
    defer { folder.remove() }
    let outcome = try folder.run(["b.json", "--state", "file/sub"])
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.hasPrefix("scenario-run: What did not pass is not remembered"))
    try folder.write("{ damaged", to: Self.state)
    let damaged = try folder.run(["--last-failed", "a.json"])
    #expect(damaged.exitCode == 0 && damaged.output.contains("\n1 passed in "))
    let warning =
      "scenario-run: What did not pass last time isn't known: \(folder.path)/\(Self.state) is damaged, or of "
      + "another version. A run writes it anew.\n"
    #expect(damaged.errors == warning + Self.everything)
    try folder.write("{ damaged", to: Self.state)
    #expect(try folder.run(["a.json"]).errors == warning)
    #expect(try folder.run(["a.json"]).errors.isEmpty)
  }
}
