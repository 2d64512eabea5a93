import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A value in the properties of an event.
package enum AnalyticsValue: Codable, Sendable, Equatable {
  case text(String)
  case number(Int)

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    }
  }
}

/// Tells how the app is used: sends what is tracked in batches, zipped: at 20, 30 s after the first, or when the app goes to the
/// background. What is tracked while a batch is on its way goes right after it.
///
/// What waits is kept over the app's end. A batch stays until the server has taken it or refused it for good;
/// after a failure it is sent again, each time after a longer pause. Its messages have ids, so that the server
/// knows those that come twice.
@MainActor package final class AnalyticsClient {
  package static let interval = Duration.seconds(30)
  package static let limit = 20
  /// After a failure; each further one is twice as long, up to a minute.
  package static let firstPause = Duration.seconds(1)
  package static let longestPause = Duration.seconds(60)

  private let session: URLSession
  private let endpoint: URL
  private let store: AnalyticsStore
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private var state: AnalyticsState { didSet { store.save(state) } }
  /// Until the next batch is due.
  private var wait: Task<Void, any Error>?
  private var isSending = false
  /// The one after the next failure.
  private var pause = firstPause

  package init(
    session: URLSession, endpoint: URL, store: AnalyticsStore, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date
  ) {
    self.session = session
    self.endpoint = endpoint
    self.store = store
    self.clock = clock
    self.now = now
    state = store.load()
    flush()
  }

  /// Whether the user doesn't want to be tracked. A change forgets what waits, and who the user was.
  package var isOptedOut: Bool {
    get { state.isOptedOut }
    set { state = AnalyticsState(isOptedOut: newValue) }
  }

  /// - Parameter properties: what belongs to this event; names as the tracking plan has them.
  package func track(_ event: String, _ properties: [String: AnalyticsValue]) {
    guard !state.isOptedOut else { return }
    state.queue.append(
      AnalyticsMessage(
        event: event, properties: properties, anonymousId: state.anonymousID, timestamp: now()))
    // After a failure, the next attempt takes it along.
    if pause == Self.firstPause, state.queue.count >= Self.limit {
      flush()
    } else if wait == nil, !isSending {
      flush(after: Self.interval)
    }
  }

  /// Sends all that there is now.
  package func flush() {
    wait?.cancel()
    wait = nil
    guard !isSending, !state.queue.isEmpty else { return }
    isSending = true
    let batch = Array(state.queue.prefix(Self.limit))
    Task {
      let isDone = await send(batch)
      isSending = false
      if isDone { remove(batch) } else { tryAgain() }
    }
  }

  private func flush(after duration: Duration) {
    wait = Task { [clock] in
      try await clock.sleep(for: duration)
      flush()
    }
  }

  private func remove(_ batch: [AnalyticsMessage]) {
    pause = Self.firstPause
    state.queue.removeAll(where: batch.contains)
    flush()
  }

  private func tryAgain() {
    flush(after: pause)
    pause = min(pause * 2, Self.longestPause)
  }

  /// - Returns: whether the server has the messages, or never wants them.
  private func send(_ batch: [AnalyticsMessage]) async -> Bool {
    do {
      let answer = try await session.fetch(try request(batch))
      return answer.status < 500 && answer.status != 429
    } catch {
      return false
    }
  }

  private func request(_ batch: [AnalyticsMessage]) throws -> URLRequest {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let body = try encoder.encode(AnalyticsBatch(batch: batch, sentAt: now().timestamp))
    var request = URLRequest(url: endpoint)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = body
    if let zipped = Gzip.zipped(body) {
      request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
      request.httpBody = zipped
    }
    return request
  }
}

/// What is told of one event, by the names that the server knows.
package struct AnalyticsMessage: Codable, Sendable, Equatable {
  package var type = "track"
  package var messageId = UUID().uuidString
  package var event: String
  package var properties: [String: AnalyticsValue]
  package var anonymousId: String
  package var timestamp: String

  init(
    event: String, properties: [String: AnalyticsValue], anonymousId: String, timestamp: Date
  ) {
    self.event = event
    self.properties = properties
    self.anonymousId = anonymousId
    self.timestamp = timestamp.timestamp
  }
}

private struct AnalyticsBatch: Encodable {
  var batch: [AnalyticsMessage]
  var sentAt: String
}

extension Date {
  /// ISO 8601 with milliseconds, to the nearest one: the style itself cuts off what is below it.
  fileprivate var timestamp: String {
    addingTimeInterval(0.0005).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

/// What is kept of analytics from one launch to the next.
package struct AnalyticsState: Codable, Sendable, Equatable {
  package var anonymousID = UUID().uuidString
  package var isOptedOut = false
  package var queue: [AnalyticsMessage] = []
}

/// Keeps it in a file.
@MainActor package struct AnalyticsStore {
  private let file: URL

  /// - Parameter folder: created where it is missing.
  package init(folder: URL) {
    file = folder.appending(path: "analytics.json")
  }

  package func load() -> AnalyticsState {
    guard let json = try? Data(contentsOf: file) else { return AnalyticsState() }
    return (try? JSONDecoder().decode(AnalyticsState.self, from: json)) ?? AnalyticsState()
  }

  /// What can't be written is kept in memory only: analytics never stand in the user's way.
  package func save(_ state: AnalyticsState) {
    let folder = file.deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? JSONEncoder().encode(state).write(to: file, options: .atomic)
  }
}
