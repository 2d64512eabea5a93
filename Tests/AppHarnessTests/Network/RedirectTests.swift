import Foundation
import Testing

@testable import AppHarness

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension InterceptorTests {
  @Suite("Redirects") struct RedirectTests {
    private static func redirect(_ status: Int, _ path: String, to location: String) -> String {
      #"""
      {"request": {"urlPath": "\#(path)"},
       "response": {"status": \#(status), "headers": {"Location": "\#(location)", "Set-Cookie": "hop=1; Path=/"}}}
      """#
    }

    @Test(
      "Each hop is recorded, by the method that its status asks for",
      arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (303, "HEAD", "HEAD"), (301, "PUT", "PUT"), (307, "POST", "POST"), (308, "PUT", "PUT"),
      ])
    func methods(_ status: Int, _ method: String, _ next: String) async throws {
      let launch = try InterceptedLaunch(
        stubs: Self.redirect(status, "/a", to: "/b"),
        #"{"request": {"urlPath": "/b"}, "response": {"body": "end"}}"#)
      var request = URLRequest(url: url("https://h.example/a"))
      request.httpMethod = method
      if method != "HEAD" { request.httpBody = Data("body".utf8) }
      let (body, response) = try await launch.session().data(for: request)
      #expect(body == Data("end".utf8))
      #expect(response.url == url("https://h.example/b"))
      let records = try launch.records()
      #expect(
        try launch.lines() == [
          "\(method) https://h.example/a stub", "\(next) https://h.example/b stub",
        ])
      #expect(records.last?.body == (next == "GET" || next == "HEAD" ? nil : Array("body".utf8)))
      #expect(records.last?.headers["Cookie"] == "hop=1")
    }

    @Test(
      "Where a Location leads",
      arguments: [
        ("https://other.example/x?y=1", "https://other.example/x?y=1"),
        ("//other.example/x", "https://other.example/x"), ("/x/../y", "https://h.example/y"),
        ("c?d=e", "https://h.example/a/c?d=e"), ("?q=1", "https://h.example/a/b?q=1"),
      ])
    func locations(_ location: String, _ target: String) async throws {
      let launch = try InterceptedLaunch(
        stubs: Self.redirect(302, "/a/b", to: location),
        #"{"request": {"queryParameters": {"old": {"absent": true}}}, "response": {}}"#)
      _ = try await launch.session().data(from: url("https://h.example/a/b?old=1"))
      #expect(try launch.records().last?.url == target)
    }

    @Test("Credentials stay with their origin")
    func credentials() async throws {
      let launch = try InterceptedLaunch(
        stubs: Self.redirect(302, "/same", to: "/end"),
        Self.redirect(302, "/other", to: "https://other.example/end"))
      for path in ["same", "other"] {
        var request = URLRequest(url: url("https://h.example/\(path)"))
        request.setValue("secret", forHTTPHeaderField: "Authorization")
        _ = try await launch.session().data(for: request)
      }
      #expect(
        try launch.records().map { $0.headers["Authorization"] }
          == ["secret", "secret", "secret", nil])
    }

    @Test("A loop ends as URLSession ends it")
    func loop() async throws {
      let launch = try InterceptedLaunch(stubs: Self.redirect(302, "/a", to: "/a"))
      let session = launch.session()
      #expect(
        await errorCode { _ = try await session.data(from: url("https://h/a")) }
          == .httpTooManyRedirects)
      #expect(try launch.records().count == 21)
    }

    @Test("A captured redirect is followed through the capture, each hop recorded")
    func captured() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"""
          {"log": {"entries": [
            {"request": {"method": "GET", "url": "http://h.example/"}, "response": {"status": 301,
             "headers": [{"name": "location", "value": "https://www.h.example/"}]}},
            {"request": {"method": "GET", "url": "https://www.h.example/"}, "response": {"status": 302,
             "headers": [], "redirectURL": "/start"}},
            {"request": {"method": "GET", "url": "https://www.h.example/start"},
             "response": {"status": 200, "content": {"text": "home"}}}]}}
          """#)
      let (body, _) = try await launch.session().data(from: url("http://h.example"))
      #expect(body == Data("home".utf8))
      #expect(
        try launch.lines() == [
          "GET http://h.example stub", "GET https://www.h.example/ stub",
          "GET https://www.h.example/start stub",
        ])
    }

    @Test("A redirect without a target is the answer")
    func noTarget() async throws {
      let launch = try InterceptedLaunch(
        stubs: #"{"request": {}, "response": {"status": 304, "headers": {"Location": "/x"}}}"#)
      let (_, response) = try await launch.session().data(from: url("https://h/"))
      #expect((response as? HTTPURLResponse)?.statusCode == 304)
      #expect(try launch.records().count == 1)
    }

    @Test("The app's delegate decides", arguments: [true, false])
    func delegate(_ follows: Bool) async throws {
      let launch = try InterceptedLaunch(stubs: Self.redirect(302, "/a", to: "/b"))
      let delegate = DecidingDelegate(follows: follows)
      let statuses = Lines()
      launch.session(delegate: delegate).dataTask(with: url("https://h/a")) { _, response, _ in
        statuses.add("\((response as? HTTPURLResponse)?.statusCode ?? 0)")
      }.resume()
      await launch.rest()
      #expect(delegate.asked.all == ["302 https://h/b"])
      #expect(statuses.all == [follows ? "200" : "302"])
      #expect(try launch.records().count == (follows ? 2 : 1))
    }

    private final class DecidingDelegate: NSObject, URLSessionTaskDelegate {
      let follows: Bool
      let asked = Lines()
      init(follows: Bool) { self.follows = follows }

      func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
      ) {
        asked.add("\(response.statusCode) \(request.url?.absoluteString ?? "")")
        completionHandler(follows ? request : nil)
      }
    }
  }
}
