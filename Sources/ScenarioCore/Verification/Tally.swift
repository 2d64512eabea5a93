import HarnessProtocol
import RequestMatching

/// One expectation with what has been counted for it.
struct Tally: Sendable {
  var scope: WrongCount.Scope
  var expectation: Expectation
  /// The actions whose requests count.
  var actions: Range<Int>
  /// The index of the `sends` check that it belongs to.
  var check: Int?

  var count = 0
  /// Whether it counts every matching request, and has kept as many as it keeps.
  var keepsNoFurther = false
  /// Matching requests that say no action, where the action matters.
  var unattributedCount = 0
  /// The first of those that were counted.
  var matched: [RequestOccurrence] = []
  /// The first of those that match, but were caused by an action that doesn't count.
  var elsewhere: [RequestOccurrence] = []
  /// Set when it can't be told whether a request matches.
  var doubt: MatchingDoubt?
  /// The first such request.
  var doubtfulRequest: RequestOccurrence?
  /// Those that were counted without an earlier one of the expectation that they have to come after.
  var earlyCount = 0
  /// The first of them.
  var early: [RequestOccurrence] = []
  /// Where answers fail on purpose: how the requests that it counts are limited.
  var limit: ArrivalLimit?

  /// Whether the action of a request matters, so that one without can't be judged.
  var dependsOnAction: Bool {
    if case .expected = scope { false } else { true }
  }

  /// Whether it counts what was sent before an action, not what actions caused.
  var isOfMoment: Bool {
    if case .expectRequests = scope { true } else { false }
  }

  /// What is equal for tallies that count the same requests, whichever actions they belong to.
  func patternKey(_ volatile: VolatileParameters) -> String {
    let measure = expectation.measure == .arrivals ? "arrivals of " : ""
    return measure
      + "\(expectation.pattern.method ?? "ANY") \(expectation.pattern.text(ignoring: volatile))"
  }

  /// How many are missing; 0 where there are enough.
  var shortfall: Int { max(0, expectation.count.least - count) }
  /// How many there are too many.
  var surplus: Int { max(0, count - expectation.count.most) }

  /// Whether the unattributed requests decide about the verdict.
  var isDoubtful: Bool {
    guard unattributedCount > 0, surplus == 0 else { return false }
    return shortfall <= unattributedCount
      && !(shortfall == 0 && count + unattributedCount <= expectation.count.most)
  }
}

/// Whether a request is named, so that it is not unexpected.
enum Naming: Int, Comparable {
  case no
  /// It says no action, and is named only if the right one caused it.
  case doubtful
  case yes

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Tally {
  /// Whether a matching request is named by this.
  func naming(of action: Int?) -> Naming {
    switch scope {
    case .expected: return .yes
    // What must not have come so far isn't a reason for it to come later.
    case .expectRequests where expectation.count.least == 0: return .no
    case .sends, .expectRequests:
      guard let action else { return .doubtful }
      return actions.contains(action) ? .yes : .no
    }
  }

  /// Counts a matching request of which nothing more is kept, as of most, whatever action caused it.
  ///
  /// - Returns: whether it is one.
  mutating func takeFurther() -> Bool {
    guard keepsNoFurther else { return false }
    count += 1
    return true
  }

  /// Counts a matching request.
  ///
  /// - Parameter counts: whether it is one of those that are counted; it is meant all the same.
  /// - Returns: whether it is meant.
  mutating func take(
    _ action: Int?, counts: Bool, occurrence: () -> RequestOccurrence
  ) -> Bool {
    guard counts else { return action.map { !dependsOnAction || actions.contains($0) } ?? true }
    guard dependsOnAction else {
      count += 1
      if matched.count < FindingLimits.occurrences { matched.append(occurrence()) }
      keepsNoFurther = matched.count >= FindingLimits.occurrences
      return true
    }
    guard let action else {
      unattributedCount += 1
      return true
    }
    guard actions.contains(action) else {
      if elsewhere.count < FindingLimits.occurrences { elsewhere.append(occurrence()) }
      return false
    }
    count += 1
    if matched.count < FindingLimits.occurrences { matched.append(occurrence()) }
    return true
  }
}

/// A `sends`, of an action or of a group of them: nothing else may be sent by these actions.
struct SendsCheck: Sendable {
  var actions: Range<Int>
  var step: StepReference
}

extension Verification {
  /// Everything that counts requests, in the order in which findings are read: `sends` and
  /// `expectRequests` by their actions, then `expected`.
  static func tallies(
    of scenario: Scenario, isDisturbed: Bool = false
  ) -> (checks: [SendsCheck], tallies: [Tally]) {
    if isDisturbed { return ([], disturbedTallies(of: scenario)) }
    func measured(_ expectations: [Expectation]) -> [Expectation] {
      expectations.flatMap(\.measured)
    }
    var checks: [SendsCheck] = []
    var tallies: [Tally] = []
    func addSends(_ sends: [Expectation], _ step: StepReference, _ actions: Range<Int>) {
      tallies += measured(sends).map {
        Tally(scope: .sends(step), expectation: $0, actions: actions, check: checks.count)
      }
      checks.append(SendsCheck(actions: actions, step: step))
    }
    if let launch = scenario.launch, let sends = launch.sends {
      addSends(sends, StepReference(launch), 0..<1)
    }
    for step in scenario.steps {
      let reference = StepReference(step)
      if let sends = step.sends { addSends(sends, reference, step.id..<step.id + 1) }
      if case .expectRequests(let expectations) = step.action {
        tallies += measured(expectations).map {
          Tally(scope: .expectRequests(reference), expectation: $0, actions: 0..<step.id)
        }
      }
    }
    for group in scenario.groups {
      let reference = StepReference(
        id: group.stepIDs.lowerBound, title: group.title, location: group.location)
      addSends(group.sends, reference, group.stepIDs)
    }
    tallies += measured(scenario.expected).map {
      Tally(scope: .expected, expectation: $0, actions: 0..<Int.max)
    }
    return (checks, tallies)
  }

  /// All expectations of a scenario with the actions whose requests they count, those that say the most first:
  /// of an action, of the scenario, of a moment.
  package static func expectations(
    of scenario: Scenario
  ) -> [(expectation: Expectation, actions: Range<Int>)] {
    func rank(_ tally: Tally) -> Int {
      switch tally.scope {
      case .sends: 0
      case .expected: 1
      case .expectRequests: 2
      }
    }
    let tallies = tallies(of: scenario).tallies.enumerated()
    return tallies.sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map {
      ($0.element.expectation, $0.element.actions)
    }
  }

  /// The lowercased names of the headers that any pattern looks at.
  static func details(_ patterns: [RequestPattern]) -> [String] {
    let headers = patterns.flatMap { $0.headers.map { $0.name.lowercased() } }
    let cookies = patterns.contains { !$0.cookies.isEmpty } ? ["cookie"] : []
    return Set(headers + cookies).sorted()
  }
}
