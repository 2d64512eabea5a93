import HarnessProtocol
import RequestMatching
import ScenarioCore
import SourceText
import StubMappings

/// The stubs of audited scenarios: what would have answered a request that is otherwise.
package final class AuditedStubs {
  let contents: (_ name: String) -> [UInt8]?
  private var sets: [[String]: StubSet] = [:]

  /// - Parameter contents: the bytes of a file under the fixtures folder.
  package init(_ contents: @escaping (_ name: String) -> [UInt8]?) { self.contents = contents }

  func set(_ files: [String]) -> StubSet {
    if let set = sets[files] { return set }
    var set = StubSet()
    for file in files {
      guard let bytes = contents(file) else { continue }
      set.add(SourceFile(path: file, bytes: bytes), DiagnosticCollector())
    }
    sets[files] = set
    return set
  }

  /// A changed request with the answer that it gets, and whether that is the same answer as before: with
  /// another one the app would go on otherwise.
  func answered(
    _ changed: RecordedRequest, inPlaceOf request: RecordedRequest, of scenario: Scenario
  ) -> (request: RecordedRequest, isSame: Bool) {
    guard request.answer == .stub || request.answer == .fault, !scenario.stubs.isEmpty else {
      return (changed, true)
    }
    let set = set(scenario.stubs.map(\.path))
    let response = Self.response(changed, set)
    var changed = changed
    if response == nil { changed.answer = .default }
    return (changed, response == Self.response(request, set))
  }

  /// By the patterns alone: what was answered before doesn't matter.
  private static func response(_ request: RecordedRequest, _ set: StubSet) -> StubResponse? {
    let stubs = set.stubs.map { stub in
      var stub = stub
      stub.state = nil
      return stub
    }
    let replay = StubReplay(StubSet(stubs: stubs, captures: set.captures))
    return (try? replay.answer(to: MatchableRequest(request))) ?? nil
  }
}
