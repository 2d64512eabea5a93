import Foundation
import Testing

@Suite("The documentation")
struct DocumentationTests {
  @Test(
    "shows the harness that is compiled here",
    arguments: ["README.md", "Sources/AppHarness/AppHarness.docc/AdoptingTheKit.md"])
  func harness(document: String) throws {
    let here = URL(filePath: #filePath)
    let package = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let source = try String(
      contentsOf: here.deletingLastPathComponent().appending(path: "SampleHarness.swift"),
      encoding: .utf8)
    let start = try #require(source.range(of: "final class ShopHarness"))
    let end = try #require(source.range(of: "\n@MainActor final class CartViewModel"))
    let harness = source[start.lowerBound..<end.lowerBound]
      .replacing("    // swift-format-ignore\n", with: "")
    let comment = try #require(source.range(of: "\n// The harness of the documentation"))
    let imports = source[..<comment.lowerBound]
    let text = try String(contentsOf: package.appending(path: document), encoding: .utf8)
    #expect(text.contains(harness))
    #expect(text.contains("```swift\n" + imports))
  }
}
