import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells an advertiser what happened to its ad.
@MainActor package protocol AdTracking {
  func track(_ url: URL)
}

/// Sends each tracking URL once, in order, through a session of its own.
///
/// Without a network the URLs wait; an answer of whatever kind is not asked for twice.
@MainActor package final class AdTracker: AdTracking {
  private let session: URLSession
  private let network: NetworkStatus
  private let store: any TrackingQueueStore
  private var queue: [URL] { didSet { store.save(queue) } }
  private var isSending = false

  package init(session: URLSession, network: NetworkStatus, store: any TrackingQueueStore) {
    self.session = session
    self.network = network
    self.store = store
    queue = store.load()
    network.observe { [weak self] _ in self?.sendNext() }
    sendNext()
  }

  package func track(_ url: URL) {
    queue.append(url)
    sendNext()
  }

  private func sendNext() {
    guard network.isOnline, !isSending, !queue.isEmpty else { return }
    let url = queue.removeFirst()
    isSending = true
    let returns = network.returns
    Task {
      let wasSent = await send(url)
      isSending = false
      if !wasSent { queue.insert(url, at: 0) }
      if wasSent || network.returns != returns { sendNext() }
    }
  }

  /// - Returns: whether the request may have reached the tracker, and must not be sent again.
  private func send(_ url: URL) async -> Bool {
    do {
      _ = try await session.fetch(URLRequest(url: url))
      return true
    } catch {
      return (error as? URLError)?.code != .notConnectedToInternet
    }
  }
}

/// Keeps tracking URLs that wait for a network, also when the app ends.
@MainActor package protocol TrackingQueueStore {
  func load() -> [URL]
  func save(_ urls: [URL])
}

/// Keeps them in a file.
@MainActor package struct FileTrackingQueueStore: TrackingQueueStore {
  private let file: URL

  /// - Parameter folder: created where it is missing.
  package init(folder: URL) {
    file = folder.appending(path: "tracking-queue.json")
  }

  package func load() -> [URL] {
    guard let json = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([URL].self, from: json)) ?? []
  }

  /// A queue that can't be written is kept in memory only: tracking never stands in the user's way.
  package func save(_ urls: [URL]) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? JSONEncoder().encode(urls).write(to: file, options: .atomic)
  }
}
