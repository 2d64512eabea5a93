import Foundation
import Testing

@testable import AppHarness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension InterceptorTests {
  @Suite("What is recorded of a request is what is sent") struct SentRequestTests {
    private static func post(_ change: (inout URLRequest) -> Void = { _ in }) -> URLRequest {
      var request = URLRequest(url: url("https://h/post"))
      request.httpMethod = "POST"
      change(&request)
      return request
    }

    @Test("A body as data, also one that isn't a text")
    func dataBody() async throws {
      let launch = try InterceptedLaunch()
      let bytes: [UInt8] = [0, 0xFF, 0x80]
      _ = try await launch.session().data(for: Self.post { $0.httpBody = Data(bytes) })
      _ = try await launch.session().data(for: Self.post { $0.httpBody = Data("책".utf8) })
      #expect(try launch.records().map(\.body) == [bytes, Array("책".utf8)])
    }

    @Test("A body as a stream, and stubs see it")
    func streamBody() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {"bodyPatterns": [{"contains": "zzz"}]}, "response": {"body": "ok"}}"#)
      let body = Data(repeating: UInt8(ascii: "z"), count: 200_000)
      let request = Self.post { $0.httpBodyStream = InputStream(data: body) }
      #expect(try await launch.session().data(for: request).0 == Data("ok".utf8))
      #expect(try launch.records().map { $0.body?.count } == [200_000])
    }

    @Test("The bodies of upload tasks: data, a file, a stream of the delegate")
    func uploads() async throws {
      let launch = try InterceptedLaunch(files: ["up.bin": Data("file".utf8)])
      let session = launch.session(delegate: StreamingDelegate())
      _ = try await session.upload(for: Self.post(), from: Data("data".utf8))
      let file = URL(fileURLWithPath: launch.folder + "/Fixtures/up.bin")
      _ = try await session.upload(for: Self.post(), fromFile: file)
      session.uploadTask(withStreamedRequest: Self.post()).resume()
      await launch.rest()
      let bodies = try launch.records().map { $0.body.map { String(decoding: $0, as: UTF8.self) } }
      #expect(bodies == ["data", "file", "stream"])
    }

    private final class StreamingDelegate: NSObject, URLSessionTaskDelegate {
      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
      ) {
        completionHandler(InputStream(data: Data("stream".utf8)))
      }
    }

    @Test("The session's own headers, where the request has none of that name")
    func additionalHeaders() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {"headers": {"X-Key": {"equalTo": "k"}}}, "response": {"body": "ok"}}"#
      )
      let configuration = launch.configuration {
        $0.httpAdditionalHeaders = ["X-Key": "k", "Accept": "session"]
      }
      var request = URLRequest(url: url("https://h/"))
      request.setValue("request", forHTTPHeaderField: "accept")
      let (body, _) = try await URLSession(configuration: configuration).data(for: request)
      #expect(body == Data("ok".utf8))
      let headers = try #require(launch.records().first?.headers)
      #expect(headers["X-Key"] == "k")
      #expect(headers.filter { $0.key.lowercased() == "accept" }.values.sorted() == ["request"])
    }

    @Test("Cookies are taken from answers and sent back, each where it belongs")
    func cookies() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"""
          {"request": {"urlPath": "/in"}, "response": {"headers": {
            "Set-Cookie": ["id=7; Path=/", "only=there; Path=/there"]}}}
          """#)
      let session = launch.session()
      _ = try await session.data(from: url("https://h.example/in"))
      _ = try await session.data(from: url("https://h.example/next"))
      _ = try await session.data(from: url("https://other.example/next"))
      let sent = try launch.records().map { $0.headers["Cookie"] }
      #expect(sent == [nil, "id=7", nil])
    }

    @Test("A session without cookies takes none")
    func noCookies() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {}, "response": {"headers": {"Set-Cookie": "id=7"}}}"#)
      let configuration = launch.configuration { $0.httpShouldSetCookies = false }
      let session = URLSession(configuration: configuration)
      _ = try await session.data(from: url("https://h.example/a"))
      _ = try await session.data(from: url("https://h.example/b"))
      #expect(try launch.records().map { $0.headers["Cookie"] } == [nil, nil])
    }

    @Test("The action in hand when a request was caused")
    func action() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {}, "response": {"fixedDelayMilliseconds": 1000}}"#)
      let session = launch.session()
      launch.interceptor.beginAction(3)
      session.dataTask(with: url("https://h/3")).resume()
      await launch.rest()
      launch.interceptor.beginAction(4)
      session.dataTask(with: url("https://h/4")).resume()
      await launch.rest()
      #expect(try launch.records().map(\.action) == [3, 4])
    }

    @Test("2,000 requests at once: none is lost, none is counted twice")
    func many() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {"urlPathPattern": "/[0-9]+"}, "response": {"body": "ok"}}"#)
      let session = launch.session()
      let answered = Lines()
      for number in 0..<1000 {
        session.dataTask(with: url("https://h/\(number)")) { data, _, _ in
          answered.add(String(decoding: data ?? Data(), as: UTF8.self))
        }.resume()
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1000..<2000 {
          group.addTask {
            answered.add(
              String(
                decoding: try await session.data(from: url("https://h/\(number)")).0, as: UTF8.self)
            )
          }
        }
        try await group.waitForAll()
      }
      await launch.rest()
      #expect(answered.all.count == 2000)
      #expect(Set(answered.all) == ["ok"])
      let urls = try launch.records().map(\.url)
      #expect(urls.count == 2000)
      #expect(Set(urls).count == 2000)
    }
  }
}
