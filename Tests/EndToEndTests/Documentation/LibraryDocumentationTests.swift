import Foundation
import Testing

@Suite("The documentation of the library")
struct LibraryDocumentationTests {
  @Test(
    "shows the test that runs here",
    arguments: [
      "README.md", "Sources/ScenarioTesting/ScenarioTesting.docc/ScenariosInYourTests.md",
    ])
  func sample(document: String) throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let sample = try String(
      contentsOf: here.appending(path: "../Library/TrackingTests.swift"), encoding: .utf8)
    let text = try String(
      contentsOf: BuiltProgram.packageFolder.appending(path: document), encoding: .utf8)
    // The article says first which file it is.
    #expect(text.contains("\n" + sample + "```\n"))
  }
}
