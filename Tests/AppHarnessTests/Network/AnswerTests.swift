import Foundation
import StubMappings
import Testing

@testable import AppHarness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension InterceptorTests {
  @Suite("Answers") struct AnswerTests {
    @Test("No stub answers: 200 and an empty body, recorded as such")
    func unanswered() async throws {
      let launch = try InterceptedLaunch()
      let (body, response) = try await launch.session().data(
        from: url("https://no.such.host/a?b=%20c"))
      #expect(body.isEmpty)
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(try launch.lines() == ["GET https://no.such.host/a?b=%20c default"])
    }

    @Test("A stub's status, headers and body arrive")
    func stub() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"""
          {"request": {"urlPath": "/a"},
           "response": {"status": 404, "headers": {"X-A": ["1", "2"]}, "jsonBody": {"e": "책"}}}
          """#)
      let (body, response) = try await launch.session().data(from: url("https://h/a"))
      let http = try #require(response as? HTTPURLResponse)
      #expect(String(decoding: body, as: UTF8.self) == #"{"e":"책"}"#)
      #expect(http.statusCode == 404)
      #expect(http.value(forHTTPHeaderField: "x-a") == "1, 2")
      #expect(try launch.lines() == ["GET https://h/a stub"])
    }

    @Test("A file of 50 MB is delivered whole")
    func largeFile() async throws {
      var contents = Data(count: 50_000_000)
      for offset in stride(from: 0, to: contents.count, by: 4097) {
        contents[offset] = UInt8(truncatingIfNeeded: offset)
      }
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {}, "response": {"bodyFileName": "large.bin"}}"#,
        files: ["large.bin": contents])
      let (body, _) = try await launch.session().data(from: url("https://h/"))
      #expect(body == contents)
    }

    @Test(
      "Faults and errors reach the app as URLError",
      arguments: [
        (#""fault": "EMPTY_RESPONSE""#, URLError.Code.networkConnectionLost),
        (#""fault": "CONNECTION_RESET_BY_PEER""#, .networkConnectionLost),
        (#""fault": "MALFORMED_RESPONSE_CHUNK""#, .cannotParseResponse),
        (#""fault": "RANDOM_DATA_THEN_CLOSE""#, .cannotParseResponse),
      ] + URLErrorName.names.map { (#""urlError": "\#($0)""#, URLErrorName($0)?.code ?? .unknown) })
    func faults(_ key: String, _ code: URLError.Code) async throws {
      let launch = try InterceptedLaunch(stubs: #"{"request": {}, "response": {\#(key)}}"#)
      let session = launch.session()
      #expect(await errorCode { _ = try await session.data(from: url("https://h/x")) } == code)
      let end = code == .cancelled ? " cancelled" : ""
      #expect(try launch.lines() == ["GET https://h/x fault\(end)"])
    }

    @Test("Offline, requests fail, are recorded, and use up no stub")
    func offline() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {}, "responses": [{"body": "1"}, {"body": "2"}]}"#)
      let session = launch.session()
      await launch.network.set(isOnline: false)
      let code = await errorCode { _ = try await session.data(from: url("https://h/x")) }
      #expect(code == .notConnectedToInternet)
      await launch.network.set(isOnline: true)
      #expect(try await session.data(from: url("https://h/y")).0 == Data("1".utf8))
      #expect(try launch.lines() == ["GET https://h/x offline", "GET https://h/y stub"])
    }

    @Test("Handlers, delegates and asynchronous methods are all called")
    func ways() async throws {
      let launch = try InterceptedLaunch(stubs: #"{"request": {}, "response": {"body": "ok"}}"#)
      let delegate = CountingDelegate()
      let handled = Lines()
      launch.session().dataTask(with: url("https://h/handler")) { data, _, _ in
        handled.add(String(decoding: data ?? Data(), as: UTF8.self))
      }.resume()
      launch.session(delegate: delegate).dataTask(with: url("https://h/delegate")).resume()
      launch.session().dataTask(with: url("https://h/nobody")).resume()
      await launch.rest()
      #expect(handled.all == ["ok"])
      #expect(delegate.events.all == ["response 200", "data ok", "done"])
      #expect(try launch.records().count == 3)
    }

    @Test("The head of a response comes before a malformed chunk")
    func malformedChunk() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {}, "response": {"fault": "MALFORMED_RESPONSE_CHUNK"}}"#)
      let delegate = CountingDelegate()
      launch.session(delegate: delegate).dataTask(with: url("https://h/")).resume()
      await launch.rest()
      #expect(
        delegate.events.all == ["response 200", "failed \(URLError.cannotParseResponse.rawValue)"])
    }

    @Test("A 401 with a challenge is an answer like others, and leads to no network")
    func challenge() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"""
          {"request": {},
           "response": {"status": 401, "headers": {"WWW-Authenticate": "Basic realm=\"x\""}}}
          """#)
      let session = launch.session()
      let (_, response) = try await session.data(from: url("http://localhost:9/"))
      #expect((response as? HTTPURLResponse)?.statusCode == 401)
      #expect(try launch.lines() == ["GET http://localhost:9/ stub"])
    }

    @Test("A stub that can't decide makes the launch doubtful")
    func doubt() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {"bodyPatterns": [{"matches": "(a+)+"}]}, "response": {}}"#)
      var request = URLRequest(url: url("https://h/"))
      request.httpMethod = "POST"
      request.httpBody = Data((String(repeating: "a", count: 40) + "!").utf8)
      let session = launch.session()
      #expect(
        await errorCode { _ = try await session.data(for: request) } == .cannotLoadFromNetwork)
      #expect(launch.interceptor.recordingFailure?.contains("(a+)+") == true)
      #expect(try launch.records().count == 1)
    }
  }
}

/// Writes down what it is called with.
final class CountingDelegate: NSObject, URLSessionDataDelegate {
  let events = Lines()

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    events.add("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    events.add("data " + String(decoding: data, as: UTF8.self))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    events.add(((error as? URLError)?.code.rawValue).map { "failed \($0)" } ?? "done")
  }
}
