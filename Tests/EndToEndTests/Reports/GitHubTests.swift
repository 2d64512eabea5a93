import Foundation
import TestSupport
import Testing

@Suite("A run under GitHub Actions", .waitsForPrograms)
struct GitHubTests {
  private static let failing =
    #"{"app": ["faulty-app", "sendRequest"], "actions": [{"tap": "b"}], "expected": []}"#

  @Test("annotates what did not pass")
  func reports() throws {
    let folder = try FileFolder(["app/a.json": Self.failing])
    defer { folder.remove() }
    let run = try folder.run(
      ["a.json"], in: "app",
      environment: ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder.path])
    #expect(run.exitCode == 1)
    #expect(run.output.contains("\n::error file=app/a.json,line=1,col=52,title=failed%3A a::"))
  }

  @Test("says nothing of it elsewhere")
  func elsewhere() throws {
    let folder = try FileFolder(["a.json": Self.failing])
    defer { folder.remove() }
    #expect(try !folder.run(["a.json"]).output.contains("::error"))
  }
}
