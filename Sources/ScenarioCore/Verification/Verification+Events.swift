import HarnessProtocol
import JSON
import RequestMatching
import SourceText

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
        !Resending.isOfOne(difference.part.path)
          && times?.contains { $0.text.hasSameBytes(as: difference.part.path) } != true
      }
    guard let difference else { return }
    history.add(
      "Event \"\(event.name)\" (\(event.decoder)) was sent again by its id with other content: "
        + "\(difference.part.path) was \(difference.wanted?.shortened ?? "absent") and became "
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
    case .untold?:
      history.add(
        "The app doesn't tell its clock after each action, so nobody knows which of them tracked event "
          + "\"\(event.name)\" (\(event.decoder)). Answer each action with \"clock\", or use a decoder without"
          + " \"time\".")
    case .outside?:
      history.add(
        "The time of event \"\(event.name)\" (\(event.decoder)) is none at which an action ran. Let the"
          + " app take it from its own clock, or use a decoder without \"time\".")
    case nil:
      history.add(
        "The app doesn't tell its clock, so nobody knows which action tracked event \"\(event.name)\""
          + " (\(event.decoder)). Answer with \"clock\", or use a decoder without \"time\".")
    }
    history.unplacedEvents += 1
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

extension String {
  /// For a message.
  fileprivate var shortened: String { count > 60 ? prefix(60) + "…" : self }
}
