import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An event of the app's own analytics.
public struct AnalyticsEvent: Codable, Sendable, Equatable {
  public var name: String
  public var parameters: [String: String]

  public init(name: String, parameters: [String: String] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

/// Sends events together: 10 s after the first, at 20, or when the app goes to the background,
/// whichever comes first; none twice, none lost.
///
/// What could not be sent goes with the next batch.
@MainActor public final class EventBatcher {
  public static let interval = Duration.seconds(10)
  public static let limit = 20

  private let session: URLSession
  private let endpoint: URL
  private let clock: any Clock<Duration>
  private var pending: [AnalyticsEvent] = []
  private var timer: Task<Void, Never>?
  private var isSending = false
  /// Whether a flush was asked for while a batch was on its way.
  private var isFlushDue = false

  public init(session: URLSession, endpoint: URL, clock: any Clock<Duration>) {
    self.session = session
    self.endpoint = endpoint
    self.clock = clock
  }

  public func log(_ event: AnalyticsEvent) {
    pending.append(event)
    if pending.count >= Self.limit { flush() } else { startTimer() }
  }

  /// Sends what is there now, a batch at a time.
  public func flush() {
    timer?.cancel()
    timer = nil
    guard !isSending else {
      isFlushDue = true
      return
    }
    guard !pending.isEmpty else { return }
    let batch = Array(pending.prefix(Self.limit))
    pending.removeFirst(batch.count)
    isSending = true
    Task { await deliver(batch) }
  }

  private func deliver(_ batch: [AnalyticsEvent]) async {
    let isDelivered = await post(batch)
    let isMoreDue = isFlushDue || pending.count >= Self.limit
    isSending = false
    isFlushDue = false
    if !isDelivered { pending.insert(contentsOf: batch, at: 0) }
    if isDelivered, isMoreDue { flush() } else { startTimer() }
  }

  private func startTimer() {
    guard timer == nil, !isSending, !pending.isEmpty else { return }
    timer = Task { [clock] in
      try? await clock.sleep(for: Self.interval)
      if !Task.isCancelled { flush() }
    }
  }

  private func post(_ batch: [AnalyticsEvent]) async -> Bool {
    var request = URLRequest(url: endpoint)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let body = try? encoder.encode(["events": batch]) else { return true }
    request.httpBody = body
    guard let answer = try? await session.fetch(request) else { return false }
    return 200..<300 ~= answer.status
  }
}
