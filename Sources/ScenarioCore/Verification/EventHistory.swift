import HarnessProtocol
import JSON
import RequestMatching

/// When the actions of a scenario ran, by the app's clock: what tells which of them tracked an event.
package struct ActionTimes: Sendable {
  private struct Window {
    var action: Int
    var from: Double
    var through: Double
    /// Whether it may be that of earlier actions, too, since the app didn't say its clock after them.
    var isShared: Bool
  }

  private let windows: [Window]
  /// Seconds since 1970.
  let startDate: Double

  /// - Parameters:
  ///   - startDate: when the app's clock started, in seconds since 1970.
  ///   - ends: for each action, the launch (0) included, in order, what the clock said at its end, in seconds
  ///     since the start date; `nil` where the app didn't say. It moves by a millisecond at the start of each.
  package init(startDate: Double, ends: [(action: Int, clock: Double?)]) {
    var windows: [Window] = []
    var last: Double?
    var isShared = false
    for (action, clock) in ends {
      guard let clock else {
        isShared = true
        continue
      }
      windows.append(
        Window(
          action: action,
          // Before the start date nothing ran.
          from: startDate + (last.map { $0 < clock ? $0 + 0.001 : clock } ?? min(0, clock)),
          through: startDate + clock, isShared: isShared))
      (last, isShared) = (clock, false)
    }
    self.windows = windows
    self.startDate = startDate
  }

  /// - Returns: `nil` where the app doesn't tell its clock.
  package init?(_ trace: Trace, of scenario: Scenario) {
    // The app isn't asked to do these.
    let own = Set(scenario.steps.filter { !$0.action.isAnswered }.map(\.id))
    let ends = trace.clockReadings.filter { !own.contains($0.action) }
    guard ends.contains(where: { $0.clock != nil }),
      let date = trace.startDate ?? scenario.clockStart
    else { return nil }
    self.init(startDate: date, ends: ends)
  }

  enum Attribution: Equatable {
    case action(Int)
    /// What the app wrote is too coarse.
    case ambiguous
    /// The app didn't say its clock after an action that may have run then.
    case untold
    /// No action ran then, or the app doesn't tell its clock.
    case outside
  }

  /// The action that ran at a time; what was written may have been cut or rounded.
  func action(at time: EventTime) -> Attribution {
    let slack = 1e-6
    // More than the slack of the windows and what is lost in seconds since 1970, or a millisecond would
    // reach into the next one.
    let low = time.seconds - time.resolution / 2 + 3 * slack
    let high = time.seconds + time.resolution - 3 * slack
    let found = windows.filter {
      $0.from - slack <= max(high, time.seconds) && $0.through + slack >= min(low, time.seconds)
    }
    if found.contains(where: \.isShared) { return .untold }
    if found.count > 1 { return .ambiguous }
    return found.first.map { .action($0.action) } ?? .outside
  }
}

/// As what an event counts in a request.
struct EventCounting: Sendable {
  var isAttempt = true
  var isArrival = true

  var countsAnything: Bool { isAttempt || isArrival }

  func counts(for tally: Tally) -> Bool {
    tally.expectation.measure == .attempts ? isAttempt : isArrival
  }
}

extension TracedEvent {
  var counting: EventCounting { EventCounting(isAttempt: !isRetry, isArrival: isArrival) }
}

/// What is remembered of the events so far.
struct EventHistory: Sendable {
  /// What makes two events the same one.
  struct Identity: Hashable {
    var decoder: ByteText
    var name: ByteText
    var id: ByteText
  }

  /// The number of the first request that is sent after all that carried the event had failed; the highest
  /// number where one of them arrived.
  var retriesFrom: [Identity: Int] = [:]
  /// What a server got, whether the app knows or not.
  var arrived: Set<Identity> = []
  /// What the first said, of events whose like may not be counted, without what makes no difference.
  var contents: [Identity: JSONValue] = [:]
  /// What can't be told, each kind once, with the number of requests.
  var errors: [(message: String, count: Int)] = []
  static let errorLimit = 10
  /// How many events there were of which nobody knows which action tracked them.
  var unplacedEvents = 0

  mutating func add(_ message: String) {
    if let place = errors.firstIndex(where: { $0.message == message }) {
      errors[place].count += 1
    } else if errors.count < Self.errorLimit {
      errors.append((message, 1))
    }
  }
}

/// What SDKs write of each attempt to send an event, whatever the event is.
enum Resending {
  private static let words: Set = [
    "retry", "retries", "retried", "attempt", "attempts", "sent", "sentat", "send", "upload",
    "uploaded", "flush", "flushed", "transmitted", "stm", "qt",
  ]

  /// Whether a name on the way to a member speaks of the attempt: `sentAt`, `retry_count`.
  static func isOfOne(_ path: String) -> Bool {
    path.matches(of: /[A-Z]?[a-z]+|[A-Z]+/).contains { words.contains($0.output.lowercased()) }
  }
}
