import HarnessProtocol
import RequestMatching
import ScenarioCore
import SourceText
import StubMappings
import Synchronization

/// Finds the stub that a request without an answer came nearest to; the stubs are read when somebody asks
/// for the first time.
final class StubSearch: Sendable {
  private enum Stubs {
    case unread
    /// `nil`: there are none, or they can't be read any more.
    case read(NearestStubSearch?)
  }

  private struct State {
    var stubs = Stubs.unread
    /// By what decides about it, as a line.
    var found: [[UInt8]: NearestStub?] = [:]
  }

  /// For so many different requests of a scenario it is looked up.
  private static let requestLimit = 200

  private let names: [String]
  private let fixtures: FixturesFolder
  private let state = Mutex(State())

  init(_ scenario: Scenario, _ settings: RunSettings) {
    names = scenario.stubs.map(\.path)
    fixtures = FixturesFolder(path: settings.fixturesDirectory, files: settings.files)
  }

  /// - Returns: `nil` where nothing is near.
  @Sendable func nearest(to request: RecordedRequest) -> NearestStub? {
    guard !names.isEmpty else { return nil }
    let key = RecordedRequest(
      url: request.url, method: request.method, headers: request.headers, body: request.body
    ).line
    return state.withLock { state in
      if let known = state.found[key] { return known }
      guard state.found.count < Self.requestLimit else { return nil }
      if case .unread = state.stubs { state.stubs = .read(search()) }
      guard case .read(let search?) = state.stubs else { return nil }
      let nearest = search.nearest(to: MatchableRequest(request))
      state.found[key] = .some(nearest)
      return nearest
    }
  }

  private func search() -> NearestStubSearch? {
    let diagnostics = DiagnosticCollector()
    var stubs = StubSet()
    for name in names {
      let path = FilePath.join(fixtures.path, name)
      let file = StubFile(path: name) { [fixtures] body in
        try fixtures.files.withBytes(ofFile: path, limitBytes: FileLimits.fixtureBytes, body)
      }
      // Checked before the launch: one that is gone has nothing near.
      try? stubs.add(file, diagnostics)
    }
    return NearestStubSearch(stubs)
  }
}
