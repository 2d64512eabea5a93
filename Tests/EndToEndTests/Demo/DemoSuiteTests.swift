import Foundation
import TestSupport
import Testing

@Suite("The demo's scenarios, with the programs as built", .waitsForPrograms)
struct DemoSuiteTests {
  private static let scenarioRun = BuiltProgram("scenario-run")

  private static let surroundings = ["HOME": "/nonexistent", "TZ": "Asia/Seoul"]

  @Test(
    "all that are valid pass, whatever the user's home and time zone are",
    .enabled(if: BuiltProgram.reachesWholeApp))
  func suite() throws {
    let validated = try Self.scenarioRun.run("validate", "Scenarios")
    let count = try #require(validated.output.firstMatch(of: /^([0-9]+) scenarios valid\n$/)?.1)
    let outcome = try Self.scenarioRun.run(
      "--quiet", "Scenarios", environment: Self.surroundings)
    #expect(outcome.output.hasPrefix("\(count) passed in "))
    #expect(outcome.output.count { $0 == "\n" } == 1)
    #expect(outcome.errors == "")
    #expect(outcome.exitCode == 0)
  }

  @Test(
    "those pass that are the same on every system, whatever the user's home and time zone are",
    .disabled(if: BuiltProgram.reachesWholeApp, "all are run"))
  func part() throws {
    let outcome = try Self.scenarioRun.run(
      "--quiet", "--tag", "offline", "--tag", "expiry", "Scenarios",
      environment: Self.surroundings)
    #expect(outcome.exitCode == 0)
  }

  @Test("each twin with a wrong expectation fails, and says why", arguments: Twin.all)
  func twin(_ twin: Twin) throws {
    let state = try FileFolder([:])
    defer { state.remove() }
    let outcome = try Self.scenarioRun.run(twin.path, "--state", state.path)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors == "")
    try twin.compare(outcome.output)
  }
}

/// A scenario that must fail, with what is printed then.
struct Twin: CustomTestStringConvertible {
  private static let folder = "Tests/EndToEndTests/Demo/Twins"

  private let name: String

  static let all = [
    "missing", "doubled", "misattributed", "wrong-parameter", "unexpected", "action-failed",
    "wrong-body", "wrong-method", "stubbed", "stopped", "named-too-early",
    "click-before-impression",
    "ad-not-seen", "other-ad", "opened", "analytics-batch", "analytics-timer",
    "analytics-background", "analytics-retry", "analytics-refused", "analytics-relaunch",
    "analytics-killed", "analytics-ids", "analytics-opt-out", "analytics-ad-click",
    "analytics-off", "analytics-down", "macros", "unplanned",
  ].map(Twin.init)

  var path: String { "\(Self.folder)/\(name).json" }

  var testDescription: String { name }

  /// Compares with the golden; with `UPDATE_GOLDENS=1`, outside CI, writes it instead.
  func compare(_ output: String) throws {
    let golden = BuiltProgram.packageFolder.appending(path: "\(Self.folder)/\(name).txt")
    let masked = output.replacing(/[0-9]+\.[0-9]+ s/, with: "0.00 s")
    let environment = ProcessInfo.processInfo.environment
    if environment["UPDATE_GOLDENS"] == "1", environment["CI"] == nil {
      try masked.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(try masked == String(contentsOf: golden, encoding: .utf8))
  }
}
