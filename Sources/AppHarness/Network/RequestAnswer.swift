import Foundation
import HarnessWire
import StubMappings

/// What a request gets: a response or an error, after a delay on the app's clock.
struct RequestAnswer {
  struct Response {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: Data
  }

  enum Outcome {
    case response(Response)
    case failure(URLError)
  }

  /// Who answers, as the store has it.
  var source: RecordedRequest.Answer
  var outcome: Outcome
  var delay: Duration = .zero

  /// `200` with an empty body.
  static let `default` = RequestAnswer(
    source: .default, outcome: .response(Response(status: 200, headers: [], body: Data())))

  static let offline = RequestAnswer(
    source: .offline, outcome: .failure(URLError(.notConnectedToInternet)))
}

extension RequestAnswer {
  /// - Throws: where the body's file can't be read.
  init(_ stub: StubResponse, fixtures: FixtureFolder) throws {
    delay = stub.delay
    if let failure = stub.failure {
      source = .fault
      outcome = .failure(URLError(URLErrorCodes.code(of: failure)))
    } else {
      source = .stub
      let body = try Self.body(stub.body, fixtures)
      outcome = .response(Response(status: stub.status, headers: stub.headers, body: body))
    }
  }

  private static func body(_ body: StubResponse.Body, _ fixtures: FixtureFolder) throws -> Data {
    switch body {
    case .none: return Data()
    case .bytes(let bytes): return Data(bytes)
    case .file(let name): return try fixtures.contents(of: name)
    case .captured(let captured):
      guard let bytes = captured.bytes() else {
        throw LaunchFailure("a captured body says to be base64, and is not")
      }
      return Data(bytes)
    }
  }

  /// Where a redirect leads.
  ///
  /// - Returns: `nil` where the answer is no redirect.
  func redirect(from url: URL) -> URL? {
    guard case .response(let response) = outcome,
      (301...303).contains(response.status)
        || (307...308).contains(response.status),
      let location = response.headers.first(where: { $0.name.lowercased() == "location" })
    else { return nil }
    return URL(string: location.value, relativeTo: url)?.absoluteURL
  }
}
