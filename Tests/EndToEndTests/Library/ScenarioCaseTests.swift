import Foundation
import ScenarioCore
import Synchronization
import TestSupport
import Testing

@testable import ScenarioTesting

@Suite("Scenarios as cases of a test", .waitsForPrograms)
struct ScenarioCaseTests {
  @Test("fail with the text of the command, its place first")
  func failure() async throws {
    let path = "Tests/EndToEndTests/Demo/Twins/wrong-parameter.json"
    let scenario = try #require(try ScenarioSuite(folder: path).cases.first)
    let text = try await failure(of: scenario).replacing(/[0-9]+\.[0-9]+ s/, with: "0.00 s")
      // The place is told from the working directory, which may be another.
      .replacing(BuiltProgram.packageFolder.path(percentEncoded: false), with: "")
    #expect(
      text == """
        \(path):5:16: wanted 1, got 0: https://ad.example.com/click?ad=C-1&area=cart
          https://ad.example.com/click?ad=C-1&area=cart
          sent instead:
            https://ad.example.com/click?ad=C-1&area=item
            sent at 0.00 s by action 1, tap MyItemCell
            parameter area
              - wanted "cart"
              + got    "item"
        scenario: The click is wanted from the cart, but the item was tapped
        run again: swift build && swift run scenario-run \(path):1
        """)
  }

  @Test("of an invalid file fail with its faults, and the others run")
  func invalid() async throws {
    let folder = try FileFolder([
      "a.json": SampleScenario.passing, "b.json": SampleScenario.invalid,
    ])
    defer { folder.remove() }
    let cases = try ScenarioSuite(folder: folder.path).cases
    #expect(cases.map(\.name) == ["a", "b"])
    #expect(try await cases[0].run() == .passed)
    let text = try await failure(of: cases[1])
    #expect(
      text == """
        \(folder.path)/b.json:1:15: error: "tpa" isn't a verb.
           1 | {"actions": [{"tpa": "b"}], "expected": []}
             |               ^^^^^ did you mean "tap"?
        scenario: b
        run again: swift build && swift run scenario-run \(folder.path)/b.json
        """)
  }

  @Test("say once what keeps the apps from the network, where it is less than it should be")
  func seal() {
    let written = Mutex<[String]>([])
    let notice = SealNotice { text in written.withLock { $0.append(text) } }
    for seal in [NetworkSeal.systemCalls, .open, .none, .none] { notice.tell(seal) }
    let lines = written.withLock { $0 }
    #expect(
      lines == [
        "scenario-run: network: NOT sealed, because the system refuses seccomp filters and network "
          + "namespaces; only what the kit intercepts is kept from it\n"
      ])
  }

  @Test("where the app is not built say how to have it built")
  func missingApp() async throws {
    let folder = try FileFolder([
      "a.json":
        #"{"app": "no-such-app", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#
    ])
    defer { folder.remove() }
    let scenario = try #require(try ScenarioSuite(folder: folder.path).cases.first)
    let text = try await failure(of: scenario)
    #expect(text.contains(#"The app "no-such-app" is in none of these: "#))
    #expect(text.contains("Make it a dependency of the test target, so that it is built"))
  }

  @Test("are told apart by names and by what stays the same from run to run")
  func identities() throws {
    let folder = try FileFolder([
      ".scenario-run.json": "{}",
      "z/b.json": SampleScenario.cases([(name: "one", isFailing: false), ("two", false)]),
      "z/a.json": SampleScenario.passing, "c/a.json": SampleScenario.passing,
    ])
    defer { folder.remove() }
    let cases = try ScenarioSuite(folder: folder.path).cases
    #expect(cases.map(\.name) == ["a", "a (2)", "b [one]", "b [two]"])
    #expect(cases.map(\.id) == ["c/a.json", "z/a.json", "z/b.json [one]", "z/b.json [two]"])
    #expect("\(cases[2])" == "b [one]")
  }

  @Test("that are skipped say why, and a pass after a failure is flaky")
  func outcomes() async throws {
    let folder = try FileFolder([
      "skipped.json":
        #"{"skip": "too early", "actions": [], "expected": [{"url": "/none", "count": 0}]}"#
    ])
    defer { folder.remove() }
    try folder.write(SampleScenario.flaky(folder.path + "/tried"), to: "flaky.json")
    let cases = try ScenarioSuite(folder: folder.path, retries: 2).cases
    // As in a test of XCTest: here it would be told as warnings of this test.
    let outcomes = try await Task.detached {
      [try await cases[0].run(), try await cases[1].run()]
    }.value
    guard case .flaky(let attempts, let text) = outcomes[0] else {
      return #expect(Bool(false), "\(outcomes[0])")
    }
    #expect(attempts == 2)
    #expect(text.hasPrefix("\(folder.path)/flaky.json:1:") && text.contains(": unexpected"))
    #expect(outcomes[1] == .skipped(reason: "too early"))
  }

  @Test("that never pass say how often they were tried")
  func retries() async throws {
    let folder = try FileFolder(["a.json": SampleScenario.failing])
    defer { folder.remove() }
    let scenario = try #require(try ScenarioSuite(folder: folder.path, retries: 2).cases.first)
    let text = try await failure(of: scenario)
    #expect(text.contains("\nnone of 3 attempts passed; this is the last\n"))
  }

  @Test("get the environment and the app that the test says")
  func overrides() async throws {
    let folder = try FileFolder([
      ".scenario-run.json": #"{"app": "no-such-app", "environment": {"A": "1", "B": "1"}}"#,
      "a.json":
        #"{"environment": {"C": "3"}, "actions": [], "expected": [{"url": "/none", "count": 0}]}"#,
      "tell.sh": "#!/bin/sh\necho \"$A$B$C\" >told\nexit 7",
    ])
    defer { folder.remove() }
    chmod(folder.path + "/tell.sh", 0o755)
    let suite = try ScenarioSuite(
      folder: folder.path, app: "./tell.sh", environment: ["B": "2", "C": "2"])
    let scenario = try #require(suite.cases.first)
    let text = try await failure(of: scenario)
    #expect(text.contains("exit code 7") || text.contains("code 7"))
    #expect(try folder.text("told") == "123\n")
  }

  @Test("are ended after the timeout that the test says")
  func timeout() async throws {
    let folder = try FileFolder([
      "a.json":
        #"{"app": ["sleep", "1000"], "timeout": 600, "actions": [], "expected": [{"url": "/none", "count": 0}]}"#
    ])
    defer { folder.remove() }
    let suite = try ScenarioSuite(folder: folder.path, timeout: .milliseconds(200))
    let scenario = try #require(suite.cases.first)
    let text = try await failure(of: scenario)
    #expect(text.contains("within the scenario's timeout"))
  }

  private func failure(of scenario: ScenarioCase) async throws -> String {
    let error = await #expect(throws: ScenarioFailure.self) { try await scenario.run() }
    return try #require(error).description
  }
}
