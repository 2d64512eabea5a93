import HarnessProtocol
import RequestMatching
import ScenarioCore
import SourceText

/// How much a scenario notices of what could be sent otherwise.
package struct ScenarioAudit: Sendable {
  /// A change that the scenario doesn't notice.
  package struct Survivor: Sendable {
    /// Of the table, where the scenario has one.
    package var caseName: String?
    package var kind: SentChange.Kind
    package var request: RecordedRequest
    /// The event that was changed, by name.
    package var event: String?
    /// The expectation that the request meets; where it meets none, the action that sent it.
    package var location: SourceLocation
    /// Whether `location` is that of an expectation.
    package var isExpected: Bool
    package var cause: RequestCause?
  }

  /// How many changes were judged.
  package private(set) var changeCount = 0
  package private(set) var survivors: [Survivor] = []
  /// Requests that nothing in the scenario asks about: their host isn't tracked and no expectation names
  /// them.
  package private(set) var unasked: [RecordedRequest] = []

  /// - Parameter trace: of a run of the scenario that passed, with the requests.
  /// - Returns: `nil` where what was sent doesn't pass when it is judged again.
  package init?(_ scenario: Scenario, _ trace: Trace, _ stubs: AuditedStubs) {
    let requests = trace.requests
    let verification = Verification(scenario: scenario, times: ActionTimes(trace, of: scenario))
    let judge = Judge(verification: verification, requests: requests)
    guard judge.passes else { return nil }
    let expectations = Expectations(scenario)
    var history = verification
    for (index, traced) in requests.enumerated() {
      let events = history.observe(traced.request, events: traced.events)
      let isNamed = expectations.met(by: traced) != nil
      guard isNamed || !traced.events.isEmpty || verification.accounts(for: traced.request) else {
        unasked.append(traced.request)
        continue
      }
      let other = traced.request.action.flatMap { trace.neighbor(of: $0) }
      let changes = SentChange.all(
        of: traced, events, isNamed: isNamed, otherAction: other, ignoring: expectations.volatile,
        decoders: scenario.decoders)
      for change in changes {
        var sent = change.replacement
        var isSameAnswer = true
        for place in sent.indices {
          let answered = stubs.answered(
            sent[place].request, inPlaceOf: traced.request, of: scenario)
          sent[place].request = answered.request
          isSameAnswer = isSameAnswer && answered.isSame
        }
        let isUnnoticed = judge.passes(index, sent, change)
        // Whether what is on screen would tell, only a run could say.
        if isUnnoticed, !isSameAnswer { continue }
        changeCount += 1
        guard isUnnoticed else { continue }
        survivors.append(Self.survivor(change, traced, expectations, trace, scenario))
      }
    }
  }

  private static func survivor(
    _ change: SentChange, _ traced: TracedRequest, _ expectations: Expectations, _ trace: Trace,
    _ scenario: Scenario
  ) -> Survivor {
    let met = expectations.met(by: traced, change.event)
    let cause = trace.actions.first { $0.id == traced.request.action }?.cause
    return Survivor(
      caseName: scenario.reference.caseName, kind: change.kind, request: traced.request,
      event: change.event?.name,
      location: met?.location ?? cause?.step?.location ?? scenario.location,
      isExpected: met != nil, cause: cause)
  }
}

/// Judges what was sent with a part of it replaced.
private struct Judge {
  let verification: Verification
  let requests: [TracedRequest]

  var passes: Bool { passes(requests.endIndex, [], nil) }

  /// - Parameters:
  ///   - index: of the request that is replaced.
  ///   - change: what is done to its events where they are sent again.
  func passes(_ index: Int, _ replacement: [TracedRequest], _ change: SentChange?) -> Bool {
    let sent = requests.enumerated().map { place, traced -> [TracedRequest] in
      if place == index { return replacement }
      return place < index ? [traced] : (change?.applied(to: traced)).map { [$0] } ?? []
    }
    var verification = verification
    for (place, requests) in sent.enumerated() {
      // Of the requests that were sent before it ended, others may be there now.
      let behind = sent.dropFirst(place + 1)
      for var request in requests {
        request.request.overlap = behind.prefix(request.request.overlap).reduce(0) { $0 + $1.count }
        verification.observe(request.request, events: request.events)
      }
    }
    return verification.outcome(completedSteps: .all).findings.isEmpty
  }
}

/// What a scenario asks for, and of whom.
private struct Expectations {
  let all: [(expectation: Expectation, actions: Range<Int>)]
  let volatile: VolatileParameters

  init(_ scenario: Scenario) {
    all = Verification.expectations(of: scenario).filter { $0.expectation.count.least > 0 }
    volatile = VolatileParameters(scenario.volatileParameters)
  }

  /// The first that a request, or this event in it, meets.
  func met(by traced: TracedRequest, _ event: AnalyticsEvent? = nil) -> Expectation? {
    let request = MatchableRequest(traced.request)
    return all.first { expectation, actions in
      // An event may have been tracked by another action than the one that sent it.
      if let event { return (try? expectation.pattern.event?.matches(event)) == true }
      guard traced.request.action.map(actions.contains) ?? true else { return false }
      return (try? expectation.pattern.matches(request, ignoring: volatile)) == true
    }?.expectation
  }
}

extension Trace {
  /// The action after another one, or before it where it is the last that a person does.
  fileprivate func neighbor(of action: Int) -> Int? {
    guard let place = actions.firstIndex(where: { $0.id == action }) else { return nil }
    let next = place + 1
    if actions.indices.contains(next), actions[next].cause.step != nil { return actions[next].id }
    return place > 0 ? actions[place - 1].id : nil
  }
}
