import HarnessProtocol

/// What a sweep tries.
package enum SweepKind: String, Sendable, CaseIterable {
  case orders, faults, restarts
}

/// What came of a sweep of one scenario.
package struct SweepCounts: Sendable, Equatable {
  package var kind: SweepKind
  /// How many schedules were judged.
  package var judged = 0
  /// How many of them fail.
  package var failed = 0
  /// Whether no further one is left.
  package var isComplete = false

  package init(_ kind: SweepKind) { self.kind = kind }
}

/// A schedule that is to be tried.
package struct ScheduleCandidate: Sendable {
  package var schedule: Schedule
  /// What has to come about first, if the app does the same in each run.
  package var expected: [TakenSchedule.Event] = []
  /// How many choices or disturbances in it differ from what happens by itself.
  package var depth = 0
  /// The answer that comes before others that would come first, if that is what is new in it.
  package var overtaking: Overtaking?

  package init(
    schedule: Schedule, expected: [TakenSchedule.Event] = [], depth: Int = 0,
    overtaking: Overtaking? = nil
  ) {
    self.schedule = schedule
    self.expected = expected
    self.depth = depth
    self.overtaking = overtaking
  }
}

/// Finds the schedules of a scenario, each from a run of another one.
///
/// `orders` looks for each order in which answers can be delivered: whenever the app is idle, any of those that
/// are ready, or none of them, so that the next action of the user comes first. Answers of which one is asked for
/// only when the other has been delivered have no other order, and independent answers (see `AnswerIndependence`) are
/// taken in one order. An answer is kept back for one action at most, and
/// not where a user waits for it: at `waitFor…`, at checks, at swipes, at `setNetwork`, and while the clock moves.
package struct ScheduleSearch: Sendable {
  private let kind: SweepKind
  private let steps: [Step]
  /// How many disturbances a schedule has at most.
  private let depthLimit: Int

  package init(_ kind: SweepKind, steps: [Step], withPairs: Bool = false) {
    self.kind = kind
    self.steps = steps
    depthLimit = withPairs ? 2 : 1
  }

  /// What is to be tried next.
  ///
  /// - Parameter taken: what came of the candidate.
  package func candidates(
    after candidate: ScheduleCandidate, _ taken: TakenSchedule, _ observed: ObservedRun? = nil
  ) -> [ScheduleCandidate] {
    switch kind {
    case .orders: orders(after: candidate, taken, observed)
    case .faults: disturbances(after: candidate, taken, faults)
    case .restarts: disturbances(after: candidate, taken, restarts)
    }
  }

  private func orders(
    after candidate: ScheduleCandidate, _ taken: TakenSchedule, _ observed: ObservedRun?
  ) -> [ScheduleCandidate] {
    let naming = ScheduleNaming(taken.requests)
    var found: [ScheduleCandidate] = []
    for place in taken.events.indices.dropFirst(candidate.expected.count) {
      guard case .delivered(let delivery) = taken.events[place] else { continue }
      let before = Array(taken.events[..<place])
      for event in alternatives(to: delivery, after: before) {
        let expected = before + [event]
        var overtaking: Overtaking?
        if case .delivered(let chosen) = event {
          overtaking = Overtaking(
            request: chosen.request, usual: delivery.request, held: delivery.held, in: taken,
            from: place, observed)
        }
        found.append(
          ScheduleCandidate(
            schedule: naming.schedule(of: expected), expected: expected, depth: candidate.depth + 1,
            overtaking: overtaking))
      }
    }
    return found
  }

  private func alternatives(
    to delivery: TakenSchedule.Delivery, after events: [TakenSchedule.Event]
  ) -> [TakenSchedule.Event] {
    var alternatives: [TakenSchedule.Event] = delivery.held.filter { $0 != delivery.request }.map {
      var other = delivery
      other.request = $0
      return .delivered(other)
    }
    let wasDeferred = events.contains { event in
      if case .deferred(let deferral) = event {
        !Set(deferral.held).isDisjoint(with: delivery.held)
      } else {
        false
      }
    }
    if !wasDeferred, mayComeLate(during: delivery.during) {
      alternatives.append(.deferred(.init(action: delivery.during, held: delivery.held)))
    }
    return alternatives
  }

  /// Whether the user can be quicker than an answer.
  private func mayComeLate(during action: Int) -> Bool {
    guard action < steps.count else { return false }
    return !isWait(action) && steps[action].action.isOfUser
  }

  private func isWait(_ action: Int) -> Bool {
    action > 0 && !steps[action - 1].action.isOfUser
  }

  // MARK: - Disturbances

  private typealias Place = (items: [Schedule.Item], position: Int)

  private func disturbances(
    after candidate: ScheduleCandidate, _ taken: TakenSchedule,
    _ places: (TakenSchedule, ScheduleNaming) -> [Place]
  ) -> [ScheduleCandidate] {
    guard candidate.depth < depthLimit else { return [] }
    // The second one comes after the first.
    let last = taken.events.lastIndex { event in
      switch event {
      case .delivered(let delivery): delivery.fate != nil
      case .restarted: true
      case .deferred: false
      }
    }
    return places(taken, ScheduleNaming(taken.requests)).filter { $0.position > last ?? -1 }
      .flatMap { place in
        place.items.map { item in
          ScheduleCandidate(
            schedule: Schedule(candidate.schedule.items + [item]), depth: candidate.depth + 1)
        }
      }
  }

  private func faults(_ taken: TakenSchedule, _ naming: ScheduleNaming) -> [Place] {
    taken.events.enumerated().compactMap { position, event in
      guard case .delivered(let delivery) = event, delivery.fate == nil else { return nil }
      let name = naming.name(delivery.request)
      return (AnswerFate.faults.map { .answer(name, $0) }, position)
    }
  }

  private func restarts(_ taken: TakenSchedule, _ naming: ScheduleNaming) -> [Place] {
    var places: [Place] = []
    for action in 0...steps.count {
      for (place, event) in taken.events.enumerated() {
        guard case .delivered(let delivery) = event, delivery.during == action else { continue }
        places.append(([.restartBefore(naming.name(delivery.request))], place))
      }
      if isSent(action), !taken.isRestarted(at: action) {
        places.append(([.restartAfterAction(action)], taken.events.count))
      }
    }
    return places
  }

  /// Whether an app answers the action.
  private func isSent(_ action: Int) -> Bool {
    guard action > 0 else { return true }
    switch steps[action - 1].action {
    case .app, .relaunch: return true
    case .terminate, .expectRequests: return false
    }
  }
}

extension TakenSchedule {
  fileprivate func isRestarted(at action: Int) -> Bool {
    events.contains { event in
      if case .restarted(let restarted, _) = event { restarted >= action } else { false }
    }
  }
}

extension StepAction {
  /// Whether it is something that a user or the system does without waiting for what is to be seen.
  fileprivate var isOfUser: Bool {
    guard case .app(let action) = self else { return false }
    switch action.verb {
    case .tap, .doubleTap, .longPress, .typeText, .clearText, .openURL, .push,
      .background, .foreground, .perform:
      return true
    case .swipe, .scrollTo, .setNetwork, .waitForExistence, .waitForNonExistence, .assertExists,
      .assertNotExists, .assertText,
      .advanceClock:
      return false
    }
  }
}
