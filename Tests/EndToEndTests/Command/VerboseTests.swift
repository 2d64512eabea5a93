import Foundation
import TestSupport
import Testing

@Suite("A verbose run", .waitsForPrograms)
struct VerboseTests {
  @Test(
    "shows what each action sent, with its answer and the app's time, for a passing scenario too")
  func requests() throws {
    let outcome = try BuiltProgram("scenario-run").run(
      "Scenarios/search-cart-tap.json", "--verbose", "--jobs", "1")
    #expect(outcome.exitCode == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let tap = try #require(lines.firstIndex { $0.hasPrefix("  1 tap ") })
    #expect(lines[tap + 1].hasPrefix("    GET https://ad.example.com/click?ad="))
    #expect(lines[tap + 1].hasSuffix("  200 (no stub) at 0.001 s"))
  }

  @Test("shows bodies decoded, JSON a member a line")
  func bodies() throws {
    let outcome = try BuiltProgram("scenario-run").run(
      "Scenarios/events-of-links.json", "--verbose", "--jobs", "1")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("\n    POST https://"))
    #expect(outcome.output.contains("\n      {\n        \""))
  }
}
