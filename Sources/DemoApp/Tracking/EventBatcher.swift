import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An event of the app's own analytics.
package struct AnalyticsEvent: Codable, Sendable, Equatable {
  package var name: String
  package var parameters: [String: String]

  package init(name: String, parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

/// Takes note of what the user does.
@MainActor package protocol EventLogging {
  func log(_ event: AnalyticsEvent)
}

/// Sends events together: 10 s after the first, at 20, or when the app goes to the background,
/// whichever comes first; none twice, none lost.
///
/// Without a network they wait. What may have arrived is not sent again, whatever was answered.
@MainActor package final class EventBatcher: EventLogging {
  package static let interval = Duration.seconds(10)
  package static let limit = 20

  private let session: URLSession
  private let endpoint: URL
  private let network: NetworkStatus
  private let clock: any Clock<Duration>
  private var pending: [AnalyticsEvent] = []
  /// How many of those pending are to be sent as soon as it is possible.
  private var dueCount = 0
  private var timer: Task<Void, Never>?
  private var isSending = false

  package init(
    session: URLSession, endpoint: URL, network: NetworkStatus, clock: any Clock<Duration>
  ) {
    self.session = session
    self.endpoint = endpoint
    self.network = network
    self.clock = clock
    network.observe { [weak self] _ in self?.sendNext() }
  }

  package func log(_ event: AnalyticsEvent) {
    pending.append(event)
    if pending.count - dueCount >= Self.limit { flush() } else { startTimer() }
  }

  /// Sends all that there is now.
  package func flush() {
    timer?.cancel()
    timer = nil
    dueCount = pending.count
    sendNext()
  }

  private func startTimer() {
    guard timer == nil else { return }
    timer = Task { [clock] in
      try? await clock.sleep(for: Self.interval)
      if !Task.isCancelled { flush() }
    }
  }

  private func sendNext() {
    guard network.isOnline, !isSending, dueCount > 0 else { return }
    let batch = Array(pending.prefix(min(dueCount, Self.limit)))
    pending.removeFirst(batch.count)
    dueCount -= batch.count
    isSending = true
    let returns = network.returns
    Task {
      let wasSent = await send(batch)
      isSending = false
      if !wasSent { putBack(batch) }
      if wasSent || network.returns != returns { sendNext() }
    }
  }

  /// Until the network comes back, or the next batch is due.
  private func putBack(_ batch: [AnalyticsEvent]) {
    pending.insert(contentsOf: batch, at: 0)
    dueCount += batch.count
  }

  /// - Returns: whether the events may have reached the server, and must not be sent again.
  private func send(_ batch: [AnalyticsEvent]) async -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var request = URLRequest(url: endpoint)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    do {
      request.httpBody = try encoder.encode(["events": batch])
      _ = try await session.fetch(request)
      return true
    } catch {
      return (error as? URLError)?.code != .notConnectedToInternet
    }
  }
}
