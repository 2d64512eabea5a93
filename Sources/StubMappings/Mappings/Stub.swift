import RequestMatching

/// One request pattern with what answers it.
package struct Stub: Sendable {
  package var pattern: RequestPattern
  /// Given in this order, the last one again and again; never empty.
  package var responses: [StubResponse]
  /// 1 comes first.
  package var priority: Int
  package var state: StubState?

  package static let defaultPriority = 5

  package init(
    pattern: RequestPattern, responses: [StubResponse], priority: Int = defaultPriority,
    state: StubState? = nil
  ) {
    self.pattern = pattern
    self.responses = responses
    self.priority = priority
    self.state = state
  }
}

/// What makes a stub depend on the answers that were given before (`scenarioName` and its states).
package struct StubState: Sendable, Equatable {
  /// The machine whose state is meant; each one begins in `initial`.
  package var machine: String
  /// The stub answers in this state alone.
  package var required: String?
  /// The state after the stub has answered.
  package var next: String?

  package static let initial = "Started"
}
