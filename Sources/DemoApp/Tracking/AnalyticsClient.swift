import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A value in the properties of an event.
enum AnalyticsValue: Codable, Sendable, Equatable {
  case text(String)
  case number(Int)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
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
@MainActor final class AnalyticsClient {
  static let interval = Duration.seconds(30)
  static let limit = 20
  /// After a failure; each further one is twice as long, up to a minute.
  static let firstPause = Duration.seconds(1)
  static let longestPause = Duration.seconds(60)

  private let session: URLSession
  private let endpoint: URL
  private let file: KeptFile<AnalyticsState>
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private var state: AnalyticsState { didSet { file.save(state) } }
  /// Until the next batch is due.
  private var wait: Task<Void, any Error>?
  private var isSending = false
  /// The one after the next failure.
  private var pause = firstPause

  init(
    session: URLSession, endpoint: URL, file: KeptFile<AnalyticsState>, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date
  ) {
    self.session = session
    self.endpoint = endpoint
    self.file = file
    self.clock = clock
    self.now = now
    state = file.load() ?? AnalyticsState()
    flush()
  }

  /// Whether the user doesn't want to be tracked. A change forgets what waits, and who the user was.
  var isOptedOut: Bool {
    get { state.isOptedOut }
    set { state = AnalyticsState(isOptedOut: newValue) }
  }

  /// - Parameter properties: what belongs to this event; names as the tracking plan has them.
  func track(_ event: String, _ properties: [String: AnalyticsValue]) {
    guard !state.isOptedOut else { return }
    state.queue.append(
      AnalyticsMessage(
        event: event, properties: properties, anonymousId: state.anonymousID,
        timestamp: now().timestamp))
    // After a failure, the next attempt takes it along.
    if pause == Self.firstPause, state.queue.count >= Self.limit {
      flush()
    } else if wait == nil, !isSending {
      flush(after: Self.interval)
    }
  }

  /// Sends all that there is now.
  func flush() {
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

  /// - Returns: whether the server has the messages, or will never take them.
  private func send(_ batch: [AnalyticsMessage]) async -> Bool {
    do {
      let answer = try await session.fetch(try request(batch))
      return answer.status < 500 && answer.status != 429
    } catch {
      return false
    }
  }

  private func request(_ batch: [AnalyticsMessage]) throws -> URLRequest {
    let body = AnalyticsBatch(batch: batch, sentAt: now().timestamp)
    var request = try URLRequest(posting: body, to: endpoint)
    if let zipped = request.httpBody.flatMap(Gzip.zipped) {
      request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
      request.httpBody = zipped
    }
    return request
  }
}

/// What is told of one event, by the names that the server knows.
struct AnalyticsMessage: Codable, Sendable, Equatable {
  var type = "track"
  var messageId = UUID().uuidString
  var event: String
  var properties: [String: AnalyticsValue]
  var anonymousId: String
  var timestamp: String
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
struct AnalyticsState: Codable, Sendable, Equatable {
  var anonymousID = UUID().uuidString
  var isOptedOut = false
  var queue: [AnalyticsMessage] = []
}
