import Foundation
import HarnessProtocol
import SourceText
import StubMappings

extension RequestInterceptor {
  /// Builds the interceptor that the launch environment describes.
  ///
  /// - Throws: `LaunchFailure`.
  package convenience init(
    environment: [String: String], clock: VirtualClock, network: NetworkCondition,
    counter: WorkCounter, warn: @escaping @Sendable (String) -> Void
  ) throws {
    guard let folder = environment[LaunchEnvironment.sharedDirectory] else {
      throw LaunchFailure(
        "\(LaunchEnvironment.sharedDirectory) is not set: start this app through scenario-run")
    }
    let fixtures = FixtureFolder(path: environment[LaunchEnvironment.fixturesDirectory])
    let names = (environment[LaunchEnvironment.stubs] ?? "").split(separator: ":").map(String.init)
    self.init(
      store: try StoreWriter(
        folder: folder, processID: ProcessInfo.processInfo.processIdentifier),
      stubs: StubReplay(try Self.stubs(names, in: fixtures)), fixtures: fixtures, clock: clock,
      network: network, counter: counter, schedule: try Self.schedule(environment), warn: warn)
  }

  private static func schedule(_ environment: [String: String]) throws -> Schedule? {
    try environment[LaunchEnvironment.schedule].map { try Schedule($0) }
  }

  private static func stubs(_ names: [String], in fixtures: FixtureFolder) throws -> StubSet {
    var stubs = StubSet()
    let diagnostics = DiagnosticCollector()
    for name in names {
      let file = StubFile(path: name) { try fixtures.withContents(of: name, $0) }
      try stubs.add(file, bodyFiles: fixtures, diagnostics)
    }
    if diagnostics.hasErrors {
      // The runner has checked them before: this is for an app that is started without it.
      let faults = diagnostics.diagnostics.map {
        "\($0.location?.description ?? $0.path): \($0.severity): \($0.message)"
      }
      throw LaunchFailure(faults.joined(separator: "\n"))
    }
    return stubs
  }
}

extension FixtureFolder: BodyFiles {
  package func problem(withBodyFile name: String) -> (message: String, suggestions: [String])? {
    do throws(FixtureError) {
      try check(name)
      return nil
    } catch {
      return (error.description, [])
    }
  }
}

/// Why an app can't be launched under the kit.
struct LaunchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
