import Foundation
import TestSupport
import Testing

@Suite("import makes a scenario of a capture", .waitsForPrograms)
struct ImportTests {
  private static let capture =
    "Sources/ScenarioCommand/ScenarioCommand.docc/Resources/shop.har"

  private func folder() throws -> FileFolder {
    let text = try String(
      contentsOf: BuiltProgram.packageFolder.appending(path: Self.capture), encoding: .utf8)
    let app = BuiltProgram.path(of: "demo-app")
    return try FileFolder([
      "captures/shop.har": text, "Fixtures/other.json": "{}",
      ".scenario-run.json": #"{"app": ["\#(app)"]}"#,
    ])
  }

  @Test("It is valid, it is skipped until it has actions, and play and review make it pass")
  func course() throws {
    let folder = try folder()
    defer { folder.remove() }
    let line = ["import", "captures/shop.har", "a.json"]
    let imported = try folder.run(line)
    #expect(imported.exitCode == 0, "\(imported.errors)")
    #expect(imported.output.contains("once: its answer is a tiny picture\n"))
    #expect(imported.output.contains("once: it was answered with 204\n"), "\(imported.output)")
    let validate = try folder.run(["validate", "a.json"])
    #expect(validate.exitCode == 0 && validate.errors.contains("review a.json"))
    #expect(try folder.run(["validate", "a.json", "--no-pending"]).exitCode == 3)
    let skipped = try folder.run(["a.json"])
    #expect(skipped.output.contains("skipped  a"), "\(skipped.output)")
    try folder.write("9\nwaitForExistence cartToast\nsave\n", to: "commands")
    let play = try folder.shell("\"$RUN\" play a.json < commands")
    #expect(
      play.output.contains("A draft of its expectations is waiting: scenario-run review a.json"))
    let review = try folder.run(["review", "a.json", "--accept"])
    #expect(review.output == "a.json: 2 accepted, 0 rejected\n", "\(review.errors)")
    #expect(try folder.run(["a.json", "--no-pending"]).exitCode == 0)
  }

  @Test("An empty scenario without a draft stays an error")
  func empty() throws {
    let folder = try folder()
    defer { folder.remove() }
    _ = try folder.run(["import", "captures/shop.har", "a.json"])
    #expect(try folder.run(["review", "a.json", "--reject"]).exitCode == 0)
    for line in [["validate", "a.json"], ["a.json"]] {
      let outcome = try folder.run(line)
      #expect(outcome.exitCode == 3)
      #expect(outcome.errors.contains("has neither actions nor expectations"))
    }
  }

  @Test("Nothing is overwritten without --force, and the capture itself never")
  func overwriting() throws {
    let folder = try folder()
    defer { folder.remove() }
    let line = ["import", "captures/shop.har", "a.json"]
    #expect(try folder.run(line).exitCode == 0)
    #expect(try folder.run(line).exitCode == 0, "the same files again")
    for name in ["Fixtures/shop.har", "a.json", "a.json.pending"] {
      let written = try folder.text(name)
      try folder.write("mine", to: name)
      let refused = try folder.run(line)
      #expect(refused.exitCode == 2)
      #expect(refused.errors.contains("There is a file \(name) already"), "\(refused.errors)")
      #expect(try folder.text(name) == "mine")
      #expect(try folder.run(line + ["--force"]).exitCode == 0)
      #expect(try folder.text(name) == written)
    }
    let inside = try folder.run(["import", "--force", "Fixtures/shop.har", "b.json"])
    #expect(inside.exitCode == 2 && inside.errors.contains("Move the capture out"))
    #expect(!folder.has("b.json"))
  }

  @Test(
    "What it can't do is said",
    arguments: [
      (["a.har"], "import takes a capture and a scenario"),
      (["captures/shop.har", "a.har"], "doesn't end with \".json\""),
      (["none.har", "a.json"], "\"none.har\" can't be read"),
      ([".scenario-run.json", "a.json"], "which has \"entries\" in a \"log\""),
    ])
  func refusals(_ words: [String], _ message: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let outcome = try folder.run(["import"] + words)
    #expect(outcome.exitCode == 2 && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!folder.has("a.json"))
  }

  private static let captures: [String] = {
    let package = BuiltProgram.packageFolder
    return ["../shared/data", "Tests/StubMappingsTests/Captures", "Fixtures"].flatMap { name in
      let folder = package.appending(path: name).path(percentEncoded: false)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasSuffix(".har") }.sorted().map { folder + "/" + $0 }
    }
  }()

  @Test("The captures of other programs are imported and are valid", arguments: captures)
  func others(_ capture: String) throws {
    let folder = try folder()
    defer { folder.remove() }
    let outcome = try folder.run(["import", capture, "a.json", "--tracking", "ad.*"])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let validate = try folder.run(["validate", "a.json"])
    #expect(validate.exitCode == 0, "\(validate.errors)")
  }

  @Test(
    "So are those of Charles, Playwright and Chrome",
    .enabled(
      if: captures.contains { $0.hasSuffix("charles-4.6.3.har") },
      "the captures beside the package are not here"))
  func shared() {
    #expect(Self.captures.count { $0.contains("/shared/data/") } >= 3)
  }
}
