import Foundation
import HarnessProtocol
import Synchronization

/// A scenario that is run many times, by the runner and by a bare loop.
struct SampleScenario: Sendable {
  var app: String
  /// Its name comes first.
  private var text: String
  /// What the runner writes to the app.
  private var dialogue: String
  private var environment: [String: String] = [:]

  static let all = [trivial, demo]

  /// An app in C that does no more than it must.
  static let trivial = SampleScenario(
    app: "trivial-app",
    text: """
      { "name": "A tap on the button sends its URL once",
        "actions": [{ "tap": "cartButton", "sends": [{ "url": "\(url)", "count": 1 }] }],
        "expected": [{ "url": "\(url)", "count": 1 }] }
      """,
    dialogue: """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}
      {"jsonrpc":"2.0","id":1,"method":"tap","params":{"element":"cartButton"}}
      {"jsonrpc":"2.0","id":2,"method":"shutdown"}

      """)

  /// The example app.
  static let demo = SampleScenario(
    app: "demo-app",
    text: """
      { "name": "Cart tap on an ad item sends its click URL once",
        "fixtures": { "FakeSearchResultResponse": "ModuleA.json" },
        "actions": [
          { "tap": "\(button)", "sends": [{ "url": "\(url)", "count": 1 }] },
          { "waitForExistence": "cartToast", "timeout": 2 }
        ],
        "expected": [
          { "url": "\(url)", "count": 1 },
          { "url": "https://ad.example.com/impression?ad=A-1", "count": 1 }
        ] }
      """,
    dialogue: """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}
      {"jsonrpc":"2.0","id":1,"method":"tap","params":{"element":"\(button)"}}
      {"jsonrpc":"2.0","id":2,"method":"waitForExistence","params":{"element":"cartToast","timeout":2}}
      {"jsonrpc":"2.0","id":3,"method":"shutdown"}

      """,
    environment: ["FakeSearchResultResponse": "ModuleA.json"])

  private static let url = "https://ad.example.com/click?ad=A-1&area=cart"
  private static let button = "SearchResultViewController/MyItemCell[0]/cartButton"
  /// Of the package, in which the benchmark is started.
  private static let fixtures = FileManager.default.currentDirectoryPath + "/Fixtures"
  private static let processors = ProcessInfo.processInfo.activeProcessorCount

  /// The runner over copies with names of their own, a thousand to a folder.
  func runner(copies: Int, jobs: Int = processors, in folder: String) throws -> ChildProcess {
    for index in 0..<copies {
      let part = "\(folder)/Scenarios/\(index / 1000)"
      if index % 1000 == 0 {
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
      }
      let copy = text.replacing(#""name": ""#, with: #""name": "\#(index): "#, maxReplacements: 1)
      try Data(copy.utf8).write(to: URL(filePath: "\(part)/\(index).json"))
    }
    return try ChildProcess(
      "scenario-run",
      [
        "--quiet", "--jobs", "\(jobs)", "--app", try ChildProcess.path(of: app), "--fixtures",
        Self.fixtures, folder + "/Scenarios",
      ])
  }

  /// The floor of a runner: nothing but starting the same app as often, with the same bytes on its stdin, by as many
  /// threads. It looks at nothing but the exit codes.
  ///
  /// - Returns: seconds.
  func bareLoop(_ count: Int, in folder: String) throws -> Double {
    var child = try ChildProcess(app, [])
    child.input = folder + "/dialogue"
    try Data(dialogue.utf8).write(to: URL(filePath: child.input))
    child.environment = environment.merging([
      "PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder,
      LaunchEnvironment.sharedDirectory: folder, LaunchEnvironment.scenarioRun: "1",
      LaunchEnvironment.fixturesDirectory: Self.fixtures,
    ]) { own, _ in own }
    let launch = child
    let failures = Atomic(0)
    let seconds = Measurement.seconds {
      // As many threads as there are processors.
      DispatchQueue.concurrentPerform(iterations: count) { _ in
        if (try? launch.run()) == nil { failures.wrappingAdd(1, ordering: .relaxed) }
      }
    }
    guard failures.load(ordering: .relaxed) == 0 else {
      throw BenchmarkFailure("\(app) failed in the bare loop.")
    }
    return seconds
  }
}
