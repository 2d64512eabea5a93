import HarnessProtocol

/// Names requests by what they are, as shortly as tells them from the others of a run.
package struct ScheduleNaming {
  private let requests: [AskedRequest]

  package init(_ requests: [AskedRequest]) { self.requests = requests }

  /// - Parameter index: the request's place.
  package func name(_ index: Int) -> RequestName {
    let request = requests[index]
    let samePath = requests.filter { $0.method == request.method && $0.path == request.path }
    let isOnOneHost = samePath.allSatisfy { $0.urlWithoutQuery == request.urlWithoutQuery }
    var name = RequestName(
      method: request.method, place: isOnOneHost ? request.path : request.urlWithoutQuery)
    let others = samePath.filter { name.names($0) && $0.parameters != request.parameters }
    if !others.isEmpty { name.parameters = Self.parameters(of: request, among: others) }
    name.occurrence = requests.prefix(index + 1).count(where: name.names)
    return name
  }

  /// One parameter where that is enough.
  private static func parameters(
    of request: AskedRequest, among others: [AskedRequest]
  ) -> [String] {
    let telling = request.parameters.first { parameter in
      !others.contains { $0.parameters.contains(parameter) }
    }
    return telling.map { [$0] } ?? request.parameters
  }

  /// The schedule under which the same comes about again.
  ///
  /// What comes as it would anyway, and isn't named later, needs no mention.
  package func schedule(of events: some Sequence<TakenSchedule.Event>) -> Schedule {
    var parts: [(item: Schedule.Item, named: Int?, delivery: TakenSchedule.Delivery?)] = []
    var deferred: [Int] = []
    /// Names what was held back and then given up by the app, or it would come before the action again.
    func nameDeferred(but held: [Int]) {
      parts += deferred.filter { !held.contains($0) }.map {
        (.answer(name($0), .delivered), $0, nil)
      }
    }
    for event in events {
      switch event {
      case .delivered(let delivery):
        let fate = delivery.fate.flatMap(AnswerFate.init) ?? .delivered
        let isPlain = fate == .delivered && !deferred.contains(delivery.request)
        parts.append(
          (
            .answer(name(delivery.request), fate), delivery.request,
            isPlain && delivery.isFirst ? delivery : nil
          ))
        deferred.removeAll { $0 == delivery.request }
      case .deferred(let deferral):
        nameDeferred(but: deferral.held)
        parts.append((.afterAction(deferral.action + 1), nil, nil))
        deferred = deferral.held
      case .restarted(let action, let held):
        nameDeferred(but: held)
        let item = held.first.map { Schedule.Item.restartBefore(name($0)) }
        parts.append((item ?? .restartAfterAction(action), held.first, nil))
        deferred = []
      }
    }
    nameDeferred(but: [])
    return Schedule(Self.needed(parts))
  }

  private static func needed(
    _ parts: [(item: Schedule.Item, named: Int?, delivery: TakenSchedule.Delivery?)]
  ) -> [Schedule.Item] {
    var items: [Schedule.Item] = []
    var named: Set<Int> = []
    for part in parts.reversed() {
      if let delivery = part.delivery, named.isDisjoint(with: delivery.held) { continue }
      items.append(part.item)
      if let request = part.named { named.insert(request) }
    }
    return items.reversed()
  }
}

extension TakenSchedule.Delivery {
  /// Whether it came as it does where no schedule says anything.
  package var isFirst: Bool { held.first == request }
}
