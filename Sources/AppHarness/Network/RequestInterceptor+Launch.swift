import Foundation
import HarnessWire
import RequestStore
import SourceText
import StubMappings

extension RequestInterceptor {
  /// Builds the interceptor that the launch environment describes.
  ///
  /// - Throws: `LaunchFailure`.
  convenience init(
    environment: [String: String], clock: VirtualClock, network: NetworkCondition,
    counter: WorkCounter
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
      stubs: StubSet(try names.map { try Self.stubs($0, in: fixtures) }), fixtures: fixtures,
      clock: clock, network: network, counter: counter)
  }

  private static func stubs(_ name: String, in fixtures: FixtureFolder) throws -> StubFile {
    let file = SourceFile(path: name, bytes: Array(try fixtures.contents(of: name)))
    let (stubs, diagnostics) = StubFile.decode(file)
    guard let stubs else { throw LaunchFailure(DiagnosticRenderer().render(diagnostics)) }
    return stubs
  }
}

/// Why an app can't be launched under the kit.
struct LaunchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
