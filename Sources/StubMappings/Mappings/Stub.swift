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
    let position = location?.position
    return StubSource(
      path: location?.path ?? "", line: position?.line ?? 1, column: position?.column ?? 1,
      name: name)
  }
}

/// Where a stub, a capture, or an exchange of one is written.
package struct StubSource: Sendable, Hashable {
  package var path: String
  /// From 1.
  package var line: Int
  /// From 1.
  package var column = 1
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

/// What a stub does with a request.
package struct StubResponse: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    case message(StubMessage)
    case fault(StubFault)
    case failure(URLErrorName)
  }

  package var outcome: Outcome
  /// On the app's clock.
  package var delay: Duration

  package init(_ outcome: Outcome, delay: Duration = .zero) {
    self.outcome = outcome
    self.delay = delay
  }
}

/// An HTTP response.
package struct StubMessage: Sendable, Equatable {
  package var status: Int
  /// In the order in which they are written; a name may come more than once.
  package var headers: [StubHeader]
  package var body: StubBody

  package init(status: Int = 200, headers: [StubHeader] = [], body: StubBody = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header, whatever the case of its name.
  package func header(_ name: String) -> String? {
    headers.first { $0.isNamed(name) }?.value
  }
}

package struct StubHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  package func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

package enum StubBody: Sendable, Equatable {
  case bytes([UInt8])
  /// A file under the fixtures folder, read when it is asked for.
  case file(String)
}
