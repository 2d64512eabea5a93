import AppHarness
import Foundation
import Testing

@testable import DemoApp

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SessionTests {
  @MainActor @Suite("Events are sent together", .timeLimit(.minutes(10)))
  struct EventBatcherTests {
    private let clock = VirtualClock()
    private let network = NetworkStatus(isOnline: true)

    private func batcher(_ server: TestServer.Session) throws -> EventBatcher {
      EventBatcher(
        session: server.urlSession, endpoint: try #require(URL(string: "https://track/events")),
        network: network, clock: clock)
    }

    /// The names of the events of each request.
    private func batches(_ server: TestServer.Session) throws -> [[String]] {
      try server.requests.map { request in
        let body = try #require(request.httpBody)
        return try JSONDecoder().decode([String: [AnalyticsEvent]].self, from: body)[
          "events", default: []
        ]
        .map(\.name)
      }
    }

    private func log(_ range: ClosedRange<Int>, to batcher: EventBatcher) {
      for number in range { batcher.log(AnalyticsEvent(name: "\(number)")) }
    }

    @Test("ten seconds after the first")
    func interval() async throws {
      let server = TestServer.session()
      let batcher = try batcher(server)
      log(1...1, to: batcher)
      await until { clock.nextDeadline?.offset == .seconds(10) }
      clock.pass(to: .seconds(9))
      log(2...2, to: batcher)
      await clock.advance(to: .seconds(10))
      await until { !server.requests.isEmpty }
      #expect(try batches(server) == [["1", "2"]])
    }

    @Test("twenty at a time, in order, whatever the server answers")
    func limit() async throws {
      let server = TestServer.session(TestServer.Answer(status: 500))
      let batcher = try batcher(server)
      log(1...45, to: batcher)
      await until { server.requests.count >= 2 }
      batcher.flush()
      await until { server.requests.count >= 3 }
      let names = (1...45).map(String.init)
      #expect(
        try batches(server) == [Array(names[..<20]), Array(names[20..<40]), Array(names[40...])])
    }

    @Test("without a network they wait, and none is lost or sent twice")
    func offline() async throws {
      let server = TestServer.session(.error(.notConnectedToInternet), TestServer.Answer())
      let batcher = try batcher(server)
      log(1...2, to: batcher)
      batcher.flush()
      await until { server.requests.count == 1 }
      network.isOnline = false
      log(3...3, to: batcher)
      batcher.flush()
      network.isOnline = true
      await until { server.requests.count >= 2 }
      #expect(try batches(server).last?.suffix(1) == ["3"])
    }
  }
}
