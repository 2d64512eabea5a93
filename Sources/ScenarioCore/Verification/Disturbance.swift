import HarnessProtocol
import JSON
import RequestMatching

/// What is known of an app whose answers came as a schedule said.
///
/// Where answers fail on purpose, or the app is killed, it sends things again, later and in other company. So no
/// `sends` is judged at its action: together they say what may arrive in the whole scenario. A count alone says
/// the most that may arrive, of what costs something when it comes twice. That is not:
/// - a GET or HEAD that a stub answered, of a host that isn't tracked: safe methods change nothing
///   (RFC 9110, section 9.2.1);
/// - a request whose events all have ids: they are counted themselves, each id once;
/// - after a restart, what a launch does by itself, or what comes with time: a screen that is shown anew is seen
///   anew. But what the first process did later, the second must not do at its launch: that is what was kept, and
///   is sent twice.
struct Disturbance: Sendable {
  /// On whose account an app does something.
  enum Doing {
    case launch, user, time
  }

  /// Which process did something, and on whose account.
  struct Origin {
    var process = 0
    var doing = Doing.user
  }

  /// A request or an event that arrived.
  struct Arrival {
    var origin: Origin
    /// Whether it costs nothing when it comes twice.
    var isHarmless: Bool
  }

  private let late: [TakenSchedule.Delivery]
  private let kills: [TakenSchedule.Kill]
  /// By action.
  private let doings: [Doing]
  /// By action: whether no `sends` covers it, so that it may do whatever else is named.
  private let isUnbounded: [Bool]

  init(_ taken: TakenSchedule, of scenario: Scenario) {
    late = taken.events.compactMap { event in
      guard case .delivered(let delivery) = event, delivery.action != delivery.during else {
        return nil
      }
      return delivery
    }
    kills = taken.kills
    doings = [.launch] + scenario.steps.map(\.action.doing)
    let covered =
      scenario.steps.filter { $0.sends != nil }.map { $0.id..<$0.id + 1 }
      + scenario.groups.map(\.stepIDs)
    isUnbounded =
      [scenario.launch?.sends == nil]
      + scenario.steps.map { step in !covered.contains { $0.contains(step.id) } }
  }

  var hasUnboundedActions: Bool { isUnbounded.contains(true) }

  func origin(action: Int?, clock: Double?) -> Origin {
    let slack = 1e-6
    let earlier = kills.prefix { (clock ?? .infinity) > $0.clock + slack }
    let isLaunch = earlier.last.map { $0.action == action } ?? false
    let doing = action.flatMap { doings.indices.contains($0) ? doings[$0] : nil } ?? .time
    return Origin(process: earlier.count, doing: isLaunch ? .launch : doing)
  }

  /// The action that caused a request: what a late answer leads to may have waited for it, though the action in hand
  /// asked for it. It is of the first of them whose `sends` expects it, or else that has none.
  func cause(of request: RecordedRequest, among matches: [Int], _ tallies: [Tally]) -> Int? {
    guard let action = request.action, let clock = request.clock,
      let delivery = late.first(where: {
        $0.action == action && $0.began < clock && clock <= $0.clock
      }), action < delivery.during
    else { return request.action }
    let candidates = action...delivery.during
    let wanting = candidates.first { candidate in
      matches.contains { index in
        tallies[index].check != nil && tallies[index].actions.contains(candidate)
          && tallies[index].count < tallies[index].expectation.count.most
      }
    }
    return wanting
      ?? candidates.first { isUnbounded.indices.contains($0) && isUnbounded[$0] } ?? action
  }
}

extension StepAction {
  fileprivate var doing: Disturbance.Doing {
    switch self {
    case .relaunch: return .launch
    case .terminate, .expectRequests: return .time
    case .app(let action):
      switch action.verb {
      case .tap, .doubleTap, .longPress, .swipe, .scrollTo, .typeText, .clearText, .openURL, .push,
        .perform:
        return .user
      case .advanceClock, .waitForExistence, .waitForNonExistence, .assertExists, .assertNotExists,
        .assertText, .setNetwork, .background, .foreground:
        return .time
      }
    }
  }
}

/// How what arrives is limited, where answers fail on purpose.
struct ArrivalLimit: Sendable {
  /// Whether a count alone limits it.
  var isCountAlone: Bool
  /// How many each `sends` allows, by the place of its action or group; none: it isn't of a `sends`.
  var allowances: [Int: Int] = [:]
  /// The tallies of other `sends` that have counted the same.
  var overlaps: Set<Int> = []
  /// Whether an action without `sends` may have sent what it has counted: then `expected` alone limits it.
  var isElsewhere = false
  private var process = 0
  /// What was done by the present process and by those before it, on whose account.
  private var present = Doings()
  private var earlier = Doings()

  private struct Doings {
    var launch = 0
    var time = 0

    mutating func add(_ doing: Disturbance.Doing) {
      switch doing {
      case .launch: launch += 1
      case .time: time += 1
      case .user: break
      }
    }
  }

  init(isCountAlone: Bool, allowances: [Int: Int] = [:]) {
    self.isCountAlone = isCountAlone
    self.allowances = allowances
  }

  var isOfSends: Bool { !allowances.isEmpty }

  /// Whether an arrival counts.
  mutating func counts(_ arrival: Disturbance.Arrival) -> Bool {
    !isCountAlone || !arrival.isHarmless && !isDoneAnew(arrival.origin)
  }

  /// Whether a process does by itself what one before it did so, too.
  private mutating func isDoneAnew(_ origin: Disturbance.Origin) -> Bool {
    if origin.process > process {
      (earlier.launch, earlier.time) = (
        earlier.launch + present.launch, earlier.time + present.time
      )
      (present, process) = (Doings(), origin.process)
    } else if origin.process < process {
      earlier.add(origin.doing)
      return false
    }
    present.add(origin.doing)
    switch origin.doing {
    case .time where earlier.time > 0: earlier.time -= 1
    case .time where earlier.launch > 0, .launch where earlier.launch > 0: earlier.launch -= 1
    case .time, .launch, .user: return false
    }
    return true
  }
}

extension Verification {
  /// What has to arrive over the whole scenario, and the most that may.
  ///
  /// A `sends` within that of a group says nothing more than this.
  static func disturbedTallies(of scenario: Scenario) -> [Tally] {
    var tallies: [Tally] = []
    var places: [ByteText: Int] = [:]
    func add(_ sends: [Expectation], check: Int) {
      for expectation in sends.map(\.arrivals) {
        let isAlone = expectation.delivered == nil
        var tally = Tally(scope: .expected, expectation: expectation, actions: 0..<Int.max)
        tally.limit = ArrivalLimit(
          isCountAlone: isAlone, allowances: [check: expectation.count.most])
        let key = ByteText(
          "\(isAlone) " + tally.patternKey(VolatileParameters(scenario.volatileParameters)))
        guard let known = places[key] else {
          places[key] = tallies.count
          tallies.append(tally)
          continue
        }
        tallies[known].expectation.count = tallies[known].expectation.count + expectation.count
        tallies[known].limit?.allowances[check, default: 0] += expectation.count.most
      }
    }
    for (check, sends) in outermostSends(of: scenario).enumerated() { add(sends, check: check) }
    for step in scenario.steps {
      guard case .expectRequests(let expectations) = step.action else { continue }
      tallies += expectations.map {
        limited($0, .expectRequests(StepReference(step)), 0..<step.id)
      }
    }
    return tallies + scenario.expected.map { limited($0, .expected, 0..<Int.max) }
  }

  private static func limited(
    _ expectation: Expectation, _ scope: WrongCount.Scope, _ actions: Range<Int>
  ) -> Tally {
    var tally = Tally(scope: scope, expectation: expectation.arrivals, actions: actions)
    tally.limit = ArrivalLimit(isCountAlone: expectation.delivered == nil)
    return tally
  }

  private static func outermostSends(of scenario: Scenario) -> [[Expectation]] {
    var outermost: [StepGroup] = []
    for group in scenario.groups.sorted(by: { $0.stepIDs.count > $1.stepIDs.count })
    where !outermost.contains(where: { $0.stepIDs.overlaps(group.stepIDs) }) {
      outermost.append(group)
    }
    let steps = scenario.steps.filter { step in
      !outermost.contains { $0.stepIDs.contains(step.id) }
    }
    return [scenario.launch?.sends].compactMap { $0 } + steps.compactMap(\.sends)
      + outermost.map(\.sends)
  }

  /// Whether it costs nothing when a request comes twice.
  func isHarmless(
    _ request: RecordedRequest, _ events: [AnalyticsEvent], isAccounted: Bool
  ) -> Bool {
    guard events.isEmpty else { return events.allSatisfy { $0.id != nil } }
    return !isAccounted && ["GET", "HEAD"].contains(request.method ?? "GET")
  }

  /// An event was tracked by the process, and on the account, that its own time tells.
  ///
  /// - Parameter isHarmless: whether it costs nothing when it comes twice.
  func arrival(_ subject: ObservedRequest, isHarmless: Bool) -> Disturbance.Arrival {
    var clock = subject.recorded.clock
    if let time = subject.event?.time, let start = times?.startDate {
      clock = time.seconds - start
    }
    let origin = disturbance?.origin(action: subject.recorded.action, clock: clock)
    return Disturbance.Arrival(origin: origin ?? .init(), isHarmless: isHarmless)
  }

  /// The tallies that count what has arrived, of those that it matches.
  func counting(
    _ matches: [Int], _ tallies: inout [Tally], _ arrival: Disturbance.Arrival?
  ) -> [Int] {
    guard let arrival else { return [] }
    let sends = matches.filter { tallies[$0].limit?.isOfSends == true }
    let isElsewhere = disturbance?.hasUnboundedActions == true && sends.count < matches.count
    for index in sends {
      if isElsewhere { tallies[index].limit?.isElsewhere = true }
      tallies[index].limit?.overlaps.formUnion(sends.filter { $0 != index })
    }
    return matches.filter { tallies[$0].limit?.counts(arrival) ?? true }
  }

  /// What several `sends` allow together of what they have in common.
  mutating func addAllowances() {
    for index in tallies.indices {
      guard let limit = tallies[index].limit, limit.isOfSends else { continue }
      var allowances = limit.allowances
      var others: [Int: Int] = [:]
      for other in limit.overlaps {
        for (check, most) in tallies[other].limit?.allowances ?? [:] {
          others[check] = (others[check] ?? 0).saturatedSum(most)
        }
      }
      allowances.merge(others) { own, _ in own }
      let most = limit.isElsewhere ? .max : allowances.values.reduce(0) { $0.saturatedSum($1) }
      tallies[index].expectation.count.most = most
    }
  }
}
