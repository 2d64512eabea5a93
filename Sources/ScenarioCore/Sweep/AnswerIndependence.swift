import HarnessProtocol

/// An answer that is delivered before others that would come first.
package struct Overtaking: Sendable {
  /// Places in `requests`: the answer itself, the one that comes in its place otherwise, and all that were ready.
  package var (request, usual): (Int, Int)
  package var held: [Int]
  /// What came before it otherwise; `nil` where it didn't come.
  fileprivate var overtaken: [Int]?
  fileprivate var requests: [AskedRequest]
  /// The run in which it came later.
  fileprivate var observed: ObservedRun?

  init(
    request: Int, usual: Int, held: [Int], in taken: TakenSchedule, from place: Int,
    _ observed: ObservedRun?
  ) {
    (self.request, self.usual) = (request, usual)
    self.held = held
    self.observed = observed
    requests = taken.requests
    let delivered = taken.events[place...].compactMap { event in
      if case .delivered(let delivery) = event { delivery.request } else { nil }
    }
    overtaken = delivered.firstIndex(of: request).map { Array(delivered[..<$0]) }
  }

  fileprivate func name(_ request: Int) -> String {
    "\(requests[request].method) \(requests[request].url)"
  }
}

/// All that a run has shown of the app.
package struct ObservedRun: Sendable {
  private var taken: TakenSchedule
  private var screens: [Screen?]
  /// Without what tells the time of the machine.
  private var sent: [RecordedRequest]

  /// - Returns: `nil` where it has no schedule or doesn't show all.
  package init?(_ trace: Trace) {
    guard let taken = trace.schedule, trace.detail.contains(.all), trace.omittedRequests == 0,
      trace.actions.contains(where: { $0.screen != nil })
    else { return nil }
    let sent = trace.requests.map { traced in
      var request = traced.request
      (request.time, request.clock) = (nil, nil)
      return request
    }
    self.init(taken, screens: trace.actions.map(\.screen), sent: sent)
  }

  package init(_ taken: TakenSchedule, screens: [Screen?], sent: [RecordedRequest] = []) {
    self.taken = taken
    self.screens = screens
    self.sent = sent
  }

  /// Whether nothing differs but that an answer came earlier in the other run: what was sent in which order,
  /// what was ready when the later ones came, what was on screen after each action.
  fileprivate func equals(_ other: Self, but request: Int, overtaking: [Int]) -> Bool {
    let moved = [request] + overtaking
    return taken.requests == other.taken.requests && sent == other.sent
      && screens == other.screens && taken.isWithoutFollowers(moved)
      && other.taken.isWithoutFollowers(moved)
      && taken.events(without: request) == other.taken.events(without: request)
  }
}

extension TakenSchedule {
  /// Whether no answer of these made others ready, or made the app give others up.
  fileprivate func isWithoutFollowers(_ requests: [Int]) -> Bool {
    events.indices.allSatisfy { place in
      guard case .delivered(let delivery) = events[place], requests.contains(delivery.request)
      else { return true }
      let rest = delivery.held.filter { $0 != delivery.request }
      guard events.indices.contains(place + 1) else { return rest.isEmpty }
      switch events[place + 1] {
      case .delivered(let next): return next.during != delivery.during || next.held == rest
      case .deferred(let deferral): return deferral.held == rest
      case .restarted: return false
      }
    }
  }

  fileprivate func events(without request: Int) -> [Event] {
    events.compactMap { event in
      guard case .delivered(var delivery) = event else { return event }
      guard delivery.request != request else { return nil }
      delivery.held = delivery.held.filter { $0 != request }
      return .delivered(delivery)
    }
  }
}

/// Which answers are independent: it makes no difference which comes first, so one order stands for both.
///
/// Two answers are, once a run has shown it: one of them came before the other instead of after it, neither led to
/// another request or its end, and everything else was the same to the end: requests, answers, screens. Among answers that
/// are ready at the same time, those that aren't independent are tried in every order; answers of which none depends on
/// one of the others, also by way of third ones, come one after the other. That a third answer alone makes two depend
/// on each other isn't looked for.
package struct AnswerIndependence: Sendable {
  private var pairs: Set<Set<String>> = []

  package init() {}

  /// Takes what came of a run in which an answer overtook others.
  package mutating func learn(_ overtaking: Overtaking, _ observed: ObservedRun) {
    guard let usual = overtaking.observed, let overtaken = overtaking.overtaken,
      usual.equals(observed, but: overtaking.request, overtaking: overtaken)
    else { return }
    for other in overtaken {
      pairs.insert([overtaking.name(overtaking.request), overtaking.name(other)])
    }
  }

  /// Whether another schedule stands for one in which an answer overtakes others.
  package func hasEqual(_ overtaking: Overtaking) -> Bool {
    var reached: Set<Int> = [overtaking.usual]
    var open = [overtaking.usual]
    while let one = open.popLast() {
      for other in overtaking.held where !reached.contains(other) {
        let pair: Set = [overtaking.name(one), overtaking.name(other)]
        // Two of one name are never told apart.
        guard pair.count == 1 || !pairs.contains(pair) else { continue }
        reached.insert(other)
        open.append(other)
      }
    }
    return !reached.contains(overtaking.request)
  }
}
