import ScenarioTesting
import Testing

@Suite("Tracking")
struct TrackingTests {
  @Test(
    "Each action sends its requests",
    arguments: try ScenarioSuite(folder: "Scenarios", tags: ["cart"]).cases)
  func scenario(_ scenario: ScenarioCase) async throws {
    try await scenario.run()
  }
}
