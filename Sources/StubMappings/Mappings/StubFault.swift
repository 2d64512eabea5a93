import Foundation

/// A broken connection, as WireMock can make one.
package enum StubFault: String, Sendable, CaseIterable {
  /// Closes the connection without an answer.
  case emptyResponse = "EMPTY_RESPONSE"
  /// Sends the status line of a `200`, then garbage.
  case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
  /// Sends garbage instead of an answer.
  case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
  /// Resets the connection.
  case connectionResetByPeer = "CONNECTION_RESET_BY_PEER"

  /// What `URLSession` tells the app when a server does this.
  package var error: URLError.Code {
    switch self {
    case .emptyResponse, .connectionResetByPeer: .networkConnectionLost
    case .malformedResponseChunk, .randomDataThenClose: .cannotParseResponse
    }
  }

  /// Whether the app sees the head of a response before the error.
  package var sendsHead: Bool { self == .malformedResponseChunk }
}
