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
