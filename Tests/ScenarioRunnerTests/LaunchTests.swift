import Foundation
import ScenarioCore
import TestSupport
import Testing

@testable import ScenarioRunner

@Suite("An app is launched with nothing of the machine's", .waitsForPrograms)
struct LaunchTests {
  private func report() throws -> (lines: [String], folder: String) {
    let suite = try Suite()
    let path = try suite.folder.write(
      """
      {"app": ["faulty-app", "tellLaunch", "tap"], "arguments": ["-reset", "two words"],
       "fixtures": {"Fake": "data.json"}, "stubs": ["a.json", "b.json"],
       "environment": {"LOCALE": "ko_KR"},
       "actions": [{"tap": "button"}], "expected": []}
      """, to: "launch.json")
    try suite.folder.write("{}", to: "data.json")
    for name in ["a", "b"] { try suite.folder.write(#"{"mappings": []}"#, to: "\(name).json") }
    let result = try #require(try suite.run([path]).first)
    #expect(result.verdict == .passed)
    let text = String(decoding: result.output.standardOutput.head, as: UTF8.self)
    return (text.split(separator: "\n").map(String.init), suite.folder.path)
  }

  @Test("in its own group, with default signals, three descriptors and empty folders")
  func process() throws {
    let (lines, folder) = try report()
    let resolved = LocalFiles().resolved(folder) ?? folder
    #expect(lines.contains("folder \(resolved)"))
    #expect(lines.contains("descriptors 0 1 2"))
    #expect(lines.contains("leads its group true"))
    #expect(lines.contains("signals blocked 0, ignored 0"))
    #expect(lines.contains("arguments -reset two words"))
    for name in ["HOME", "TMPDIR", "SIMULATOR_SHARED_RESOURCES_DIRECTORY"] {
      #expect(lines.contains("entries of \(name): 0"))
    }
  }

  @Test("in a folder that is there; where the command's own is gone, that is told")
  func missingFolder() {
    let gone = SystemError("start", code: ENOENT)
    for (folder, cause) in [
      ("", "the folder that scenario-run was started in is not there any more"),
      ("/none", "its working directory /none is not there"),
    ] {
      let plan = LaunchPlan(
        program: "/bin/app", arguments: [], environment: [:], workingDirectory: folder, marker: "m")
      let message = "The app /bin/app could not be started: \(cause)."
      #expect(LaunchErrors.cannotStart(plan, gone).message == message)
    }
  }

  @Test("with the environment of the contract and no other name")
  func environment() throws {
    let (lines, folder) = try report()
    let pairs = lines.filter { $0.hasPrefix("env ") }.map { $0.dropFirst(4) }
    let names = pairs.map { String($0.prefix { $0 != "=" }) }
    #expect(
      names == [
        "CFFIXED_USER_HOME", "Fake", "HOME", "LOCALE", "PATH", "SCENARIO_FIXTURES_DIRECTORY",
        "SCENARIO_RUN", "SCENARIO_SEED", "SCENARIO_START_DATE", "SCENARIO_STUBS",
        "SIMULATOR_SHARED_RESOURCES_DIRECTORY", "SWIFT_DETERMINISTIC_HASHING", "TMPDIR",
      ])
    for pair in [
      "SCENARIO_SEED=0", "SCENARIO_START_DATE=2026-01-01T00:00:00Z",
      "SWIFT_DETERMINISTIC_HASHING=1", "Fake=data.json", "LOCALE=ko_KR", "SCENARIO_RUN=1",
      "SCENARIO_STUBS=a.json:b.json",
      "SCENARIO_FIXTURES_DIRECTORY=\(folder)", "PATH=/usr/bin:/bin",
    ] {
      #expect(pairs.contains { $0 == pair })
    }
  }

  @Test("of the runner's own environment only what the contract names, and what is passed on")
  func inherited() throws {
    let suite = try Suite()
    let path = try suite.scenario(["none"])
    guard case .scenario(let scenario)? = try suite.plan([path]).entries.first?.content else {
      Issue.record("not a scenario")
      return
    }
    var settings = suite.settings()
    settings.inheritedEnvironment = [
      "PATH": "/bin", "LANG": "C", "LC_ALL": "C", "TZ": "UTC", "LD_LIBRARY_PATH": "/l",
      "SECRET": "s", "TOKEN": "t", "HOME": "/root", "SCENARIO_STUBS": "forged",
    ]
    settings.passedEnvironment = ["TOKEN", "MISSING"]
    settings.configuredEnvironment = ["CONFIGURED": "c"]
    let resources = try RunResources(in: suite.folder.path, appLimit: 1, seals: [])
    defer { resources.close() }
    let execution = ScenarioExecution(
      scenario: scenario, settings: settings, resources: resources, folderName: "1",
      worker: 1, cancellation: Cancellation())
    let folders = try execution.makeFolders()
    let environment = try LaunchPlanner(execution: execution, folders: folders).plan().environment
    #expect(environment["SECRET"] == nil)
    #expect(environment["TOKEN"] == "t")
    #expect(environment["CONFIGURED"] == "c")
    #expect(environment["LC_ALL"] == "C" && environment["LD_LIBRARY_PATH"] == "/l")
    #expect(environment["HOME"] == resources.folder.path + "/worker1-home")
    #expect(environment["SCENARIO_STUBS"] == "")
  }
}
