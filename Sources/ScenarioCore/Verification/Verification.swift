import HarnessWire
import RequestMatching
import SourceText

/// Judges the requests of one scenario, one after the other; keeps what findings need, no more.
///
/// Each expectation counts every request that matches it. A request is *named* when `expected`, an
/// `expectRequests`, or a `sends` of the action that caused it matches it. One that is not named and that no
/// stub answered is unexpected. One that an action with `sends` caused, that this does not list and
/// that no stub answered, offends that `sends`, whatever else names it.
///
/// A request that says no action counts for `expected`. Whether a `sends` or an `expectRequests` is met
/// can't be told with such requests around, unless they make no difference: the scenario is errored.
package struct Verification: Sendable {
  let scenario: Scenario
  let volatile: VolatileParameters
  private let patterns: PatternSet
  private let strayDetails: [String]
  /// By action: the `sends` checks that it is under.
  private let checksOfAction: [[Int]]
  private let steps: [StepReference]

  let checks: [SendsCheck]
  private(set) var ledgers: [Ledger]
  private(set) var strays: [StrayRequest] = []
  private var strayIndex: [StrayKey: Int] = [:]
  /// Stray requests beyond `unexpectedRequestLimit`, those that would be reported.
  private(set) var furtherStrays = 0
  private(set) var furtherSightings: [RequestSighting] = []
  /// Requests that say no action and that no stub answered.
  private(set) var unattributedRequests = 0
  private(set) var recordedRequests = 0

  package init(scenario: Scenario) {
    self.scenario = scenario
    volatile = VolatileParameters(scenario.volatileParameters)
    steps = scenario.steps.map(StepReference.init)
    (checks, ledgers) = Self.ledgers(of: scenario)
    patterns = PatternSet(ledgers.map(\.expectation.pattern), ignoring: volatile)
    strayDetails = Self.details(ledgers.map(\.expectation.pattern))
    var checksOfAction = Array(repeating: [Int](), count: scenario.steps.count + 2)
    for (index, check) in checks.enumerated() {
      for action in check.actions where checksOfAction.indices.contains(action) {
        checksOfAction[action].append(index)
      }
    }
    self.checksOfAction = checksOfAction
  }

  package mutating func observe(_ request: RecordedRequest) {
    var request = request
    request.url.makeContiguousUTF8()
    let url = Array(request.url.utf8)
    url.withUnsafeBufferPointer { bytes in
      observe(url: bytes, action: request.action, isStubbed: request.isStubbed) { request }
    }
  }

  /// The same without decoding what nobody looks at.
  package mutating func observe(_ line: RecordedRequestLine) {
    line.withURLBytes { bytes in
      observe(url: bytes, action: line.action, isStubbed: line.isStubbed) { line.request }
    }
  }

  private mutating func observe(
    url: UnsafeBufferPointer<UInt8>, action: Int?, isStubbed: Bool,
    request: () -> RecordedRequest
  ) {
    recordedRequests += 1
    if action == nil, !isStubbed { unattributedRequests += 1 }
    var isNamed = false
    var listed: [Int] = []
    var ledgers = self.ledgers
    self.ledgers = []
    let matchable = { MatchableRequest(request()) }
    patterns.forEachMatch(url: url, request: matchable) { index, expense in
      if let expense {
        ledgers[index].expense = ledgers[index].expense ?? expense
        return
      }
      if ledgers[index].names(action) { isNamed = true }
      if ledgers[index].take(action, sighting: { sighting(request()) }),
        let check = ledgers[index].check
      {
        listed.append(check)
      }
    }
    self.ledgers = ledgers
    let under = action.flatMap { checksOfAction.indices.contains($0) ? checksOfAction[$0] : nil }
    let offended = isStubbed ? [] : (under ?? []).filter { !listed.contains($0) }
    if !isNamed || !offended.isEmpty {
      addStray(request(), offended, isUnnamed: !isNamed, isStubbed: isStubbed)
    }
  }

  private mutating func addStray(
    _ request: RecordedRequest, _ offended: [Int], isUnnamed: Bool, isStubbed: Bool
  ) {
    let url = volatile.removed(from: RequestURL(request.url)).bytes
    let key = StrayKey(request, url: url, details: strayDetails)
    if let index = strayIndex[key] {
      strays[index].count += 1
      if strays[index].sightings.count < sightingLimit {
        strays[index].sightings.append(sighting(request))
      }
      return
    }
    var stray = StrayRequest(
      request: request, offended: offended, isUnnamed: isUnnamed, isStubbed: isStubbed)
    guard strays.count < unexpectedRequestLimit else {
      if isReportable(stray) {
        furtherStrays += 1
        if furtherSightings.count < sightingLimit { furtherSightings.append(sighting(request)) }
      }
      return
    }
    stray.count = 1
    stray.sightings = [sighting(request)]
    strayIndex[key] = strays.count
    strays.append(stray)
  }

  /// Whether a stray request is a finding where nothing else explains it.
  func isReportable(_ stray: StrayRequest) -> Bool {
    !stray.offended.isEmpty
      || (stray.isUnnamed && !stray.isStubbed && scenario.unexpected == .fail)
  }

  private func sighting(_ request: RecordedRequest) -> RequestSighting {
    RequestSighting(
      method: request.method, url: request.url, time: request.time, clock: request.clock,
      cause: request.action.map(cause), answer: request.answer, end: request.end)
  }

  private func cause(_ action: Int) -> RequestCause {
    if action == 0 { return .launch }
    return action <= steps.count ? .step(steps[action - 1]) : .shutdown
  }
}

extension Ledger {
  /// Whether a matching request is named by this, so that it is not unexpected.
  fileprivate func names(_ action: Int?) -> Bool {
    guard check != nil else { return true }
    return action.map(actions.contains) ?? true
  }

  /// Counts a matching request.
  ///
  /// - Returns: whether it is one of those that count.
  fileprivate mutating func take(_ action: Int?, sighting: () -> RequestSighting) -> Bool {
    guard dependsOnAction else {
      count += 1
      if matched.count < sightingLimit { matched.append(sighting()) }
      return true
    }
    guard let action else {
      unattributedCount += 1
      return true
    }
    guard actions.contains(action) else {
      if elsewhere.count < sightingLimit { elsewhere.append(sighting()) }
      return false
    }
    count += 1
    if matched.count < sightingLimit { matched.append(sighting()) }
    return true
  }
}

extension MatchableRequest {
  convenience init(_ request: RecordedRequest) {
    self.init(
      method: request.method, url: request.url, headers: request.headers, body: request.body)
  }
}
