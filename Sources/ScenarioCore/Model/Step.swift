import HarnessWire
import JSON
import SourceText

/// One action as it runs.
package struct Step: Sendable {
  /// The index of the action, from 1 through the whole scenario; the `id` of its request.
  package var id: Int
  package var name: String?
  package var action: Action
  /// Exactly these requests, and no other accounted ones, are caused by this action.
  package var sends: [Expectation]?
  package var location: SourceLocation

  package init(
    id: Int, name: String? = nil, action: Action, sends: [Expectation]? = nil,
    location: SourceLocation
  ) {
    self.id = id
    self.name = name
    self.action = action
    self.sends = sends
    self.location = location
  }

  /// The verb with its value, or the action's `name`.
  package var title: String { name ?? action.title }
}

/// What a step does.
package enum Action: Sendable {
  /// Sent to the app. Files that it names are read already.
  case send(ActionVerb, params: JSONObject)
  /// Counts since launch; judged from the store, by the ids of the actions before it.
  case expectRequests([Expectation])
  /// Ends the process.
  case terminate
  /// Ends the process if it runs, and starts a new one on the same store.
  case relaunch

  package var title: String {
    switch self {
    case .send(let verb, let params):
      [verb.rawValue, Self.subject(of: verb, params)].compactMap { $0 }.joined(separator: " ")
    case .expectRequests: "expectRequests"
    case .terminate: "terminate"
    case .relaunch: "relaunch"
    }
  }

  private static func subject(of verb: ActionVerb, _ params: JSONObject) -> String? {
    let key =
      switch verb {
      case .swipe: "direction"
      case .typeText: "text"
      case .openURL: "url"
      case .advanceClock: "seconds"
      case .setNetwork: "state"
      case .perform: "action"
      case .background, .foreground, .push: ""
      default: "element"
      }
    guard let value = params[key] else { return nil }
    return value.string ?? value.double.map { "\($0) s" }
  }
}
