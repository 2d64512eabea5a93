import RequestMatching
import SourceText

/// A request pattern with what answers it, as WireMock's stub mapping.
package struct StubMapping: Sendable {
  /// The priority of a mapping that names none; 1 comes first.
  package static let defaultPriority = 5

  /// A place in a sequence of states that several mappings share.
  package struct State: Sendable {
    /// The state in which every sequence starts.
    package static let started = "Started"

    package var scenarioName: String
    /// Matches in any state where absent.
    package var required: String?
    /// What a match changes the state to; unchanged where absent.
    package var new: String?
  }

  package var request: RequestPattern
  /// In order; the last one again and again. Never empty.
  package var responses: [StubResponse]
  package var priority: Int
  package var state: State?
  package var location: SourceLocation
}
