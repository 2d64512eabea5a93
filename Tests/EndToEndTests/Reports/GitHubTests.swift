import Foundation
import TestSupport
import Testing

@Suite("A run under GitHub Actions", .waitsForPrograms)
struct GitHubTests {
  private static let failing =
    #"{"app": ["faulty-app", "sendRequest"], "actions": [{"tap": "b"}], "expected": []}"#

  @Test("annotates what did not pass, and appends to the step's summary")
  func reports() throws {
    let folder = try FileFolder(["app/a.json": Self.failing, "summary.md": "before\n"])
    defer { folder.remove() }
    let run = try folder.run(
      ["a.json"], in: "app",
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder.path,
        "GITHUB_STEP_SUMMARY": folder.path + "/summary.md",
      ])
    #expect(run.exitCode == 1)
    #expect(run.output.contains("\n::error file=app/a.json,line=1,col=52,title=failed%3A a::"))
    let summary = try folder.text("summary.md")
    #expect(summary.hasPrefix("before\n### ❌ scenario-run: 1 failed\n"))
    #expect(summary.hasSuffix("</details>\n\n"))
  }

  @Test("leaves a full summary alone, and says so")
  func full() throws {
    let before = String(repeating: "x", count: 1024 * 1024)
    let folder = try FileFolder(["a.json": Self.failing, "summary.md": before])
    defer { folder.remove() }
    let run = try folder.run(
      ["a.json"],
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": folder.path + "/summary.md"])
    #expect(run.output.contains("::The step summary is full"))
    #expect(try folder.text("summary.md") == before)
  }

  @Test("says nothing of it elsewhere")
  func elsewhere() throws {
    let folder = try FileFolder(["a.json": Self.failing])
    defer { folder.remove() }
    #expect(try !folder.run(["a.json"]).output.contains("::error"))
  }
}
