import DemoApp
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor @Suite("A tracking URL is sent once", .timeLimit(.minutes(1)), .serialized)
struct AdTrackerTests {
  /// Answers what the test says, and remembers what was asked.
  private final class Server: URLProtocol {
    /// In the order of the requests; the last repeats.
    static let answers = Mutex<[Result<Int, URLError>]>([])
    static let requests = Mutex<[String]>([])

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
      guard let url = request.url else { return }
      Self.requests.withLock { $0.append(url.absoluteString) }
      let answer = Self.answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
      switch answer ?? .success(200) {
      case .failure(let error): client?.urlProtocol(self, didFailWithError: error)
      case .success(let status):
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        if let response {
          client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        }
        client?.urlProtocolDidFinishLoading(self)
      }
    }
  }

  @MainActor private final class MemoryStore: TrackingQueueStore {
    var urls: [URL] = []
    func load() -> [URL] { urls }
    func save(_ urls: [URL]) { self.urls = urls }
  }

  private let store = MemoryStore()
  private let network = NetworkStatus()

  init() {
    Server.requests.withLock { $0 = [] }
    Server.answers.withLock { $0 = [] }
  }

  private var sent: [String] { Server.requests.withLock { $0 } }

  private func tracker() -> AdTracker {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Server.self]
    return AdTracker(
      session: URLSession(configuration: configuration), network: network, store: store)
  }

  private func track(_ names: String..., by tracker: AdTracker) {
    for url in names.compactMap({ URL(string: "https://ad/\($0)") }) { tracker.track(url) }
  }

  @Test(
    "in order, whatever the server answers",
    arguments: [
      .success(200), .success(500), .failure(URLError(.timedOut)),
      .failure(URLError(.networkConnectionLost)),
    ] as [Result<Int, URLError>])
  func order(answer: Result<Int, URLError>) async {
    Server.answers.withLock { $0 = [answer] }
    let tracker = tracker()
    track("1", "2", "3", by: tracker)
    await until { sent.count >= 3 }
    track("4", by: tracker)
    await until { sent.count >= 4 }
    #expect(sent == ["https://ad/1", "https://ad/2", "https://ad/3", "https://ad/4"])
    #expect(store.urls.isEmpty)
  }

  @Test("what waits for the network is sent when it is back, also by the next launch")
  func offline() async {
    network.isOnline = false
    track("1", "2", by: tracker())
    #expect(sent.isEmpty)
    #expect(store.urls.count == 2)
    let next = tracker()
    track("3", by: next)
    network.isOnline = true
    await until { sent.count >= 3 }
    #expect(sent == ["https://ad/1", "https://ad/2", "https://ad/3"])
  }

  @Test("what certainly did not leave the device goes first when the network is back")
  func notConnected() async {
    Server.answers.withLock { $0 = [.failure(URLError(.notConnectedToInternet)), .success(200)] }
    let tracker = tracker()
    track("1", by: tracker)
    await until { store.urls.count == 1 && sent.count == 1 }
    network.isOnline = false
    track("2", by: tracker)
    network.isOnline = true
    await until { sent.count >= 3 }
    #expect(sent == ["https://ad/1", "https://ad/1", "https://ad/2"])
  }
}
