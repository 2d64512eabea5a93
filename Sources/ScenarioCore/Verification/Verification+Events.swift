import Foundation
import HarnessProtocol
import JSON
import RequestMatching
import SourceText

/// When the actions of a scenario ran, by the app's clock: what tells which of them tracked an event.
package struct ActionTimes: Sendable {
  private struct Window {
    var action: Int
    var from: Double
    var through: Double
  }

  private let windows: [Window]
  /// Seconds since 1970.
  let startDate: Double

  /// - Parameters:
  ///   - startDate: when the app's clock started, in seconds since 1970.
  ///   - ends: for each action, the launch (0) included, in order, what the clock said at its end, in seconds
  ///     since the start date. It moves by a millisecond at the start of each.
  package init(startDate: Double, ends: [(action: Int, clock: Double)]) {
    var windows: [Window] = []
    var last = -Double.infinity
    for end in ends {
      windows.append(
        Window(
          action: end.action, from: startDate + (last < end.clock ? last + 0.001 : end.clock),
          through: startDate + end.clock))
      last = end.clock
    }
    self.windows = windows
    self.startDate = startDate
  }

  /// - Returns: `nil` where the app doesn't tell its clock.
  package init?(_ trace: Trace, of scenario: Scenario) {
    let ends = trace.clockReadings
    guard !ends.isEmpty, let date = trace.startDate ?? scenario.clockStart else { return nil }
    self.init(startDate: date, ends: ends)
  }

  enum Attribution: Equatable {
    case action(Int)
    /// What the app wrote is too coarse.
    case ambiguous
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

  mutating func add(_ message: String) {
    if let place = errors.firstIndex(where: { $0.message == message }) {
      errors[place].count += 1
    } else if errors.count < Self.errorLimit {
      errors.append((message, 1))
    }
  }
}

/// What SDKs write of each attempt to send an event, whatever the event is.
private enum Resending {
  private static let words: Set = [
    "retry", "retries", "retried", "attempt", "attempts", "sent", "sentat", "send", "upload",
    "uploaded", "flush", "flushed", "transmitted", "stm", "qt",
  ]

  /// Whether a name on the way to a member speaks of the attempt: `sentAt`, `retry_count`.
  static func isOfOne(_ path: String) -> Bool {
    path.matches(of: /[A-Z]?[a-z]+|[A-Z]+/).contains { words.contains($0.output.lowercased()) }
  }
}

extension String {
  /// For a message.
  fileprivate var shortened: String { count > 60 ? prefix(60) + "…" : self }
}

extension Verification {
  /// The events of a trace that weren't sent before, in the order of its requests.
  ///
  /// What can't be told of them is told with the verdict.
  package static func events(of scenario: Scenario, in trace: Trace) -> [TracedEvent] {
    var verification = Verification(scenario: scenario, times: ActionTimes(trace, of: scenario))
    return trace.requests.flatMap { traced in
      verification.traced(traced.events, of: traced.request, number: traced.number)
        .filter { !$0.isRetry }
    }
  }

  /// The decoders that look at a request, each with why that can't be told.
  func decoders(
    lookingAt url: UnsafeBufferPointer<UInt8>, isGet: Bool, request: () -> ObservedRequest
  ) -> [(decoder: EventDecoder, doubt: MatchingDoubt?)] {
    guard !scenario.decoders.isEmpty else { return [] }
    var looking: [(decoder: EventDecoder, doubt: MatchingDoubt?)] = []
    let matchable = { request().matchable }
    decoderPatterns.forEachMatch(url: url, isGet: isGet, request: matchable) { index, doubt in
      looking.append((scenario.decoders[index], doubt))
    }
    return looking
  }

  /// The events that decoders find in a request.
  mutating func events(
    foundBy looking: [(decoder: EventDecoder, doubt: MatchingDoubt?)],
    request: () -> ObservedRequest
  ) -> [AnalyticsEvent] {
    var events: [AnalyticsEvent] = []
    for (decoder, doubt) in looking {
      decoderUse[decoder.name, default: DecoderUse()].requests += 1
      do throws(EventFault) {
        if let doubt { throw .doubt(doubt) }
        let found = try decoder.events(in: request().matchable)
        decoderUse[decoder.name, default: DecoderUse()].events += found.count
        events += found
      } catch {
        history.add(Self.message(error, decoder, request().recorded))
      }
    }
    return events
  }

  /// Judges each event of a request, at the action that tracked it.
  mutating func observe(_ events: [TracedEvent], of request: RecordedRequest) {
    for event in events where event.counting.countsAnything {
      observe(event.event, request.tracking(event), event.counting)
    }
  }

  /// - Parameter carrier: its request, with the action that tracked the event.
  mutating func observe(
    _ event: AnalyticsEvent, _ carrier: RecordedRequest, _ counts: EventCounting
  ) {
    let (naming, listed) = count(event, carrier, counts)
    if counts.isAttempt { judge(carrier, event, naming, listed, isAccounted: true) }
  }

  /// The events of a request, each with the action that tracked it.
  ///
  /// - Parameter number: the request's place among all, from 1.
  mutating func traced(
    _ events: [AnalyticsEvent], of request: RecordedRequest, number: Int
  ) -> [TracedEvent] {
    var found: [TracedEvent] = []
    for event in events {
      let counting = note(event, request, number)
      var traced = TracedEvent(
        event, action: action(of: event, request), isRetry: !counting.isAttempt)
      traced.isArrival = counting.isArrival
      lookForFlaws(in: event, request.tracking(traced))
      found.append(traced)
    }
    return found
  }

  private mutating func lookForFlaws(in event: AnalyticsEvent, _ carrier: RecordedRequest) {
    do throws(MatchingDoubt) {
      let hits = try flaws.hits(in: event, of: carrier)
      if !hits.isEmpty { flaws.add(hits, occurrence(carrier, event)) }
    } catch {
      history.add(
        "The tracking plan can't judge event \"\(event.name)\" (\(event.decoder)): \(error)")
    }
  }

  /// Whether the event counts as an attempt, which one that is sent again after every request with it had failed
  /// doesn't, and whether it arrives, which it does once.
  private mutating func note(
    _ event: AnalyticsEvent, _ request: RecordedRequest, _ number: Int
  ) -> EventCounting {
    let arrives = request.hasArrived
    guard let id = event.id else { return EventCounting(isAttempt: true, isArrival: arrives) }
    let identity = EventHistory.Identity(
      decoder: ByteText(event.decoder), name: ByteText(event.name), id: ByteText(id))
    let from = history.retriesFrom[identity]
    history.retriesFrom[identity] = max(
      from ?? 0, request.hasSucceeded ? .max : number + request.overlap + 1)
    let counting = EventCounting(
      isAttempt: from.map { number < $0 } ?? true,
      isArrival: arrives && history.arrived.insert(identity).inserted)
    let isKnown = !counting.isAttempt || countsArrivals && arrives && !counting.isArrival
    if let first = history.contents[identity] {
      if isKnown { compare(content(of: event, request), with: first, event) }
    } else if countsArrivals || !request.hasSucceeded {
      history.contents[identity] = content(of: event, request)
    }
    return counting
  }

  /// What of an event is the same when it is sent again. A request that is an event may get other headers: a
  /// new token, a number of its own.
  private func content(of event: AnalyticsEvent, _ request: RecordedRequest) -> JSONValue {
    guard event.isWhole(request), case .object(var content) = event.essence else {
      return event.essence
    }
    (content["headers"], content["url"]) = (nil, nil)
    if case .object(let query)? = content["query"] {
      content["query"] = .object(
        JSONObject(query.members.filter { !volatile.contains(Array($0.key.utf8)) }))
    }
    return .object(content)
  }

  /// What isn't counted, since it was sent before, is what was sent before: nobody else judges it.
  private mutating func compare(
    _ content: JSONValue, with first: JSONValue, _ event: AnalyticsEvent
  ) {
    if first == content { return }
    let times = scenario.decoders.first { $0.name.hasSameBytes(as: event.decoder) }?.layout.time
    let difference = JSONComparison(ignoreArrayOrder: false, ignoreExtraElements: false)
      .differences(WantedJSON(exactly: first), content)
      .first { difference in
        !Resending.isOfOne(difference.path)
          && times?.contains { $0.text.hasSameBytes(as: difference.path) } != true
      }
    guard let difference else { return }
    history.add(
      "Event \"\(event.name)\" (\(event.decoder)) was sent again by its id with other content: "
        + "\(difference.path) was \(difference.wanted?.shortened ?? "absent") and became "
        + "\(difference.got?.shortened ?? "absent"). It counts as the same event, so nobody judges the "
        + "difference. Let the app give another event another id; what may differ when it is sent again"
        + " belongs in \"ignore\" of the decoder.")
  }

  /// The action during which the event was tracked, whichever sent it.
  private mutating func action(of event: AnalyticsEvent, _ request: RecordedRequest) -> Int? {
    guard let time = event.time else { return request.action }
    let attribution = times?.action(at: time)
    if case .action(let action) = attribution { return action }
    // Then it matters only to what is told.
    if isDisturbed { return request.action }
    switch attribution {
    case .action(let action)?: return action
    case .ambiguous?:
      history.add(
        "The time of event \"\(event.name)\" (\(event.decoder)) doesn't tell which action tracked it:"
          + " several ran at that time. Let the app write milliseconds, or use a decoder without \"time\"."
      )
    case .outside?:
      history.add(
        "The time of event \"\(event.name)\" (\(event.decoder)) is none at which an action ran. Let the"
          + " app take it from its own clock, or use a decoder without \"time\".")
    case nil:
      history.add(
        "The app doesn't tell its clock, so nobody knows which action tracked event \"\(event.name)\""
          + " (\(event.decoder)). Answer with \"clock\", or use a decoder without \"time\".")
    }
    return nil
  }

  /// What can't be told of events.
  var eventErrors: [RunError] {
    history.errors.map { message, count in
      RunError(
        .unreadableEvents, count == 1 ? message : "\(message) (\(count) times)",
        location: scenario.location)
    }
  }

  private static func message(
    _ fault: EventFault, _ decoder: EventDecoder, _ request: RecordedRequest
  ) -> String {
    let place = "\(request.method ?? "GET") \(request.url)"
    let subject = "The decoder \"\(decoder.name)\" can't read \(place)"
    switch fault {
    case .undecodableBody(let problem): return "\(subject): its body \(problem)."
    case .doubledKey(let key):
      return "\(subject): the key \"\(key)\" is there twice, and nobody knows which is meant."
    case .doubledMember(let number, let path):
      return
        "\(subject): event \(number) has \"\(path)\" twice, and nobody knows which is meant."
    case .missingName(let number):
      return "\(subject): event \(number) has no name that is a string where \"name\" says."
    case .unreadableID(let number):
      return "\(subject): the id of event \(number) is neither a string nor a number."
    case .unreadableTime(let number, let text):
      return
        "\(subject): the time of event \(number) is \(text), neither ISO 8601 nor a number of seconds or"
        + " milliseconds since 1970."
    case .doubt(let doubt): return "\(subject): \(doubt)"
    }
  }
}

extension RecordedRequest {
  /// The same as if the action had sent it that tracked one of its events.
  func tracking(_ event: TracedEvent) -> RecordedRequest {
    var carrier = self
    carrier.action = event.action
    return carrier
  }

  /// Whether a server got the request and took it.
  var hasArrived: Bool { end.hasArrived(answeredBy: answer) }

  /// Whether a server got it, as far as the app could tell: no error, and a status below 400.
  fileprivate var hasSucceeded: Bool {
    switch end {
    case nil: answer != .offline
    case .status(let status)?: status < 400
    case .error?: false
    }
  }
}

extension RequestEnd? {
  /// Whether a server got the request and took it: a status below 400, an answer that was lost on its way, or
  /// none at all, unless there was no network.
  func hasArrived(answeredBy answer: RecordedRequest.Answer?) -> Bool {
    switch self {
    case nil: answer != .offline
    case .status(let status)?: status < 400
    case .error(let name)?: name == "networkConnectionLost"
    }
  }
}
