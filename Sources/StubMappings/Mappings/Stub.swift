import RequestMatching
import SourceText

/// One request pattern with what answers it.
package struct Stub: Sendable {
  package var pattern: RequestPattern
  /// Given in this order, the last one again and again; never empty.
  package var responses: [StubResponse]
  /// 1 comes first.
  package var priority: Int
  package var state: StubState?
  /// What the mapping calls itself.
  package var name: String?
  /// Where the mapping is written; `nil` for one that no file has.
  package var location: SourceLocation?

  package static let defaultPriority = 5

  package init(
    pattern: RequestPattern, responses: [StubResponse], priority: Int = defaultPriority,
    state: StubState? = nil, name: String? = nil, location: SourceLocation? = nil
  ) {
    self.pattern = pattern
    self.responses = responses
    self.priority = priority
    self.state = state
    self.name = name
    self.location = location
  }

  package var source: StubSource {
    StubSource(
      path: location?.path ?? "", line: location?.position.line ?? 1, name: name)
  }
}

/// Where a stub, a capture, or an exchange of one is written.
package struct StubSource: Sendable, Hashable {
  package var path: String
  /// From 1.
  package var line: Int
  /// What a mapping calls itself, or the method and the URL of a captured exchange.
  package var name: String?
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
