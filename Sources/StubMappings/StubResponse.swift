import SourceText

/// What answers a request.
package struct StubResponse: Sendable {
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A file under the fixtures folder, read when it is asked for.
    case file(String)
    /// A part of a capture, decoded when it is asked for.
    case captured(CapturedBody)
  }

  /// What goes wrong instead of an answer.
  package enum Failure: Sendable, Equatable {
    case fault(Fault)
    case urlError(URLErrorName)
  }

  package var status: Int
  /// In the file's order; a name may come several times.
  package var headers: [(name: String, value: String)]
  package var body: Body
  /// On the app's clock.
  package var delay: Duration
  package var failure: Failure?

  package init(
    status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .none,
    delay: Duration = .zero, failure: Failure? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
    self.failure = failure
  }
}

/// WireMock's four faults.
package enum Fault: String, Sendable, CaseIterable {
  case emptyResponse = "EMPTY_RESPONSE"
  case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
  case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
  case connectionResetByPeer = "CONNECTION_RESET_BY_PEER"
}
