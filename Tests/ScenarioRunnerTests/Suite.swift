import Foundation
import ScenarioCore
import Synchronization
import TestSupport

@testable import ScenarioRunner

/// Runs scenarios against the built `faulty-app`, as the command would.
final class Suite: Sendable {
  let folder: TemporaryFolder
  private let log = Mutex<[RunEvent]>([])

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Where the package's executables are built.
  static var productsFolder: String {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      return (bundle?.bundlePath as NSString? ?? "").deletingLastPathComponent
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    #endif
  }

  var events: [RunEvent] { log.withLock { $0 } }

  /// A scenario that taps once, with the app's arguments.
  func scenario(
    _ arguments: [String], actions: String = #"[{"tap": "button"}]"#, expected: String = "[]",
    more: String = ""
  ) throws -> String {
    let words = (["faulty-app"] + arguments).map { "\"\($0)\"" }.joined(separator: ", ")
    return try folder.write(
      #"{"app": [\#(words)], "actions": \#(actions), "expected": \#(expected)\#(more)}"#,
      to: "scenario-\(arguments.joined(separator: "-")).json")
  }

  func run(
    _ paths: [String], jobs: Int = 2, timeout: Duration = .seconds(600), retries: Int = 0,
    maximumFailures: Int? = nil, keepFolder: String? = nil,
    cancellation: Cancellation? = nil, network: NetworkAccess = .sealed(ignoredHosts: []),
    seals: Set<NetworkSeal> = Set(NetworkSeal.allCases)
  ) throws -> [ScenarioResult] {
    let plan = try plan(paths)
    let settings = settings(timeout: timeout, network: network, keepFolder: keepFolder)
    let header = RunHeader(
      version: "0", startedAt: Date(), scenarioCount: plan.entries.count, jobs: jobs)
    try Scheduler(
      limit: jobs, temporaryDirectory: folder.path, seals: network == .open ? [] : seals
    )
    .run(
      SuiteRun(
        plan: GrowingPlan(plan), settings: settings, jobLimit: jobs, retries: retries),
      header: header,
      failureLimit: ScenarioJob.FailureLimit(count: maximumFailures),
      cancellation: cancellation ?? Cancellation(),
      happened: { event in self.log.withLock { $0.append(event) } })
    var result = RunResult()
    for event in events { result.apply(event) }
    return Array(result.results)
  }

  func plan(_ paths: [String]) throws -> Plan {
    let files = LocalFiles()
    let discovered = try Discovery(files: files).discover(
      paths.map { ScenarioPath($0, among: files) })
    return Planner(files: files, fixturesDirectory: folder.path)
      .plan(discovered, selecting: Selection())
  }

  func settings(
    timeout: Duration = .seconds(600), network: NetworkAccess = .sealed(ignoredHosts: []),
    keepFolder: String? = nil
  ) -> RunSettings {
    var settings = RunSettings(
      app: nil,
      locator: AppLocator(
        executableFolder: Self.productsFolder, searchPath: "/usr/bin:/bin", baseFolder: folder.path),
      fixturesDirectory: folder.path, workingDirectory: folder.path,
      inheritedEnvironment: ["PATH": "/usr/bin:/bin"])
    settings.network = network
    settings.forcedTimeout = timeout
    settings.gracePeriod = .milliseconds(200)
    settings.keepFolder = keepFolder
    return settings
  }

  /// The result of one scenario whose app has a fault.
  func result(
    _ fault: String, at moment: String = "tap", timeout: Duration = .seconds(600),
    expected: String = "[]"
  ) throws -> ScenarioResult {
    let path = try scenario([fault, moment], expected: expected)
    let results = try run([path], timeout: timeout)
    guard let result = results.first, results.count == 1 else {
      throw UnexpectedResults(count: results.count)
    }
    return result
  }

  struct UnexpectedResults: Error {
    var count: Int
  }
}

extension ScenarioResult {
  var runErrors: [RunError] {
    findings.compactMap { finding in
      if case .runError(let error) = finding { error } else { nil }
    }
  }
}
