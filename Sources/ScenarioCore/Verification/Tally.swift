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
  /// Matching requests that say no action, where the action matters.
  var unattributedCount = 0
  /// The first of those that were counted.
  var matched: [RequestOccurrence] = []
  /// The first of those that match, but were caused by an action that doesn't count.
  var elsewhere: [RequestOccurrence] = []
  /// Set when it can't be told what matches.
  var expense: ExpensivePattern?

  init(
    scope: WrongCount.Scope, expectation: Expectation, actions: Range<Int>, check: Int? = nil
  ) {
    self.scope = scope
    self.expectation = expectation
    self.actions = actions
    self.check = check
  }

  /// Whether the action of a request matters, so that one without can't be judged.
  var dependsOnAction: Bool {
    if case .expected = scope { false } else { true }
  }

  /// What is equal for tallies that count the same requests, whichever actions they belong to.
  func patternKey(_ volatile: VolatileParameters) -> String {
    "\(expectation.pattern.method ?? "ANY") \(expectation.pattern.text(ignoring: volatile))"
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

/// A `sends`, of an action or of a group of them: nothing else may be sent by these actions.
struct SendsCheck: Sendable {
  var actions: Range<Int>
  var step: StepReference
}
