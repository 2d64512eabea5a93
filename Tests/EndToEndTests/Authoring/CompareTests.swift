import Foundation
import JSON
import TestSupport
import Testing

/// The head is the example app behind a program that gives it another fixture, in which an ad has another
/// address for its cart.
@Suite("compare tells what two apps send otherwise", .waitsForPrograms)
struct CompareTests {
  private func folder() throws -> FileFolder {
    let folder = try FileFolder([
      "a.json": """
      {
        "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
        "actions": [
          { "tap": "MyItemCell[0]/cartButton" },
          { "tap": "MyItemCell[0]/cartButton" }
        ]
      }
      """,
      "b.json": """
      {
        "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
        "actions": [{ "tap": "MyItemCell[0]/cartButton" }],
        "unexpected": "allow"
      }
      """,
    ])
    try folder.copyFixtures()
    let module = try folder.text("Fixtures/ModuleA.json")
    try folder.write(
      module.replacing("area=cart", with: "area=basket"), to: "Other/ModuleA.json")
    try folder.write("{}", to: ".scenario-run.json")
    try folder.write(
      """
      #!/bin/sh
      SCENARIO_FIXTURES_DIRECTORY="\(folder.path)/Other" exec "\(BuiltProgram.path(of: "demo-app"))"
      """, to: "head")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/head")
    return folder
  }

  private func compare(_ folder: FileFolder, _ head: String, _ more: String...) throws
    -> BuiltProgram.Outcome
  {
    let base = BuiltProgram.path(of: "demo-app")
    return try folder.run(["compare", "--base", base, "--head", head, "a.json", "b.json"] + more)
  }

  @Test("What differs is told by action and by part, once for all scenarios")
  func differences() throws {
    let folder = try folder()
    defer { folder.remove() }
    let outcome = try compare(folder, folder.path + "/head")
    #expect(outcome.exitCode == 1, "\(outcome.errors)")
    #expect(
      outcome.output == """
        tap MyItemCell[0]/cartButton: changed
            https://ad.example.com/click
            parameter ad: A-1
          ~ parameter area: cart → basket
            count: 1
          in 2 scenarios: a.json, b.json

        1 difference in 2 scenarios

        """, "\(outcome.errors)")
    let markdown = try compare(folder, folder.path + "/head", "--markdown").output
    #expect(markdown.hasPrefix("### 1 difference in 2 scenarios\n\n**tap MyItemCell"))
    #expect(markdown.contains("```diff\n") && markdown.contains("cart → basket"))
    let json = try JSONValue(
      parsing: compare(folder, folder.path + "/head", "--json").output.utf8)
    let difference = json["differences"]?.array?.first
    #expect(difference?["action"] == "tap MyItemCell[0]/cartButton")
    #expect(difference?["base"]?["url"] == "https://ad.example.com/click?ad=A-1&area=cart")
    #expect(difference?["head"]?["url"] == "https://ad.example.com/click?ad=A-1&area=basket")
    #expect(difference?["scenarios"] == ["a.json", "b.json"])
  }

  @Test("The same app sends the same")
  func equality() throws {
    let folder = try folder()
    defer { folder.remove() }
    let outcome = try compare(folder, BuiltProgram.path(of: "demo-app"))
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output == "No differences in 2 scenarios\n")
  }

  @Test("What one of them can't play to its end is listed, and both apps have to be named")
  func failures() throws {
    let folder = try folder()
    defer { folder.remove() }
    let outcome = try compare(folder, "/bin/false")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("a.json: not compared: head: it can't be played to its end:"))
    let missing = try folder.run(["compare", "--base", "x", "a.json"])
    #expect(missing.exitCode == 2 && missing.errors.contains("--base APP --head APP"))
  }
}
