import HarnessProtocol
import RequestMatching
import ScenarioCore

/// What a scenario, or one of its cases, sent when it was run to be recorded.
package struct Recording: Sendable {
  /// Why nothing can be drafted from two runs.
  package enum Problem: Error, Sendable {
    /// They sent different requests, of which this was the first action.
    case different(action: Int)
    /// There were more requests than a trace keeps.
    case tooManyRequests
  }

  package let scenario: Scenario
  /// All of the first run.
  let requests: [RecordedRequest]
  /// Those that have to be named.
  let accounted: [AccountedRequest]
  /// The names of query parameters that vary, or whose values are secret.
  package let volatileParameters: Set<String>

  /// - Parameters:
  ///   - first: what was sent, with the scenario's own start date.
  ///   - second: what was sent by the same scenario under other circumstances.
  package init(
    _ scenario: Scenario, _ first: Trace, _ second: Trace, secrets: SecretFinder
  ) throws(Problem) {
    guard first.omittedRequests == 0, second.omittedRequests == 0 else { throw .tooManyRequests }
    self.scenario = scenario
    requests = first.requests.map(\.request)
    let accounting = Verification(scenario: scenario)
    let (ours, theirs) = (accounting.byAction(first), accounting.byAction(second))
    var outlines: [Int: [RequestOutline]] = [:]
    var names: Set<String> = []
    for action in Set(ours.keys).union(theirs.keys).sorted() {
      guard let comparison = RequestComparison(ours[action] ?? [], theirs[action] ?? []) else {
        throw .different(action: action)
      }
      names.formUnion(comparison.volatileParameters)
      outlines[action] = comparison.outlines.map { outline in
        let (redacted, secretNames) = secrets.redacted(outline)
        names.formUnion(secretNames)
        return redacted
      }
    }
    volatileParameters = names
    // In the order of the store, each action's in its own.
    var places: [Int: Int] = [:]
    accounted = requests.filter(accounting.accounts(for:)).compactMap { request in
      let key = request.action ?? Verification.noAction
      let place = places[key, default: 0]
      places[key] = place + 1
      return outlines[key].map { AccountedRequest(request: request, outline: $0[place]) }
    }
  }

  /// Whether each request says which action caused it.
  var isAttributed: Bool { requests.allSatisfy { $0.action != nil } }
}

/// A request that has to be named, with what of it can be said.
struct AccountedRequest {
  var request: RecordedRequest
  /// Without what varies and what is secret.
  var outline: RequestOutline
}

extension Verification {
  /// Stands for requests that say no action.
  fileprivate static let noAction = -1

  fileprivate func byAction(_ trace: Trace) -> [Int: [RequestOutline]] {
    Dictionary(
      grouping: trace.requests.map(\.request).filter(accounts(for:)),
      by: { $0.action ?? Self.noAction }
    ).mapValues { $0.map { RequestOutline($0) } }
  }
}
