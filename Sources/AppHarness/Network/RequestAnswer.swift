import Foundation
import HarnessProtocol
import StubMappings

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a request gets: a response or an error, after a delay on the app's clock.
struct RequestAnswer {
  struct Response {
    var status = 200
    var headers: [StubHeader] = []
    var body = Data()

    func values(of name: String) -> [String] {
      headers.filter { $0.isNamed(name) }.map(\.value)
    }
  }

  enum Outcome {
    case response(Response)
    /// An error; before it, where the connection breaks in the middle, the head of a response.
    case failure(URLError.Code, head: Response?)
  }

  /// Who answers, as the store has it.
  var source: RecordedRequest.Answer
  var outcome: Outcome
  var delay: Duration = .zero

  /// `200` with an empty body.
  static let `default` = RequestAnswer(source: .default, outcome: .response(Response()))

  static let offline = RequestAnswer(
    source: .offline, outcome: .failure(.notConnectedToInternet, head: nil))
}

extension RequestAnswer {
  /// - Throws: `FixtureError` where the body's file can't be read.
  init(_ stub: StubResponse, fixtures: FixtureFolder) throws {
    delay = stub.delay
    switch stub.outcome {
    case .message(let message):
      source = .stub
      outcome = .response(
        Response(
          status: message.status, headers: message.headers,
          body: try Self.body(message.body, fixtures)))
    case .fault(let fault):
      source = .fault
      outcome = .failure(fault.error, head: fault.sendsHead ? Response() : nil)
    case .failure(let error):
      source = .fault
      outcome = .failure(error.code, head: nil)
    }
  }

  private static func body(_ body: StubBody, _ fixtures: FixtureFolder) throws -> Data {
    switch body {
    case .bytes(let bytes): Data(bytes)
    case .file(let name): try fixtures.contents(of: name)
    }
  }

  /// The answer once a schedule has had its way with it.
  func suffering(_ fate: AnswerFate) -> RequestAnswer {
    var answer = self
    switch fate {
    case .delivered: break
    case .status(let status): answer.outcome = .response(Response(status: status))
    case .timedOut: answer.outcome = .failure(.timedOut, head: nil)
    case .offline: answer.outcome = .failure(.notConnectedToInternet, head: nil)
    case .lost: answer.outcome = .failure(.networkConnectionLost, head: nil)
    }
    return answer
  }

  /// How a request to `url` ends by this answer before anything else can happen; `nil` where it comes later,
  /// or leads elsewhere.
  func end(from url: URL) -> RequestEnd? {
    guard delay <= .zero else { return nil }
    switch outcome {
    case .failure(let code, _): return RequestEnd(code)
    case .response(let response):
      return response.redirect(from: url) == nil ? .status(response.status) : nil
    }
  }

  /// The same answer for a client that waits no longer than `timeout`.
  func limited(to timeout: Duration) -> RequestAnswer {
    guard delay > timeout else { return self }
    return RequestAnswer(
      source: source, outcome: .failure(.timedOut, head: nil), delay: timeout)
  }
}

/// Makes the response that an app sees.
enum HTTPResponseHead {
  static func make(_ response: RequestAnswer.Response, url: URL) -> HTTPURLResponse? {
    HTTPURLResponse(
      url: url, statusCode: response.status, httpVersion: "HTTP/1.1",
      headerFields: response.headers.isEmpty ? nil : fields(response))
  }

  private static func fields(_ response: RequestAnswer.Response) -> [String: String] {
    var fields: [String: String] = [:]
    var names: [String: String] = [:]
    for header in response.headers where isPassedOn(header.name, response.status) {
      // A header that comes several times is one with a list (RFC 9110, section 5.3).
      let key = names[header.name.lowercased()] ?? header.name
      names[header.name.lowercased()] = key
      fields[key] = fields[key].map { "\($0), \(header.value)" } ?? header.value
    }
    return fields
  }

  private static func isPassedOn(_ name: String, _ status: Int) -> Bool {
    !(TaskInternals.answersChallengesByItself && status == 401
      && name.lowercased() == "www-authenticate")
  }
}

extension RequestEnd {
  init(_ code: URLError.Code) { self = .error(URLErrorName.name(of: code) ?? "unknown") }
}
