import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An event of the app's own analytics.
struct AnalyticsEvent: Codable {
  var name: String
  var parameters: [String: String] = [:]
}

/// Takes note of what the user does.
@MainActor protocol EventLogging {
  func log(_ event: AnalyticsEvent)
  /// Sends all that there is now.
  func flush()
}

/// Sends events together: 10 s after the first, at 20, or when the app goes to the background,
/// whichever comes first; none twice, none lost.
///
/// Without a network they wait. What may have arrived is not sent again, whatever was answered.
@MainActor final class EventBatcher: EventLogging {
  static let interval = Duration.seconds(10)
  static let limit = 20

  private let session: URLSession
  private let endpoint: URL
  private let network: NetworkStatus
  private let clock: any Clock<Duration>
  private var pending: [AnalyticsEvent] = []
  /// How many of those pending are to be sent as soon as it is possible.
  private var dueCount = 0
  private var timer: Task<Void, Never>?
  private var isSending = false

  init(
    session: URLSession, endpoint: URL, network: NetworkStatus, clock: any Clock<Duration>
  ) {
    self.session = session
    self.endpoint = endpoint
    self.network = network
    self.clock = clock
    network.observe { [weak self] _ in self?.sendNext() }
  }

  func log(_ event: AnalyticsEvent) {
    pending.append(event)
    if pending.count - dueCount >= Self.limit { flush() } else { startTimer() }
  }

  func flush() {
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
      let request = try? URLRequest(posting: ["events": batch], to: endpoint)
      let wasSent = if let request { await session.mayHaveSent(request) } else { true }
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
}
