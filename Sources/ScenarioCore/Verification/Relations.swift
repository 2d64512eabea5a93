import HarnessProtocol
import JSON
import RequestMatching

/// Which tallies the expectations of a scenario mean by the names of others.
///
/// Between expectations with the same `forEach`, a name means the expectation of the same object.
struct RelationTable: Sendable {
  /// By tally: those of which one has to have counted an earlier request.
  private(set) var after: [Int: [Int]] = [:]
  /// By tally and name: those whose values it expects.
  private(set) var sameAs: [Int: [String: [Int]]] = [:]
  private(set) var referenced: Set<Int> = []

  private struct ObjectKey: Hashable {
    var name: ByteText
    var source: ByteText
    var path: ByteText

    init(_ name: String, _ object: FixtureObject) {
      self.name = ByteText(name)
      (source, path) = (ByteText(object.source), ByteText(object.path))
    }
  }

  init(_ tallies: [Tally]) {
    guard tallies.contains(where: \.expectation.relations.isRelated) else { return }
    let named = Self.named(tallies)
    var byObject: [ObjectKey: [Int]] = [:]
    for (name, indices) in named {
      for index in indices {
        for object in tallies[index].expectation.relations.objects {
          byObject[ObjectKey(name, object), default: []].append(index)
        }
      }
    }
    func meant(_ name: String, by relations: ExpectationRelations) -> [Int] {
      let ofObjects = relations.objects.flatMap {
        byObject[ObjectKey(name, $0)] ?? []
      }
      return ofObjects.isEmpty ? named[name] ?? [] : ofObjects
    }
    for (index, tally) in tallies.enumerated() where tally.expectation.relations.isRelated {
      let relations = tally.expectation.relations
      after[index] = relations.after.map { meant($0.text, by: relations) }
      for name in relations.sameAs {
        sameAs[index, default: [:]][name.text] = meant(name.text, by: relations)
      }
    }
    referenced = Set(after.values.joined()).union(sameAs.values.flatMap { $0.values.joined() })
  }

  var isEmpty: Bool { after.isEmpty && sameAs.isEmpty }

  /// The tallies of the expectations that have a name.
  static func named(_ tallies: [Tally]) -> [String: [Int]] {
    var named: [String: [Int]] = [:]
    for (index, tally) in tallies.enumerated() {
      guard let name = tally.expectation.relations.name else { continue }
      named[name.text, default: []].append(index)
    }
    return named
  }
}

/// When something was sent or tracked: by the app's clock, at the same instant by the store's order.
struct Moment: Comparable, Sendable {
  /// Since the app's clock started.
  var milliseconds: Double
  var place: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.milliseconds, left.place) < (right.milliseconds, right.place)
  }
}

/// What is remembered of requests and events, where expectations refer to each other.
struct RelationHistory: Sendable {
  /// A request, or an event with its request. What an app wrote of an event's time may be so coarse that
  /// it was tracked at any time from one moment through another.
  struct Occurrence: Sendable {
    var request: RecordedRequest
    var event: AnalyticsEvent?
    var counts = EventCounting()
    /// Of an event: the action that sent its request.
    var sender: Int?
    /// Of a request: those in it.
    var events: [AnalyticsEvent] = []
    var isAccounted = true
    var from: Moment
    var through: Moment
  }

  var postponed: [Occurrence] = []
  /// What is judged now.
  var now: Occurrence?
  /// By tally: when the first request that it counted was certainly sent.
  var first: [Int: Moment] = [:]
  /// By tally: what it counted.
  var counted: [Int: [Occurrence]] = [:]
  /// The app's clock at the last request that said it, in seconds.
  private(set) var clock = 0.0
  /// What an app's clock lacks that has started anew.
  private var lost = 0.0
  private var action = 0

  /// Takes the time of the next request of the store.
  mutating func pass(_ request: RecordedRequest) {
    let isLaterAction = (request.action ?? action) > action
    action = max(action, request.action ?? action)
    guard let told = request.clock else { return }
    // No later action runs earlier: the clock of a process that was launched anew doesn't go on.
    if isLaterAction, told + lost < clock { lost = clock - told }
    clock = told + lost
  }
}

extension Verification {
  /// Keeps a request until all are known: an event may have been tracked long before it is sent.
  mutating func postpone(
    _ request: RecordedRequest, _ events: [TracedEvent], isAccounted: Bool
  ) {
    relationHistory.pass(request)
    let moment = moment(relationHistory.clock)
    relationHistory.postponed.append(
      .init(
        request: request, events: events.map(\.event), isAccounted: isAccounted, from: moment,
        through: moment))
    for traced in events where traced.counting.countsAnything {
      let event = traced.event
      var occurrence = RelationHistory.Occurrence(
        request: request.tracking(traced), event: event, counts: traced.counting,
        sender: request.action, from: self.moment(relationHistory.clock),
        through: self.moment(relationHistory.clock))
      if let time = event.time, let start = times?.startDate {
        let clock = time.seconds - start
        occurrence.from = self.moment(clock)
        occurrence.through = self.moment(clock + max(0, time.resolution - 0.001))
      }
      relationHistory.postponed.append(occurrence)
    }
  }

  private func moment(_ clock: Double) -> Moment {
    Moment(milliseconds: (clock * 1000).rounded(), place: relationHistory.postponed.count)
  }

  /// Judges what was postponed, in its order.
  mutating func observePostponed() {
    let occurrences = relationHistory.postponed.sorted { $0.from < $1.from }
    relationHistory.postponed = []
    for occurrence in occurrences where !isStopping() {
      relationHistory.now = occurrence
      if let event = occurrence.event {
        observe(event, occurrence.request, occurrence.counts, sender: occurrence.sender)
      } else {
        observe(occurrence.request, events: occurrence.events, isAccounted: occurrence.isAccounted)
      }
    }
    relationHistory.now = nil
  }

  /// What a tally counts at a moment: its pattern, with the values of those that it refers to.
  func pattern(of index: Int, _ tally: Tally, before moment: Moment?) -> RequestPattern {
    guard let names = relations.sameAs[index] else { return tally.expectation.pattern }
    return tally.expectation.pattern.resolved { name in
      let earlier = (names[name] ?? []).compactMap { other in
        relationHistory.counted[other]?.last { occurrence in
          moment.map { occurrence.through < $0 } ?? false
        }
      }
      return earlier.max { $0.through < $1.through }.map {
        MatchableRequest($0.request, event: $0.event)
      }
    }
  }

  /// Whether a request that matches a pattern without regard to others does so with them.
  func isRelated(
    _ index: Int, _ tally: inout Tally, _ subject: () -> ObservedRequest
  ) -> Bool {
    guard relations.sameAs[index] != nil else { return true }
    let subject = subject()
    do throws(MatchingDoubt) {
      return try pattern(of: index, tally, before: relationHistory.now?.from)
        .matches(subject.matchable, ignoring: volatile)
    } catch {
      if tally.doubt == nil {
        (tally.doubt, tally.doubtfulRequest) = (error, occurrence(subject))
      }
      return false
    }
  }

  /// Notes what a tally has counted, and whether that came too early.
  mutating func relate(_ index: Int, _ tally: inout Tally, _ subject: () -> ObservedRequest) {
    guard let now = relationHistory.now else { return }
    if let others = relations.after[index] {
      let hasEarlier = others.contains { relationHistory.first[$0].map { $0 < now.from } ?? false }
      if !hasEarlier {
        tally.earlyCount += 1
        if tally.early.count < FindingLimits.occurrences {
          tally.early.append(occurrence(subject()))
        }
      }
    }
    guard relations.referenced.contains(index) else { return }
    relationHistory.first[index] = min(relationHistory.first[index] ?? now.through, now.through)
    relationHistory.counted[index, default: []].append(now)
  }

  /// What came before what it has to come after.
  ///
  /// Of an event that was to come before it, nobody knows whether it was tracked where the actions did not
  /// all run: it may not have been sent yet.
  func tooEarly(_ completedSteps: CompletedSteps) -> [Finding] {
    let isComplete = if case .all = completedSteps { true } else { false }
    // An app that was disturbed may send things in another order.
    if isDisturbed { return [] }
    return tallies.indices.compactMap { index in
      let tally = tallies[index]
      guard tally.earlyCount > 0, tally.doubt == nil, let name = tally.expectation.relations.after,
        let others = relations.after[index], let other = others.first
      else { return nil }
      if !isComplete, tallies[other].expectation.pattern.event != nil { return nil }
      let first = others.filter { relationHistory.first[$0] != nil }
        .min { relationHistory.first[$0] ?? .latest < relationHistory.first[$1] ?? .latest }
      return .tooEarly(
        EarlyRequests(
          scope: tally.scope, pattern: tally.expectation.pattern.text(ignoring: volatile),
          count: tally.earlyCount, occurrences: tally.early, location: tally.expectation.location,
          objects: tally.expectation.relations.objects, after: name.text,
          afterLocation: tallies[first ?? other].expectation.location,
          first: first.flatMap { tallies[$0].matched.first }))
    }
  }
}

extension Moment {
  fileprivate static let latest = Moment(milliseconds: .infinity, place: .max)
}
