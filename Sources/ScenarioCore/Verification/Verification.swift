import HarnessProtocol
import RequestMatching
import SourceText

/// Judges the requests of one scenario, one after the other; keeps what findings need, no more.
///
/// Each expectation counts every request that matches it. A request is *named* when `expected`, a `sends`
/// of the action that caused it, or a later `expectRequests` that expects at least one matches it. It is
/// *accounted* when no stub answered it, when a decoder looks at it, or when its host is tracked. An accounted request that is not
/// named is unexpected. One that an action with `sends` caused and that this does not list offends that
/// `sends`, whatever else names it.
///
/// A request that says no action counts for `expected`. Whether a `sends` or an `expectRequests` is met, or
/// names it, can't be told then, unless it makes no difference: the scenario is errored.
package struct Verification: Sendable {
  let scenario: Scenario
  /// Whether answers fail on purpose: then only what arrives is judged.
  let isDisturbed: Bool
  /// Whether what arrives is counted, which an event does once.
  let countsArrivals: Bool
  /// `nil` where no schedule decided what came when.
  let disturbance: Disturbance?
  let volatile: VolatileParameters
  let trackedHosts: TrackedHosts
  private let patterns: PatternSet
  /// Which requests the decoders look at.
  let decoderPatterns: PatternSet
  /// By the name of an event: what the paths of those that speak of it have met.
  private(set) var pathOccurrences: [String: PathOccurrences] = [:]
  /// When the actions ran; `nil` where the app doesn't tell.
  let times: ActionTimes?
  var history = EventHistory()
  /// Which expectations refer to which.
  let relations: RelationTable
  var relationHistory = RelationHistory()
  /// What is wrong with what was sent, whatever was expected.
  var flaws: FlawTally
  /// By name: what each decoder found.
  package internal(set) var decoderUse: [String: DecoderUse] = [:]
  /// By action: the `sends` checks that it is under.
  private let checksOfAction: [[Int]]
  private let steps: [StepReference]

  let checks: [SendsCheck]
  var tallies: [Tally]
  var strays: StrayRequests
  /// Requests that say no action.
  private(set) var unattributedRequests = 0
  /// Those of them that are accounted.
  private(set) var unattributedAccountedRequests = 0
  /// Whether one of them is named by an expectation only if it came from the right action.
  private(set) var hasDoubtfulNaming = false
  private(set) var recordedRequests = 0
  /// Asked again and again: whether to stop, because it takes too long or nobody waits any more.
  package var shouldStop: (@Sendable () -> Bool)? {
    didSet { stop = shouldStop.map(MatchingStop.init) }
  }
  private(set) var stop: MatchingStop?
  /// Whether it did: then nothing can be said.
  var hasStopped = false
  /// Finds the stub that a request without an answer came nearest to.
  private let stubs: @Sendable (RecordedRequest) -> NearestStub?

  /// - Parameters:
  ///   - times: when the actions ran; `nil` where the app doesn't tell.
  ///   - isDisturbed: whether answers fail on purpose: then only what arrives is judged.
  ///   - taken: how answers were delivered, where a schedule decided that.
  ///   - stubs: finds the stub that a request without an answer came nearest to.
  package init(
    scenario: Scenario, times: ActionTimes? = nil, isDisturbed: Bool = false,
    taken: TakenSchedule? = nil,
    stubs: @escaping @Sendable (RecordedRequest) -> NearestStub? = { _ in nil }
  ) {
    self.scenario = scenario
    self.isDisturbed = isDisturbed
    disturbance = taken.map { Disturbance($0, of: scenario) }
    self.stubs = stubs
    self.times = times
    flaws = FlawTally(scenario)
    decoderPatterns = PatternSet(scenario.decoders.map(\.request), ignoring: .none)
    volatile = VolatileParameters(scenario.volatileParameters)
    trackedHosts = TrackedHosts(scenario.tracking)
    steps = scenario.steps.map(StepReference.init)
    (checks, tallies) = Self.tallies(of: scenario, isDisturbed: isDisturbed)
    countsArrivals = tallies.contains { $0.expectation.measure == .arrivals }
    relations = RelationTable(tallies)
    patterns = PatternSet(tallies.map(\.expectation.pattern.withoutSameAs), ignoring: volatile)
    let events = tallies.compactMap(\.expectation.pattern.event)
    pathOccurrences = Dictionary(grouping: events, by: \.name).mapValues(PathOccurrences.init)
    strays = StrayRequests(Self.details(tallies.map(\.expectation.pattern)))
    var checksOfAction = Array(repeating: [Int](), count: scenario.steps.count + 2)
    for (index, check) in checks.enumerated() {
      for action in check.actions where checksOfAction.indices.contains(action) {
        checksOfAction[action].append(index)
      }
    }
    self.checksOfAction = checksOfAction
  }

  /// - Parameter events: those in the request, where they are known already.
  /// - Returns: the request's events.
  @discardableResult
  package mutating func observe(
    _ request: RecordedRequest, events: [AnalyticsEvent]? = nil
  ) -> [TracedEvent] {
    let observed = ObservedRequest(request)
    return Array(request.url.utf8).withUnsafeBufferPointer { bytes in
      MatchingStop.asking(stop) {
        observe(
          url: bytes, action: request.action, isStubbed: isStubbed(request.answer),
          isGet: request.isGet, hasArrived: request.hasArrived,
          known: events
        ) { observed }
      }
    }
  }

  /// The same for a line of the store, of which only what an expectation asks for is decoded.
  @discardableResult
  package mutating func observe(_ line: RecordedRequestLine) -> [TracedEvent] {
    var decoded: ObservedRequest?
    let isStubbed = isStubbed(line.answer)
    // Each of the closures would copy the line.
    return withUnsafePointer(to: line) { line in
      line.pointee.withURLBytes { bytes in
        MatchingStop.asking(stop) {
          observe(
            url: bytes, action: line.pointee.action, isStubbed: isStubbed,
            isGet: line.pointee.isGet,
            hasArrived: line.pointee.end.hasArrived(answeredBy: line.pointee.answer)
          ) {
            let request = decoded ?? ObservedRequest(line.pointee.request)
            decoded = request
            return request
          }
        }
      }
    }
  }

  /// Whether a stub answered; without stubs, a fault was given in place of an answer that none had.
  func isStubbed(_ answer: RecordedRequest.Answer?) -> Bool {
    answer == .stub || answer == .fault && !scenario.stubs.isEmpty
  }

  /// Whether a request has to be named: no stub answered it, its host is tracked, or a decoder looks at it.
  package func accounts(for request: RecordedRequest) -> Bool {
    if !isStubbed(request.answer) || trackedHosts.contain(request.url) { return true }
    let observed = ObservedRequest(request)
    return Array(request.url.utf8).withUnsafeBufferPointer { url in
      !decoders(lookingAt: url, isGet: request.isGet) { observed }.isEmpty
    }
  }

  private mutating func observe(
    url: UnsafeBufferPointer<UInt8>, action: Int?, isStubbed: Bool, isGet: Bool, hasArrived: Bool,
    known: [AnalyticsEvent]? = nil, request: () -> ObservedRequest
  ) -> [TracedEvent] {
    recordedRequests += 1
    if isStopping() { return [] }
    let looking = decoders(lookingAt: url, isGet: isGet, request: request)
    let events = known ?? events(foundBy: looking, request: request)
    let isAccounted = !isStubbed || !looking.isEmpty || trackedHosts.contain(url)
    if isAccounted || !events.isEmpty, flaws.isSuspicious(url) {
      let request = request().recorded
      let hits = flaws.hits(inURLOf: request, events)
      if !hits.isEmpty { flaws.add(hits, occurrence(request)) }
    }
    let traced =
      events.isEmpty ? [] : traced(events, of: request().recorded, number: recordedRequests)
    if !relations.isEmpty {
      postpone(request().recorded, traced, isAccounted: isAccounted)
      return traced
    }
    let isHarmless =
      isDisturbed && isHarmless(request().recorded, traced.map(\.event), isAccounted: isAccounted)
    let counted = count(
      action, sender: action, EventCounting(isArrival: hasArrived), isHarmless: isHarmless,
      url: url, isGet: isGet, request)
    if traced.isEmpty {
      judge(counted, isAccounted: isAccounted, request)
    } else {
      observe(traced, of: request().recorded)
    }
    return traced
  }

  mutating func isStopping() -> Bool {
    hasStopped = hasStopped || MatchingStop.isWanted
    return hasStopped
  }

  /// Judges a request by itself.
  ///
  /// - Parameter events: those in it, which are judged in its place.
  mutating func observe(_ request: RecordedRequest, events: [AnalyticsEvent], isAccounted: Bool) {
    let observed = ObservedRequest(request)
    let isHarmless = isHarmless(request, events, isAccounted: isAccounted)
    let counted = Array(request.url.utf8).withUnsafeBufferPointer { url in
      count(
        request.action, sender: request.action, EventCounting(isArrival: request.hasArrived),
        isHarmless: isHarmless, url: url, isGet: request.isGet
      ) { observed }
    }
    if events.isEmpty { judge(counted, isAccounted: isAccounted) { observed } }
  }

  /// Judges each event of a request, at the action that tracked it.
  mutating func observe(_ events: [TracedEvent], of request: RecordedRequest) {
    for event in events where event.counting.countsAnything {
      observe(event.event, request.tracking(event), event.counting, sender: request.action)
    }
  }

  /// - Parameters:
  ///   - carrier: its request, with the action that tracked the event.
  ///   - sender: the action that sent the request.
  mutating func observe(
    _ event: AnalyticsEvent, _ carrier: RecordedRequest, _ counting: EventCounting, sender: Int?
  ) {
    pathOccurrences[event.name]?.note(event)
    let observed = ObservedRequest(carrier, event)
    let counted = count(carrier.action, sender: sender, counting) { observed }
    if counting.isAttempt { judge(counted, isAccounted: true) { observed } }
  }

  /// What becomes known of a request or an event as it is counted.
  private struct Counted {
    /// The action that caused it.
    var cause: Int?
    /// The action that sent it: an event may be sent long after it was tracked.
    var sender: Int?
    var naming = Naming.no
    /// The `sends` checks that list it.
    var listed: [Int] = []
  }

  private mutating func judge(
    _ counted: Counted, isAccounted: Bool, _ subject: () -> ObservedRequest
  ) {
    if isDisturbed { return }
    noteUnattributed(counted, isAccounted: isAccounted)
    let under = counted.cause.flatMap {
      checksOfAction.indices.contains($0) ? checksOfAction[$0] : nil
    }
    let offended = isAccounted ? (under ?? []).filter { !counted.listed.contains($0) } : []
    guard counted.naming == .no || !offended.isEmpty else { return }
    let subject = subject()
    addStray(
      StrayRequest(
        request: subject.recorded, event: subject.event, offended: offended,
        isUnnamed: counted.naming == .no,
        isAccounted: isAccounted))
  }

  /// Adds a request or an event to the tallies that it belongs to.
  ///
  /// - Parameters:
  ///   - action: that caused it, as far as it says so.
  ///   - sender: the action that sent it.
  ///   - isHarmless: whether it costs nothing when it comes twice.
  ///   - url: of a request; `nil` of an event.
  ///   - subject: is asked only where more is needed than what is known: most requests of a store are counted by
  ///     their URL alone.
  private mutating func count(
    _ action: Int?, sender: Int?, _ counting: EventCounting, isHarmless: Bool = false,
    url: UnsafeBufferPointer<UInt8>? = nil, isGet: Bool = false, _ subject: () -> ObservedRequest
  ) -> Counted {
    let isScheduled = isDisturbed || disturbance != nil
    // Most scenarios have none, and the requests are many: nothing is decoded for them.
    let hasRelations = !relations.isEmpty
    let isPlain = counting.isAttempt && counting.isArrival && !hasRelations && !isScheduled
    var counted = Counted(cause: action, sender: sender)
    var matches: [Int] = []
    var tallies = self.tallies
    self.tallies = []
    tallies.withUnsafeMutableBufferPointer { tallies in
      func count(_ index: Int, _ doubt: MatchingDoubt?) {
        if let doubt {
          guard tallies[index].doubt == nil else { return }
          (tallies[index].doubt, tallies[index].doubtfulRequest) = (doubt, occurrence(subject()))
        } else if isPlain, tallies[index].takeFurther() {
          counted.naming = .yes
        } else if !hasRelations || isRelated(index, &tallies[index], subject) {
          if isScheduled { return matches.append(index) }
          let counts = counting.counts(for: tallies[index])
          take(index, &tallies[index], counts: counts, &counted, subject)
        }
      }
      if let url {
        patterns.forEachMatch(url: url, isGet: isGet, request: { subject().matchable }, count)
      } else {
        patterns.forEachMatch(ofEvent: subject().matchable, count)
      }
    }
    if !matches.isEmpty {
      matches.sort()
      let subject = subject()
      if let disturbance, subject.event == nil {
        counted.cause = disturbance.cause(of: subject.recorded, among: matches, tallies)
        counted.sender = counted.cause
      }
      let arrival = counting.isArrival ? arrival(subject, isHarmless: isHarmless) : nil
      let arriving = isDisturbed ? self.counting(matches, &tallies, arrival) : matches
      for index in matches {
        let counts = counting.counts(for: tallies[index]) && arriving.contains(index)
        take(index, &tallies[index], counts: counts, &counted) { subject }
      }
    }
    self.tallies = tallies
    return counted
  }

  private mutating func take(
    _ index: Int, _ tally: inout Tally, counts: Bool, _ counted: inout Counted,
    _ subject: () -> ObservedRequest
  ) {
    let action = tally.isOfMoment ? counted.sender : counted.cause
    counted.naming = max(counted.naming, tally.naming(of: action))
    let count = tally.count
    let isListed = tally.take(action, counts: counts) {
      var occurrence = occurrence(subject())
      occurrence.cause = action.map(cause)
      return occurrence
    }
    if isListed, let check = tally.check { counted.listed.append(check) }
    if tally.count > count, !relations.isEmpty { relate(index, &tally, subject) }
  }

  private mutating func noteUnattributed(_ counted: Counted, isAccounted: Bool) {
    guard counted.cause == nil || counted.sender == nil else { return }
    unattributedRequests += 1
    guard isAccounted else { return }
    if counted.cause == nil { unattributedAccountedRequests += 1 }
    if counted.naming == .doubtful, scenario.unexpected != .allow {
      hasDoubtfulNaming = true
    }
  }

  /// - Returns: `nil` where a stub has answered, or none is near.
  func nearestStub(to request: RecordedRequest) -> NearestStub? {
    request.answer == .default ? stubs(request) : nil
  }

  func occurrence(
    _ request: RecordedRequest, _ event: AnalyticsEvent? = nil
  ) -> RequestOccurrence {
    var occurrence = RequestOccurrence(
      method: request.method, url: request.url, time: request.time, clock: request.clock,
      cause: request.action.map(cause), answer: request.answer, end: request.end)
    occurrence.event = event.map(EventReference.init)
    return occurrence
  }

  func occurrence(_ subject: ObservedRequest) -> RequestOccurrence {
    occurrence(subject.recorded, subject.event)
  }

  func cause(_ action: Int) -> RequestCause {
    if action == 0 { return .launch }
    return action <= steps.count ? .step(steps[action - 1]) : .shutdown
  }
}

/// A recorded request, or an event in it, that is decoded once for all who look at it.
final class ObservedRequest {
  let recorded: RecordedRequest
  let event: AnalyticsEvent?
  private(set) lazy var matchable = MatchableRequest(recorded, event: event)

  init(_ recorded: RecordedRequest, _ event: AnalyticsEvent? = nil) {
    (self.recorded, self.event) = (recorded, event)
  }
}

extension MatchableRequest {
  package convenience init(_ request: RecordedRequest, event: AnalyticsEvent? = nil) {
    self.init(
      method: request.method, url: request.url, headers: request.headers, body: request.body,
      event: event)
  }
}
