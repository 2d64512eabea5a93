import HarnessProtocol
import JSON
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
  /// What decoders found in requests; no expectation names these requests.
  let events: [RecordedEvent]
  /// The names of query parameters that vary, or whose values are secret.
  package let volatileParameters: Set<String>
  /// The names of headers that vary, in small letters.
  let volatileHeaders: Set<String>
  private let secrets: SecretFinder

  /// - Parameters:
  ///   - first: what was sent, with the scenario's own start date.
  ///   - second: what was sent by the same scenario under other circumstances.
  package init(
    _ scenario: Scenario, _ first: Trace, _ second: Trace, secrets: SecretFinder
  ) throws(Problem) {
    guard first.omittedRequests == 0, second.omittedRequests == 0 else { throw .tooManyRequests }
    self.scenario = scenario
    self.secrets = secrets
    volatileHeaders = first.headers.differingNames(from: second.headers)
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
    events = try Self.events(scenario, first, second, secrets)
    // In the order of the store, each action's in its own.
    var places: [Int: Int] = [:]
    let plain = first.requests.filter(\.events.isEmpty).map(\.request)
    accounted = plain.filter(accounting.accounts(for:)).compactMap { request in
      let key = request.action ?? Verification.noAction
      let place = places[key, default: 0]
      places[key] = place + 1
      return outlines[key].map { AccountedRequest(request: request, outline: $0[place]) }
    }
  }

  /// Whether each request, and each event, says which action caused it.
  var isAttributed: Bool {
    requests.allSatisfy { $0.action != nil }
      && events.allSatisfy { $0.action != nil }
  }

  /// What matches the headers of a request, by their names in small letters; of a secret it says only that it
  /// is there.
  ///
  /// - Parameter volatile: the names of those that it leaves out.
  func headers(of request: RecordedRequest, ignoring volatile: Set<String>) -> JSONObject {
    let headers = request.headers.map { (name: $0.key.lowercased(), value: $0.value) }
      .filter { !volatile.contains($0.name) }.sorted { $0.name < $1.name }
    return JSONObject(
      headers.map { name, value in
        let isSecret = secrets.isSecret(name: name) || secrets.isSecret(value: value)
        return .init(
          RequestOutline.escaped(name),
          isSecret ? ["matches": ".+"] : ["equalTo": .string(RequestOutline.escaped(value))])
      })
  }

  private static func events(
    _ scenario: Scenario, _ first: Trace, _ second: Trace, _ secrets: SecretFinder
  ) throws(Problem) -> [RecordedEvent] {
    func outline(_ tracked: TracedEvent) -> EventOutline {
      EventOutline(tracked.event, scenario.layout(of: tracked.event)) { name, value in
        !secrets.isSecret(name: name) && !secrets.isSecret(value: value.string ?? "")
      }
    }
    let (ours, theirs) = (
      Verification.events(of: scenario, in: first), Verification.events(of: scenario, in: second)
    )
    let key = { (tracked: TracedEvent) in tracked.action ?? Verification.noAction }
    let (byAction, others) = (
      Dictionary(grouping: ours, by: key), Dictionary(grouping: theirs, by: key)
    )
    var events: [RecordedEvent] = []
    for action in Set(byAction.keys).union(others.keys).sorted() {
      let own = byAction[action] ?? []
      guard
        let outlines = EventOutline.common(own.map(outline), (others[action] ?? []).map(outline))
      else { throw .different(action: action) }
      events += zip(own, outlines).map { RecordedEvent($0, $1) }
    }
    return events
  }
}

/// An event with what of it can be said.
struct RecordedEvent: Sendable {
  let event: AnalyticsEvent
  /// The id of the action that tracked it.
  let action: Int?
  /// Without what varies and what is secret.
  let outline: EventOutline

  init(_ tracked: TracedEvent, _ outline: EventOutline) {
    (event, action) = (tracked.event, tracked.action)
    self.outline = outline
  }
}

/// A request that has to be named, with what of it can be said.
struct AccountedRequest {
  var request: RecordedRequest
  /// Without what varies and what is secret.
  var outline: RequestOutline
}

extension Trace {
  /// The values of the headers of all requests, sorted, by the names in small letters.
  fileprivate var headers: [String: [String]] {
    let headers = requests.flatMap { $0.request.headers.map { ($0.key.lowercased(), [$0.value]) } }
    return Dictionary(headers, uniquingKeysWith: +).mapValues { $0.sorted() }
  }
}

extension [String: [String]] {
  fileprivate func differingNames(from other: Self) -> Set<String> {
    Set(keys).union(other.keys).filter { self[$0] != other[$0] }
  }
}

extension Verification {
  /// Stands for requests that say no action.
  fileprivate static let noAction = -1

  fileprivate func byAction(_ trace: Trace) -> [Int: [RequestOutline]] {
    Dictionary(
      grouping: trace.requests.filter(\.events.isEmpty).map(\.request).filter(accounts(for:)),
      by: { $0.action ?? Self.noAction }
    ).mapValues { $0.map { RequestOutline($0) } }
  }
}
