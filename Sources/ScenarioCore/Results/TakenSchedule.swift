import HarnessProtocol
import JSON

/// In which order the answers of a run were delivered: what its app told of it.
package struct TakenSchedule: Sendable, Equatable {
  package enum Event: Sendable, Equatable {
    case delivered(Delivery)
    /// An action ended while these answers were held back.
    case deferred(Deferral)
    /// The app was killed after this action, and launched again.
    case restarted(action: Int, held: [Int])
  }

  package struct Delivery: Sendable, Equatable {
    /// Its place in `requests`.
    package var request: Int
    /// The answers that could have been delivered, this one included.
    package var held: [Int]
    /// As a schedule names it; `nil`: as it was.
    package var fate: String?
    /// The action during which it became ready, and the one in hand.
    package var (action, during): (Int, Int)
    /// What the app's clock said before and after, in seconds.
    package var (began, clock): (Double, Double)

    package static func == (left: Self, right: Self) -> Bool {
      (left.request, left.fate, left.during) == (right.request, right.fate, right.during)
        && left.held == right.held
    }
  }

  package struct Deferral: Sendable, Equatable {
    package var action: Int
    package var held: [Int]
  }

  /// The end of a process that was launched again.
  package struct Kill: Sendable, Equatable {
    /// The action in hand, to which what the new process does at its launch belongs, too.
    package var action: Int
    /// What the app's clock said, in seconds.
    package var clock: Double
  }

  /// All that the app asked for, in the order in which schedules count.
  package private(set) var requests: [AskedRequest] = []
  package private(set) var events: [Event] = []
  package private(set) var kills: [Kill] = []
  /// What the schedule says that did not happen.
  package private(set) var unmet: [Schedule.Item]
  /// The answers that are held back, as places in `requests`.
  package private(set) var held: [Int] = []
  /// What was held back when an action failed.
  package private(set) var heldAtFailure: [Int] = []
  /// What asked for restarts: whether the app is about to be killed.
  package private(set) var wantsRestart = false
  /// How many requests the processes before the present one made.
  private var offset = 0
  /// What the present process was given.
  private var given: [Schedule.Item] = []

  package init(_ schedule: Schedule) { unmet = schedule.items }

  /// What a process is given that begins now: what is left, its occurrences counted from its own launch.
  package mutating func beginProcess() -> Schedule {
    offset = requests.count
    (given, held, wantsRestart) = (unmet, [], false)
    let earlier = requests
    func local(_ name: RequestName) -> RequestName {
      var local = name
      local.occurrence = max(1, name.occurrence - earlier.count(where: name.names))
      return local
    }
    return Schedule(
      unmet.map { item in
        switch item {
        case .answer(let name, let fate): .answer(local(name), fate)
        case .restartBefore(let name): .restartBefore(local(name))
        case .afterAction, .restartAfterAction: item
        }
      })
  }

  /// Takes what the app tells after an action.
  ///
  /// - Parameters:
  ///   - report: the member `schedule` of its answer.
  ///   - clock: what the app's clock says, in seconds.
  ///   - isFailed: whether the action failed.
  package mutating func take(
    _ report: JSONValue, after action: Int, clock: Double = 0, isFailed: Bool = false
  ) {
    func places(_ value: JSONValue?) -> [Int] {
      (value?.array ?? []).compactMap { $0.int.map { $0 - 1 + offset } }
    }
    requests += (report["requests"]?.array ?? []).compactMap(AskedRequest.init)
    for answer in report["answers"]?.array ?? [] {
      guard let number = answer["request"]?.int else { continue }
      events.append(
        .delivered(
          Delivery(
            request: number - 1 + offset, held: places(answer["held"]),
            fate: answer["fate"]?.string, action: answer["action"]?.int ?? action,
            during: answer["during"]?.int ?? action,
            began: answer["began"]?.double ?? 0, clock: answer["clock"]?.double ?? 0)))
    }
    held = places(report["held"])
    if isFailed { heldAtFailure = held }
    unmet = Array(given.dropFirst(report["done"]?.int ?? 0))
    wantsRestart = report["restart"]?.bool ?? false
    if wantsRestart {
      events.append(.restarted(action: action, held: held))
      kills.append(Kill(action: action, clock: clock))
    } else if !held.isEmpty {
      events.append(.deferred(Deferral(action: action, held: held)))
    }
  }
}

extension AskedRequest {
  fileprivate init?(_ value: JSONValue) {
    guard let method = value["method"]?.string, let url = value["url"]?.string else { return nil }
    self.init(method: method, url: url, action: value["action"]?.int ?? 0)
  }
}
