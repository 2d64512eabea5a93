/// What a scenario's requests come to.
package struct VerificationOutcome: Sendable {
  /// In the order in which they should be read; empty where everything was as expected.
  package var findings: [Finding]
  /// Unexpected requests that are only warned about.
  package var warnings: [Finding]
  /// Expectations that are not met yet, and might have been if the actions had gone on.
  package var unjudgedExpectations: Int
  package var recordedRequests: Int
  /// Whether it was told to stop before the last request: then nothing else here says anything.
  package var hasStopped = false
}

/// How far the actions of a scenario came: what did not run can't have sent anything.
package enum CompletedSteps: Sendable {
  /// All of them, and the app ended as it should.
  case all
  /// Those up to this id; 0: the launch alone.
  case through(Int)
  /// Not even the store is whole: only what is too much is certain.
  case none
}

extension CompletedSteps {
  /// Whether everything that the actions in a range caused is in the store.
  func covers(_ actions: Range<Int>) -> Bool {
    switch self {
    case .all: true
    case .through(let step): actions.upperBound <= step + 1
    case .none: false
    }
  }
}
