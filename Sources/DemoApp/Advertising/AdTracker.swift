import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells an advertiser what happened to its ad.
@MainActor protocol AdTracking {
  func track(_ url: URL)
}

/// Sends each tracking URL once, in order, through a session of its own.
///
/// Without a network the URLs wait, also when the app ends; an answer of whatever kind is not asked for twice.
@MainActor final class AdTracker: AdTracking {
  private let session: URLSession
  private let network: NetworkStatus
  private let file: KeptFile<[URL]>
  private var queue: [URL] { didSet { file.save(queue) } }
  private var isSending = false

  /// - Parameter queue: keeps the URLs that wait.
  init(session: URLSession, network: NetworkStatus, queue file: KeptFile<[URL]>) {
    self.session = session
    self.network = network
    self.file = file
    queue = file.load() ?? []
    network.observe { [weak self] _ in self?.sendNext() }
    sendNext()
  }

  func track(_ url: URL) {
    queue.append(url)
    sendNext()
  }

  private func sendNext() {
    guard network.isOnline, !isSending, !queue.isEmpty else { return }
    let url = queue.removeFirst()
    isSending = true
    let returns = network.returns
    Task {
      let wasSent = await session.mayHaveSent(URLRequest(url: url))
      isSending = false
      if !wasSent { queue.insert(url, at: 0) }
      if wasSent || network.returns != returns { sendNext() }
    }
  }
}

extension URLSession {
  /// Sends a request whose answer doesn't matter.
  ///
  /// - Returns: whether it may have reached the server, and must not be sent again.
  func mayHaveSent(_ request: URLRequest) async -> Bool {
    do {
      _ = try await fetch(request)
      return true
    } catch {
      return (error as? URLError)?.code != .notConnectedToInternet
    }
  }
}
