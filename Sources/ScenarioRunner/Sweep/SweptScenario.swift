import HarnessProtocol
import ScenarioCore

/// How far the sweep of one scenario is: what is to be run next, and what came of it.
struct SweptScenario {
  /// How a sweep is done.
  struct Rules: Sendable {
    var kind: SweepKind
    var budget: Int
    var hasPairs: Bool
    /// What is equal for two results that fail in the same way.
    var signature: @Sendable (ScenarioResult) -> String
  }

  /// Schedules that fail in the same way.
  private struct Group {
    var signature: String
    var count: Int
    /// The shortest of them so far.
    var shortest: ScenarioResult
    /// Whether every schedule with one part less holds, or fails in another way.
    var isShrunk = false
  }

  private enum Stage {
    /// The same schedule twice.
    case inOrder
    case searching
    case shrinking
    case ended
  }

  let entry: PlannedScenario
  /// The place in the plan.
  let index: Int
  /// `nil` where its file is invalid.
  let scenario: Scenario?
  private let rules: Rules
  private let search: ScheduleSearch
  private var stage = Stage.inOrder
  private var frontier = Frontier()
  private var independence = AnswerIndependence()
  private var batch: [ScheduleCandidate] = []
  private var groups: [Group] = []
  private var counts: SweepCounts
  private var runs = 0
  private var duration = Duration.zero
  private var first: ScenarioResult?
  /// What came out, once it has ended.
  private(set) var results: [ScenarioResult] = []

  /// So many schedules of a scenario run at a time, whatever the machine: what is tried within a budget is the
  /// same everywhere.
  private static let batchLimit = 8
  /// So many ways of failing are looked into.
  private static let groupLimit = 10

  init(_ entry: PlannedScenario, at index: Int, _ scenario: Scenario?, _ rules: Rules) {
    self.entry = entry
    self.index = index
    self.scenario = scenario
    self.rules = rules
    search = ScheduleSearch(rules.kind, steps: scenario?.steps ?? [], withPairs: rules.hasPairs)
    counts = SweepCounts(rules.kind)
  }

  var hasEnded: Bool { if case .ended = stage { true } else { false } }

  /// The schedules to be run now.
  mutating func next() -> [Schedule] {
    switch stage {
    case .inOrder:
      let root = ScheduleCandidate(schedule: Schedule())
      batch = [root, root]
    case .searching:
      batch = frontier.take(min(Self.batchLimit, rules.budget - runs))
      runs += batch.count
    case .shrinking: batch = shorterOnes
    case .ended: batch = []
    }
    return batch.map(\.schedule)
  }

  /// Takes what came of the schedules, in their order.
  mutating func take(_ results: [ScenarioResult]) {
    duration += results.reduce(.zero) { $0 + $1.duration }
    switch stage {
    case .inOrder: takeRoot(results)
    case .searching: takeFound(results)
    case .shrinking: takeShorter(results)
    case .ended: break
    }
  }

  private mutating func takeRoot(_ results: [ScenarioResult]) {
    runs = 1
    first = results[0]
    if let error = Determinism.difference(results[0], results[1], rules.signature) {
      return end([errored(error, results[0])])
    }
    // Where it fails with nothing unusual, or isn't run, other schedules show nothing.
    guard results[0].verdict == .passed else {
      var result = results[0]
      if result.verdict == .failed { result.schedule = Schedule() }
      return end([result])
    }
    judge(results[0], batch[0])
    if rules.kind != .orders { counts.judged = 0 }
    if let taken = results[0].trace.schedule {
      let found = search.candidates(after: batch[0], taken, ObservedRun(results[0].trace))
      frontier.add(found, but: hasEqual)
    }
    stage = .searching
    searchOn()
  }

  private mutating func takeFound(_ results: [ScenarioResult]) {
    var found: [ScheduleCandidate] = []
    for (candidate, result) in zip(batch, results) {
      if let error = Determinism.difference(result, candidate) {
        return end([errored(error, result)])
      }
      judge(result, candidate)
      guard !result.isImpossible, let taken = result.trace.schedule else { continue }
      let observed = ObservedRun(result.trace)
      if let overtaking = candidate.overtaking, let observed, result.verdict == .passed {
        independence.learn(overtaking, observed)
      }
      found += search.candidates(after: candidate, taken, observed)
    }
    frontier.add(found, but: hasEqual)
    searchOn()
  }

  private func hasEqual(_ candidate: ScheduleCandidate) -> Bool {
    candidate.overtaking.map(independence.hasEqual) ?? false
  }

  private mutating func searchOn() {
    guard frontier.isEmpty || runs >= rules.budget else { return }
    counts.isComplete = frontier.isEmpty && !frontier.isCut
    stage = .shrinking
    shrinkOrEnd()
  }

  private mutating func judge(_ result: ScenarioResult, _ candidate: ScheduleCandidate) {
    guard !result.isImpossible else { return }
    counts.judged += 1
    guard result.verdict.isUnsuccessful else { return }
    counts.failed += 1
    var result = result
    result.schedule = candidate.schedule
    let signature = rules.signature(result)
    guard let known = groups.firstIndex(where: { $0.signature == signature }) else {
      return groups.append(Group(signature: signature, count: 1, shortest: result))
    }
    groups[known].count += 1
    if candidate.schedule.items.count < groups[known].shortest.schedule?.items.count ?? 0 {
      groups[known].shortest = result
    }
  }

  // MARK: - Shrinking

  private var shrunk: Int? { groups.prefix(Self.groupLimit).firstIndex { !$0.isShrunk } }

  /// With one part less, or where none is left the schedule itself once more.
  private var shorterOnes: [ScheduleCandidate] {
    guard let schedule = shrunk.flatMap({ groups[$0].shortest.schedule }) else { return [] }
    guard schedule.items.count > 1 else { return [ScheduleCandidate(schedule: schedule)] }
    let shorter = schedule.items.indices.map { index in
      var items = schedule.items
      items.remove(at: index)
      return ScheduleCandidate(schedule: Schedule(items))
    }
    return shorter + [ScheduleCandidate(schedule: schedule)]
  }

  private mutating func takeShorter(_ results: [ScenarioResult]) {
    guard let place = shrunk, let again = results.last, let last = batch.last else { return }
    guard rules.signature(again) == groups[place].signature else {
      let signatures = (groups[place].signature, rules.signature(again))
      return end([errored(Determinism.unrepeatable(last.schedule, signatures), again)])
    }
    let failing = zip(batch, results).dropLast().first { _, result in
      result.verdict.isUnsuccessful && !result.isImpossible
        && rules.signature(result) == groups[place].signature
    }
    if let (candidate, result) = failing {
      groups[place].shortest = result
      groups[place].shortest.schedule = candidate.schedule
    } else {
      groups[place].isShrunk = true
    }
    shrinkOrEnd()
  }

  private mutating func shrinkOrEnd() {
    guard shrunk == nil else { return }
    let failing = groups.prefix(Self.groupLimit).map { group in
      var result = group.shortest
      result.alikeSchedules = group.count - 1
      result.scenario.scenarioName += ": \(result.schedule.map(\.description) ?? "")"
      return result
    }
    end([ownResult] + failing)
  }

  // MARK: - Results

  /// Of the sweep itself.
  private var ownResult: ScenarioResult {
    var result = ScenarioResult(
      index: index, scenario: entry.reference, verdict: counts.failed == 0 ? .passed : .failed,
      findings: counts.failed == 0 ? [] : [.sweep(counts)], startedAt: first?.startedAt ?? .now,
      duration: duration)
    result.scenario.scenarioName += ", under all \(rules.kind.rawValue)"
    result.sweep = counts
    return result
  }

  private func errored(_ error: RunError, _ base: ScenarioResult) -> ScenarioResult {
    var result = base
    result.verdict = .errored
    result.findings = [.runError(error)]
    return result
  }

  private mutating func end(_ results: [ScenarioResult]) {
    stage = .ended
    self.results = results.map { result in
      var result = result
      result.index = index
      return result
    }
  }
}

extension ScenarioResult {
  /// Whether the schedule kept an answer back that an action needs: a user would have waited for it.
  fileprivate var isImpossible: Bool { hasError(.impossibleSchedule) }
}

/// The schedules that are still to be tried: those first that differ least from what happens by itself, which
/// find most with few runs, and find the shortest.
private struct Frontier {
  private var byDepth: [Int: ArraySlice<ScheduleCandidate>] = [:]
  private var count = 0
  /// Whether some were dropped, since there were too many.
  private(set) var isCut = false

  var isEmpty: Bool { count == 0 }

  /// More than a budget, since many of them turn out not to be needed.
  private static let limit = 5000

  /// - Parameter hasEqual: whether one needn't be tried, which may become known later.
  mutating func add(
    _ candidates: [ScheduleCandidate], but hasEqual: (ScheduleCandidate) -> Bool
  ) {
    for (depth, known) in byDepth { byDepth[depth] = ArraySlice(known.filter { !hasEqual($0) }) }
    count = byDepth.values.reduce(0) { $0 + $1.count }
    let candidates = candidates.filter { !hasEqual($0) }
    for candidate in candidates { byDepth[candidate.depth, default: []].append(candidate) }
    count += candidates.count
    byDepth = byDepth.filter { !$0.value.isEmpty }
    while count > Self.limit, let deepest = byDepth.keys.max() {
      byDepth[deepest]?.removeLast()
      if byDepth[deepest]?.isEmpty == true { byDepth[deepest] = nil }
      count -= 1
      isCut = true
    }
  }

  mutating func take(_ wanted: Int) -> [ScheduleCandidate] {
    var taken: [ScheduleCandidate] = []
    while taken.count < wanted, let depth = byDepth.keys.min(),
      let candidate = byDepth[depth]?.popFirst()
    {
      taken.append(candidate)
      if byDepth[depth]?.isEmpty == true { byDepth[depth] = nil }
      count -= 1
    }
    return taken
  }
}
