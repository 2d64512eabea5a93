import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore

/// What a scenario, or one of its cases, sent when it was run to be recorded.
package struct Recording: Sendable {
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
  /// - Returns: `nil` where both sent something else, or more requests than a trace keeps.
  package init?(
    _ scenario: Scenario, _ first: Trace, _ second: Trace, secrets: SecretFinder
  ) {
    guard first.omittedRequests == 0, second.omittedRequests == 0 else { return nil }
    self.scenario = scenario
    self.secrets = secrets
    volatileHeaders = first.headers.differingNames(from: second.headers)
    requests = first.requests.map(\.request)
    let verification = Verification(scenario: scenario)
    let plain = verification.accounted(in: first)
    var names: Set<String> = []
    let found = Self.common(plain, verification.accounted(in: second), by: \.action) {
      let comparison = RequestComparison(
        $0.map { RequestOutline($0) }, $1.map { RequestOutline($0) })
      names.formUnion(comparison?.volatileParameters ?? [])
      return comparison?.outlines.map { outline in
        let (redacted, secretNames) = secrets.redacted(outline)
        names.formUnion(secretNames)
        return redacted
      }
    }
    guard var outlines = found, let events = Self.events(scenario, first, second, secrets) else {
      return nil
    }
    self.events = events
    volatileParameters = names
    accounted = plain.compactMap { request in
      outlines[request.action]?.popFirst().map { AccountedRequest(request: request, outline: $0) }
    }
  }

  /// What two runs have in common, action by action.
  ///
  /// - Parameter common: the outlines of the first run's items of one action, without what differs in the
  ///   second's; `nil` where the runs did something else.
  private static func common<Item, Outline>(
    _ first: [Item], _ second: [Item], by action: (Item) -> Int?,
    _ common: ([Item], [Item]) -> [Outline]?
  ) -> [Int?: ArraySlice<Outline>]? {
    let (ours, theirs) = (
      Dictionary(grouping: first, by: action), Dictionary(grouping: second, by: action)
    )
    var outlines: [Int?: ArraySlice<Outline>] = [:]
    for action in Set(ours.keys).union(theirs.keys) {
      guard let found = common(ours[action] ?? [], theirs[action] ?? []) else { return nil }
      outlines[action] = found[...]
    }
    return outlines
  }

  /// Whether each request, and each event, says which action caused it.
  var isAttributed: Bool {
    requests.allSatisfy { $0.action != nil } && events.allSatisfy { $0.action != nil }
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
  ) -> [RecordedEvent]? {
    func outline(_ tracked: TracedEvent) -> EventOutline {
      EventOutline(tracked.event, scenario.layout(of: tracked.event)) { name, value in
        !secrets.isSecret(name: name) && !secrets.isSecret(value: value.string ?? "")
      }
    }
    let ours = Verification.events(of: scenario, in: first)
    let theirs = Verification.events(of: scenario, in: second)
    let found = common(ours, theirs, by: \.action) {
      EventOutline.common($0.map(outline), $1.map(outline))
    }
    guard var outlines = found else { return nil }
    let events = ours.compactMap { tracked in
      outlines[tracked.action]?.popFirst().map { RecordedEvent(tracked, $0) }
    }
    // Those of one action together, whichever requests carried them.
    return Dictionary(grouping: events) { $0.action ?? -1 }.sorted { $0.key < $1.key }
      .flatMap(\.value)
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
  /// The requests of a run that have to be named, in the order of the store.
  func accounted(in trace: Trace) -> [RecordedRequest] {
    trace.requests.filter(\.events.isEmpty).map(\.request).filter(accounts(for:))
  }
}
