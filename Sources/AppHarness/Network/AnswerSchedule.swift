import HarnessProtocol
import JSON
import Synchronization

/// Holds the answers of an app's requests, and delivers one at a time as a schedule says.
final class AnswerSchedule: Sendable {
  /// A request from its record to the delivery of its answer.
  private struct Request {
    let asked: AskedRequest
    /// Tells apart what was asked for between the same two idle points.
    let body: [UInt8]
    var held: HeldAnswer?
    /// Which of those it is that the app made, once it is known.
    var number = 0
  }

  /// An answer that is ready.
  struct HeldAnswer: Sendable {
    /// The action during which it became ready, so that what it brings about belongs to that.
    let action: Int
    /// Whether the app still waits for it.
    let isAwaited: @Sendable () -> Bool
    let deliver: @Sendable (AnswerFate) -> Void
  }

  /// An answer whose turn it is.
  struct Delivery {
    var action: Int
    fileprivate var number: Int
    fileprivate var held: [Int]
    fileprivate var answer: HeldAnswer
    fileprivate var fate: AnswerFate

    func deliver() { answer.deliver(fate) }
  }

  private struct State {
    /// By the number of its record.
    var requests: [Int: Request] = [:]
    /// Recorded since the last idle point.
    var new: [Int] = []
    /// The records in the order of their numbers.
    var order: [Int] = []
    /// How many items are done.
    var done = 0
    /// Whether the app is about to be killed: nothing is delivered any more.
    var isFrozen = false
    var toldRequests = 0
    var told: [JSONValue] = []
  }

  private let items: [Schedule.Item]
  private let state = Mutex(State())

  init(_ schedule: Schedule) { items = schedule.items }

  /// Takes note of a request as it is recorded.
  func add(_ request: AskedRequest, body: [UInt8], record: Int) {
    state.withLock { state in
      state.requests[record] = Request(asked: request, body: body)
      state.new.append(record)
    }
  }

  /// Holds an answer that is ready.
  func hold(_ answer: HeldAnswer, record: Int) {
    state.withLock { $0.requests[record]?.held = answer }
  }

  /// What to deliver now that the app is idle.
  ///
  /// - Parameters:
  ///   - action: the action in hand.
  ///   - isLast: whether everything has to be delivered, whatever the schedule says.
  func next(during action: Int, isLast: Bool) -> Delivery? {
    state.withLock { state in
      number(&state)
      guard !state.isFrozen else { return nil }
      let held = state.order.filter { state.requests[$0]?.held?.isAwaited() == true }
      if let found = named(among: held, during: action, &state) { return found }
      guard !state.isFrozen else { return nil }
      let free = held.first { isFree($0, state) }
      if let free { return delivery(of: free, .delivered, among: held, &state) }
      if case .restartAfterAction(let last)? = item(state), action >= last {
        state.done += 1
        state.isFrozen = true
        return nil
      }
      guard isLast, let first = held.first else { return nil }
      return delivery(of: first, .delivered, among: held, &state)
    }
  }

  /// Takes note of what was delivered, once the app is idle again.
  ///
  /// - Parameters:
  ///   - action: the action in hand.
  ///   - began: what the clock said before, in seconds.
  ///   - clock: what it says now.
  func note(_ delivery: Delivery, during action: Int, began: Double, clock: Double) {
    let value: JSONValue = [
      "request": .integer(delivery.number), "held": .array(delivery.held.map(JSONValue.integer)),
      "fate": delivery.fate == .delivered ? nil : .string("\(delivery.fate)"),
      "action": .integer(delivery.action), "during": .integer(action), "began": .double(began),
      "clock": .double(clock),
    ]
    state.withLock { $0.told.append(value) }
  }

  /// What happened since the last report.
  func report() -> JSONValue {
    state.withLock { state in
      number(&state)
      let new = state.order[state.toldRequests...].compactMap { state.requests[$0]?.asked }
      let held = state.order.filter { state.requests[$0]?.held?.isAwaited() == true }
        .compactMap { state.requests[$0]?.number }
      defer { (state.toldRequests, state.told) = (state.order.count, []) }
      return [
        "requests": .array(new.map(\.json)), "answers": .array(state.told),
        "held": .array(held.map(JSONValue.integer)), "done": .integer(state.done),
        "restart": state.isFrozen ? true : nil,
      ]
    }
  }

  /// Gives what was asked for since the last idle point its numbers.
  ///
  /// In the order of the URLs, shorter ones first: which of several threads comes first to its request is
  /// another thing in each run.
  private func number(_ state: inout State) {
    guard !state.new.isEmpty else { return }
    let new = state.new.compactMap { record in state.requests[record].map { (record, $0) } }
    for (record, _) in new.sorted(by: { Self.comesFirst($0, $1) }) {
      state.order.append(record)
      state.requests[record]?.number = state.order.count
    }
    state.new = []
  }

  private static func comesFirst(_ left: (Int, Request), _ right: (Int, Request)) -> Bool {
    let (one, other) = (left.1, right.1)
    if one.asked.action != other.asked.action { return one.asked.action < other.asked.action }
    if one.asked.url != other.asked.url {
      return (one.asked.url.utf8.count, one.asked.url) < (
        other.asked.url.utf8.count, other.asked.url
      )
    }
    if one.asked.method != other.asked.method { return one.asked.method < other.asked.method }
    if one.body != other.body { return one.body.lexicographicallyPrecedes(other.body) }
    return left.0 < right.0
  }

  private func item(_ state: State) -> Schedule.Item? {
    state.done < items.count ? items[state.done] : nil
  }

  /// What the schedule expects next, if it is there.
  private func named(among held: [Int], during action: Int, _ state: inout State) -> Delivery? {
    while let item = item(state) {
      switch item {
      case .afterAction(let last):
        guard action >= last else { return nil }
        state.done += 1
      case .answer(let name, let fate):
        guard let found = held.first(where: { matches(name, $0, state) }) else {
          guard isCancelled(name, state) else { return nil }
          state.done += 1
          continue
        }
        state.done += 1
        return delivery(of: found, fate, among: held, &state)
      case .restartBefore(let name):
        guard held.contains(where: { matches(name, $0, state) }) else { return nil }
        state.done += 1
        state.isFrozen = true
        return nil
      case .restartAfterAction: return nil
      }
    }
    return nil
  }

  /// Whether the app has given up the request while its answer was held: then there is nothing to deliver.
  private func isCancelled(_ name: RequestName, _ state: State) -> Bool {
    state.order.contains { record in
      guard let answer = state.requests[record]?.held else { return false }
      return !answer.isAwaited() && matches(name, record, state)
    }
  }

  /// Whether nothing that is still to come names it.
  private func isFree(_ record: Int, _ state: State) -> Bool {
    !items.dropFirst(state.done).contains { item in
      switch item {
      case .answer(let name, _), .restartBefore(let name): matches(name, record, state)
      case .afterAction, .restartAfterAction: false
      }
    }
  }

  private func matches(_ name: RequestName, _ record: Int, _ state: State) -> Bool {
    guard let request = state.requests[record], name.names(request.asked) else { return false }
    let earlier = state.order.prefix(request.number).count { earlier in
      state.requests[earlier].map { name.names($0.asked) } ?? false
    }
    return earlier == name.occurrence
  }

  private func delivery(
    of record: Int, _ fate: AnswerFate, among held: [Int], _ state: inout State
  ) -> Delivery? {
    guard let request = state.requests[record], let answer = request.held else { return nil }
    state.requests[record]?.held = nil
    return Delivery(
      action: answer.action, number: request.number,
      held: held.compactMap { state.requests[$0]?.number }, answer: answer, fate: fate)
  }
}

extension AskedRequest {
  fileprivate var json: JSONValue {
    ["method": .string(method), "url": .string(url), "action": .integer(action)]
  }
}
