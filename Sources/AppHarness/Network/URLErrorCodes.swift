import Foundation
import StubMappings

/// The codes of the errors that stubs name.
enum URLErrorCodes {
  static func code(of failure: StubResponse.Failure) -> URLError.Code {
    switch failure {
    case .fault(let fault): code(of: fault)
    case .urlError(let name): codes[name] ?? .unknown
    }
  }

  /// What a client sees of each fault: a connection that closes is lost, garbage can't be parsed.
  private static func code(of fault: Fault) -> URLError.Code {
    switch fault {
    case .emptyResponse, .connectionResetByPeer: .networkConnectionLost
    case .malformedResponseChunk, .randomDataThenClose: .cannotParseResponse
    }
  }

  static let codes: [URLErrorName: URLError.Code] = [
    .appTransportSecurityRequiresSecureConnection: .appTransportSecurityRequiresSecureConnection,
    .badServerResponse: .badServerResponse,
    .badURL: .badURL,
    .callIsActive: .callIsActive,
    .cancelled: .cancelled,
    .cannotConnectToHost: .cannotConnectToHost,
    .cannotDecodeContentData: .cannotDecodeContentData,
    .cannotDecodeRawData: .cannotDecodeRawData,
    .cannotFindHost: .cannotFindHost,
    .cannotLoadFromNetwork: .cannotLoadFromNetwork,
    .cannotParseResponse: .cannotParseResponse,
    .clientCertificateRejected: .clientCertificateRejected,
    .clientCertificateRequired: .clientCertificateRequired,
    .dataLengthExceedsMaximum: .dataLengthExceedsMaximum,
    .dataNotAllowed: .dataNotAllowed,
    .dnsLookupFailed: .dnsLookupFailed,
    .fileDoesNotExist: .fileDoesNotExist,
    .httpTooManyRedirects: .httpTooManyRedirects,
    .internationalRoamingOff: .internationalRoamingOff,
    .networkConnectionLost: .networkConnectionLost,
    .noPermissionsToReadFile: .noPermissionsToReadFile,
    .notConnectedToInternet: .notConnectedToInternet,
    .redirectToNonExistentLocation: .redirectToNonExistentLocation,
    .requestBodyStreamExhausted: .requestBodyStreamExhausted,
    .resourceUnavailable: .resourceUnavailable,
    .secureConnectionFailed: .secureConnectionFailed,
    .serverCertificateHasBadDate: .serverCertificateHasBadDate,
    .serverCertificateHasUnknownRoot: .serverCertificateHasUnknownRoot,
    .serverCertificateNotYetValid: .serverCertificateNotYetValid,
    .serverCertificateUntrusted: .serverCertificateUntrusted,
    .timedOut: .timedOut,
    .unknown: .unknown,
    .unsupportedURL: .unsupportedURL,
    .userAuthenticationRequired: .userAuthenticationRequired,
    .userCancelledAuthentication: .userCancelledAuthentication,
    .zeroByteResource: .zeroByteResource,
  ]
}
