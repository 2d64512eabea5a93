import Foundation
import Synchronization
import Testing

@testable import DemoApp

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Holds the suites whose requests the test server answers: one after the other, since it is one.
@Suite("Through a session", .serialized) enum SessionTests {}

/// Answers the requests of a test, and remembers them.
final class TestServer: URLProtocol {
  struct Answer: Sendable {
    var status = 200
    var body = Data()
    var error: URLError?

    static func json(_ text: String) -> Answer { Answer(body: Data(text.utf8)) }
    static func error(_ code: URLError.Code) -> Answer { Answer(error: URLError(code)) }
  }

  private struct State {
    var answers: [Answer] = []
    var requests: [URLRequest] = []
  }

  /// `URLProtocol` objects are made by the system, which hands them nothing of ours: they find the
  /// test's state here.
  private static let state = Mutex(State())

  /// A session for one test, answered in the order of its requests; the last answer repeats.
  static func session(_ answers: Answer...) -> Session {
    state.withLock { $0 = State(answers: answers) }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [TestServer.self]
    return Session(urlSession: URLSession(configuration: configuration))
  }

  struct Session {
    let urlSession: URLSession

    var requests: [URLRequest] { TestServer.state.withLock { $0.requests } }
    /// - Parameter base: where the app's server is.
    func server(_ base: String) throws -> Server {
      Server(
        session: urlSession, base: try #require(URL(string: base)),
        decoder: AnswerDecoder { _, _ in })
    }

    var urls: [String] { requests.compactMap { $0.url?.absoluteString } }
  }

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}

  override func startLoading() {
    let answer = Self.answer(request)
    if let error = answer.error {
      client?.urlProtocol(self, didFailWithError: error)
      return
    }
    let response = request.url.flatMap {
      HTTPURLResponse(url: $0, statusCode: answer.status, httpVersion: nil, headerFields: nil)
    }
    if let response {
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }
    client?.urlProtocol(self, didLoad: answer.body)
    client?.urlProtocolDidFinishLoading(self)
  }

  private static func answer(_ request: URLRequest) -> Answer {
    state.withLock { state in
      state.requests.append(request)
      if state.answers.count > 1 { return state.answers.removeFirst() }
      return state.answers.first ?? Answer()
    }
  }
}
