import HarnessProtocol
import JSON
import RequestMatching
import SourceText

/// What happened while a scenario ran: one account, which every report reads.
package struct Trace: Sendable {
  /// How much of it is collected.
  package struct Detail: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The requests, whole.
    package static let requests = Detail(rawValue: 1)
    /// The screen after each action.
    package static let screens = Detail(rawValue: 2)
    package static let all: Detail = [.requests, .screens]
  }

  package let detail: Detail
  /// When the app's clock started, in seconds since 1970.
  package var startDate: Double?
  /// The launch, then each action that was begun, then the end of the app, as far as the scenario came.
  package private(set) var actions: [TracedAction] = []
  /// Requests that say no action, or one that the scenario doesn't have.
  package private(set) var unattributed: [TracedRequest] = []
  /// Requests beyond `requestLimit`, which were not kept.
  package private(set) var omittedRequests = 0
  /// How answers were delivered, where a schedule decided that.
  package var schedule: TakenSchedule?
  private var requestCount = 0
  /// By the id of the request that was sent to the app: its place in `actions`.
  private var places: [Int: Int] = [:]

  /// So many requests of a scenario are kept.
  package static let requestLimit = 10_000

  package init(_ detail: Detail = []) { self.detail = detail }

  /// What is caused from now on belongs to this.
  ///
  /// - Parameter id: of the request that is sent to the app.
  package mutating func begin(_ cause: RequestCause, id: Int) {
    places[id] = actions.count
    actions.append(TracedAction(id: id, cause: cause))
  }

  /// Changes the action that was begun last.
  package mutating func note(_ change: (inout TracedAction) -> Void) {
    guard let last = actions.indices.last else { return }
    change(&actions[last])
  }

  /// - Parameters:
  ///   - events: those in it, with the actions that tracked them.
  ///   - stubs: finds the stub that a request without an answer came nearest to.
  package mutating func add(
    _ request: @autoclosure () -> RecordedRequest, _ events: [TracedEvent] = [],
    stubs: (RecordedRequest) -> NearestStub? = { _ in nil }
  ) {
    guard detail.contains(.requests) else { return }
    guard requestCount < Self.requestLimit else {
      omittedRequests += 1
      return
    }
    requestCount += 1
    var traced = TracedRequest(number: requestCount, request: request())
    if traced.request.answer == .default { traced.nearestStub = stubs(traced.request) }
    traced.events = events.map(\.event)
    for event in events {
      guard let place = (event.action ?? traced.request.action).flatMap({ places[$0] }) else {
        continue
      }
      var event = event
      event.request = traced.number
      actions[place].events.append(event)
    }
    if let place = traced.request.action.flatMap({ places[$0] }) {
      actions[place].requests.append(traced)
    } else {
      unattributed.append(traced)
    }
  }

  /// All requests, in the order of the store.
  package var requests: [TracedRequest] {
    (actions.flatMap(\.requests) + unattributed).sorted { $0.number < $1.number }
  }
}

extension Trace {
  /// Whose work had been done when the app's clock said what, in the order of the readings: an answer that came
  /// late is work of the action that asked for it. `nil` where the app didn't say; of an action that failed it
  /// needn't.
  package var clockReadings: [(action: Int, clock: Double?)] {
    var readings: [(action: Int, clock: Double?)] = []
    func add(_ action: Int, _ clock: Double) {
      if readings.last?.action == action { readings.removeLast() }
      readings.append((action, clock))
    }
    for action in actions {
      for case .delivered(let delivery) in schedule?.events ?? [] where delivery.during == action.id
      {
        if delivery.action != action.id { add(action.id, delivery.began) }
        add(delivery.action, delivery.clock)
      }
      if let clock = action.clock {
        add(action.id, clock)
      } else if action.error == nil {
        readings.append((action.id, nil))
      }
    }
    return readings
  }
}

/// One action, or the launch or the end of the app, with what came of it.
package struct TracedAction: Sendable {
  /// Of the request that was sent to the app.
  package var id: Int
  package var cause: RequestCause
  /// What was on the screen after it; `nil` where nobody asked or the app can't tell.
  package var screen: Screen?
  package var requests: [TracedRequest] = []
  /// The analytics events that it tracked, whichever action sent them.
  package var events: [TracedEvent] = []
  /// What the app's clock says after it: seconds since its start date.
  package var clock: Double?
  /// How many timers waited for the app's clock after it.
  package var pendingTimers = 0
  /// Seconds on the app's clock until the first of them is due.
  package var nextTimer: Double?
  /// What the app answered, if it was an error.
  package var error: RPCError?
  /// Launch keys that the app asked for, by name, since the action before.
  package var askedKeys: [String] = []
  /// Those of them that nobody gave.
  package var missingKeys: [String] = []
  /// What the app couldn't decode.
  package var undecodable: [Diagnostic] = []
}

/// A recorded request, whole.
package struct TracedRequest: Sendable {
  /// In the order of the store, from 1.
  package var number: Int
  package var request: RecordedRequest
  /// The stub that it may have been meant for, where no stub answered it.
  package var nearestStub: NearestStub?
  /// The analytics events in it.
  package var events: [AnalyticsEvent] = []
}

/// An analytics event, with the action that tracked it.
package struct TracedEvent: Sendable {
  package var event: AnalyticsEvent
  /// The id of that action; `nil` where nobody can tell.
  package var action: Int?
  /// Whether it was sent before, in a request that failed.
  package var isRetry: Bool
  /// Whether a server got it here for the first time.
  package var isArrival = true
  /// The number of the request that carried it.
  package var request = 0

  package init(_ event: AnalyticsEvent, action: Int?, isRetry: Bool) {
    self.event = event
    self.action = action
    self.isRetry = isRetry
  }
}
