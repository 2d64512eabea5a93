import Foundation
import HarnessProtocol
import ScenarioCore
import ScenarioRunner

/// A scenario that is run many times, by the runner and by the bare loop.
struct BenchmarkedScenario {
  let folder: String
  let app: String
  let fixtures: String
  private let scenario: Scenario
  private let text: String

  /// - Parameters:
  ///   - folder: of its own, for the copies.
  ///   - app: an absolute path.
  ///   - fixtures: the fixtures folder, an absolute path.
  init(_ text: String, app: String, fixtures: String, folder: String) throws {
    self.folder = folder
    self.app = app
    self.fixtures = fixtures
    self.text = text
    try FileManager.default.createDirectory(
      atPath: folder + "/shared", withIntermediateDirectories: true)
    let path = folder + "/one.json"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let files = LocalFiles()
    let plan = Planner(files: files, fixturesDirectory: fixtures)
      .plan(
        try Discovery(files: files).discover([ScenarioPath(path: path)]), selecting: Selection())
    guard let entry = plan.entries.first, case .scenario(let scenario) = plan.content(of: entry)
    else { throw BenchmarkFailure("The scenario of the benchmark is invalid.") }
    self.scenario = scenario
  }

  /// Writes the copies, a thousand to a folder.
  ///
  /// - Returns: the folder with all of them.
  func writeCopies(_ count: Int) throws -> String {
    let all = folder + "/copies-\(count)"
    for index in 0..<count {
      let part = all + "/\(index / 1000)"
      if index % 1000 == 0 {
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: true)
      }
      // Names of their own, as scenarios have.
      let copy = text.replacing(#""name": ""#, with: #""name": "\#(index): "#, maxReplacements: 1)
      try Data(copy.utf8).write(to: URL(filePath: "\(part)/\(index).json"))
    }
    return all
  }

  /// The runner over a path.
  func runner(_ path: String, jobs: Int) -> ChildProcess {
    ChildProcess(
      program: BenchmarkPrograms.path("scenario-run"),
      arguments: [
        "--quiet", "--jobs", "\(jobs)", "--app", app, "--fixtures", fixtures, path,
      ])
  }

  /// The same launches with nothing around them.
  func bareLoop(_ count: Int, jobs: Int, _ manner: BareLoop.Manner = .atOnce) throws -> BareLoop {
    BareLoop(
      app: ChildProcess(
        program: app, arguments: scenario.arguments, environment: environment, directory: folder),
      requests: try requests, count: count, jobs: jobs, manner: manner, folder: folder)
  }

  private var environment: [String: String] {
    var environment = ["PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder]
    for fixture in scenario.fixtures { environment[fixture.key] = fixture.file.path }
    environment.merge(scenario.environment) { _, new in new }
    environment[LaunchEnvironment.sharedDirectory] = folder + "/shared"
    environment[LaunchEnvironment.fixturesDirectory] = fixtures
    environment[LaunchEnvironment.stubs] = scenario.stubs.map(\.path).joined(separator: ":")
    environment[LaunchEnvironment.scenarioRun] = "1"
    return environment
  }

  /// What the runner writes to the app, a line each.
  var requests: [[UInt8]] {
    get throws {
      var requests = [
        RPCRequest(
          id: 0, method: LifecycleMethod.initialize.rawValue,
          params: ["protocolVersion": .integer(harnessProtocolVersion)])
      ]
      for step in scenario.steps {
        guard case .app(let action) = step.action else { continue }
        requests.append(
          RPCRequest(id: step.id, method: action.verb.rawValue, params: action.params))
      }
      requests.append(
        RPCRequest(id: scenario.steps.count + 1, method: LifecycleMethod.shutdown.rawValue))
      return requests.map { RPCLine.bytes(of: $0) }
    }
  }
}

/// The programs of this package, which are built beside this one.
enum BenchmarkPrograms {
  static func path(_ name: String) -> String {
    let own = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    return own.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
      .path(percentEncoded: false)
  }

  /// - Throws: where one is missing.
  static func check(_ names: [String]) throws {
    for name in names where access(path(name), X_OK) != 0 {
      throw BenchmarkFailure("\(path(name)) is not there: build all with swift build -c release.")
    }
  }
}

/// A folder for the files of one measurement.
enum BenchmarkFolder {
  static func use(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "scenario-benchmark-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }
}
