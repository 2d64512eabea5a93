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

/// An error of `URLSession` by the name that `URLError.Code` gives it.
package struct URLErrorName: Sendable, Equatable {
  package let name: String
  package let code: URLError.Code

  /// - Returns: `nil` for what isn't such a name.
  package init?(_ name: String) {
    guard let code = Self.codes[name] else { return nil }
    self.name = name
    self.code = code
  }

  /// The name of an error's code; `nil` for one that has none.
  package static func name(of code: URLError.Code) -> String? { namesByCode[code] }

  private static let namesByCode = Dictionary(
    codes.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })

  package static let names: [String] = codes.keys.sorted()

  private static let codes: [String: URLError.Code] = [
    "appTransportSecurityRequiresSecureConnection":
      .appTransportSecurityRequiresSecureConnection,
    "backgroundSessionInUseByAnotherProcess": .backgroundSessionInUseByAnotherProcess,
    "backgroundSessionRequiresSharedContainer": .backgroundSessionRequiresSharedContainer,
    "backgroundSessionWasDisconnected": .backgroundSessionWasDisconnected,
    "badServerResponse": .badServerResponse,
    "badURL": .badURL,
    "callIsActive": .callIsActive,
    "cancelled": .cancelled,
    "cannotCloseFile": .cannotCloseFile,
    "cannotConnectToHost": .cannotConnectToHost,
    "cannotCreateFile": .cannotCreateFile,
    "cannotDecodeContentData": .cannotDecodeContentData,
    "cannotDecodeRawData": .cannotDecodeRawData,
    "cannotFindHost": .cannotFindHost,
    "cannotLoadFromNetwork": .cannotLoadFromNetwork,
    "cannotMoveFile": .cannotMoveFile,
    "cannotOpenFile": .cannotOpenFile,
    "cannotParseResponse": .cannotParseResponse,
    "cannotRemoveFile": .cannotRemoveFile,
    "cannotWriteToFile": .cannotWriteToFile,
    "clientCertificateRejected": .clientCertificateRejected,
    "clientCertificateRequired": .clientCertificateRequired,
    "dataLengthExceedsMaximum": .dataLengthExceedsMaximum,
    "dataNotAllowed": .dataNotAllowed,
    "dnsLookupFailed": .dnsLookupFailed,
    "downloadDecodingFailedMidStream": .downloadDecodingFailedMidStream,
    "downloadDecodingFailedToComplete": .downloadDecodingFailedToComplete,
    "fileDoesNotExist": .fileDoesNotExist,
    "fileIsDirectory": .fileIsDirectory,
    "httpTooManyRedirects": .httpTooManyRedirects,
    "internationalRoamingOff": .internationalRoamingOff,
    "networkConnectionLost": .networkConnectionLost,
    "noPermissionsToReadFile": .noPermissionsToReadFile,
    "notConnectedToInternet": .notConnectedToInternet,
    "redirectToNonExistentLocation": .redirectToNonExistentLocation,
    "requestBodyStreamExhausted": .requestBodyStreamExhausted,
    "resourceUnavailable": .resourceUnavailable,
    "secureConnectionFailed": .secureConnectionFailed,
    "serverCertificateHasBadDate": .serverCertificateHasBadDate,
    "serverCertificateHasUnknownRoot": .serverCertificateHasUnknownRoot,
    "serverCertificateNotYetValid": .serverCertificateNotYetValid,
    "serverCertificateUntrusted": .serverCertificateUntrusted,
    "timedOut": .timedOut,
    "unknown": .unknown,
    "unsupportedURL": .unsupportedURL,
    "userAuthenticationRequired": .userAuthenticationRequired,
    "userCancelledAuthentication": .userCancelledAuthentication,
    "zeroByteResource": .zeroByteResource,
  ]
}
