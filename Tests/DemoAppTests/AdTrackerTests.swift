import Foundation
import Testing

@testable import DemoApp

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SessionTests {
  @MainActor @Suite("A tracking URL is sent once", .timeLimit(.minutes(10)))
  final class AdTrackerTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private var queue: KeptFile<[URL]> { KeptFile("queue.json", in: folder) }
    private let network = NetworkStatus(isOnline: true)

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func tracker(_ server: TestServer.Session) -> AdTracker {
      AdTracker(session: server.urlSession, network: network, queue: queue)
    }

    private func track(_ names: String..., by tracker: AdTracker) {
      for url in names.compactMap({ URL(string: "https://ad/\($0)") }) { tracker.track(url) }
    }

    @Test(
      "in order, whatever the server answers",
      arguments: [
        TestServer.Answer(), TestServer.Answer(status: 500), .error(.timedOut),
        .error(.networkConnectionLost),
      ])
    func order(answer: TestServer.Answer) async {
      let server = TestServer.session(answer)
      let tracker = tracker(server)
      track("1", "2", "3", by: tracker)
      await until { server.urls.count >= 3 }
      track("4", by: tracker)
      await until { server.urls.count >= 4 }
      #expect(server.urls == ["https://ad/1", "https://ad/2", "https://ad/3", "https://ad/4"])
      #expect(queue.load() == [])
    }

    @Test("what waits for the network is sent when it is back, also by the next launch")
    func offline() async {
      let server = TestServer.session()
      network.isOnline = false
      track("1", "2", by: tracker(server))
      #expect(server.urls.isEmpty)
      #expect(queue.load()?.count == 2)
      let next = tracker(server)
      track("3", by: next)
      network.isOnline = true
      await until { server.urls.count >= 3 }
      #expect(server.urls == ["https://ad/1", "https://ad/2", "https://ad/3"])
    }

    @Test("what certainly did not leave the device goes first when the network is back")
    func notConnected() async {
      let server = TestServer.session(.error(.notConnectedToInternet), TestServer.Answer())
      let tracker = tracker(server)
      track("1", by: tracker)
      await until { queue.load()?.count == 1 && server.urls.count == 1 }
      network.isOnline = false
      track("2", by: tracker)
      network.isOnline = true
      await until { server.urls.count >= 3 }
      #expect(server.urls == ["https://ad/1", "https://ad/1", "https://ad/2"])
    }
  }
}
