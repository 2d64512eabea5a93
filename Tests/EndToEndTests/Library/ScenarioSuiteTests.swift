import Foundation
import ScenarioTesting
import Testing

@Suite("A suite of scenarios in a test")
struct ScenarioSuiteTests {
  @Test("selects by tag and by text, and starts at the package")
  func selection() throws {
    let tag = #"{"tags": ["expiry"], "#
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": tag + SampleScenario.failing.dropFirst(),
      "c.json": tag + SampleScenario.passing.dropFirst(),
    ])
    defer { folder.remove() }
    let all = try ScenarioSuite(folder: folder.path).cases
    let tagged = try ScenarioSuite(folder: folder.path, tags: ["expiry"]).cases
    let others = try ScenarioSuite(folder: folder.path, skippedTags: ["expiry"]).cases
    #expect(!tagged.isEmpty)
    #expect(tagged.allSatisfy { $0.tags.contains("expiry") })
    #expect(tagged.count + others.count == all.count)
    let filtered = try ScenarioSuite(folder: "Scenarios", filters: ["CART-tap"]).cases
    #expect(filtered.map(\.id) == ["Scenarios/search-cart-tap.json"])
  }

  @Test("without anything to run is an error, not a pass")
  func nothing() throws {
    let folder = try FileFolder([
      "full/a.json": SampleScenario.passing, "empty/read.me": "", "wrong/a.json": "{}",
      "wrong/.scenario-run.json": #"{"ap": "x"}"#,
    ])
    defer { folder.remove() }
    let path = folder.path
    #expect(
      message { try ScenarioSuite(folder: path + "/none") }
        == #"There is no file or folder "\#(path)/none": \#(path)/none."#)
    #expect(
      message { try ScenarioSuite(folder: path + "/empty") }
        == #"There are no scenarios in "\#(path)/empty": \#(path)/empty. "#
        + "Name a folder that has some.")
    #expect(
      message { try ScenarioSuite(folder: path + "/full", tags: ["x"]) }
        == #"The only scenario in "\#(path)/full" was not selected. "#
        + "Correct the tags or the filters.")
    let invalid = try #require(message { try ScenarioSuite(folder: path + "/wrong") })
    #expect(invalid.hasPrefix("The configuration is invalid, so nothing ran.\n\(path)/wrong/."))
  }

  private func message(_ make: () throws -> ScenarioSuite) -> String? {
    do {
      _ = try make()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
