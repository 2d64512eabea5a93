import HarnessProtocol
import SourceText

/// One action as it runs.
package struct Step: Sendable {
  /// The index of the action, from 1 through the whole scenario; the `id` of its request.
  package var id: Int
  package var name: String?
  package var action: StepAction
  /// Exactly these requests, and no other accounted ones, are caused by this action.
  package var sends: [Expectation]?
  package var location: SourceLocation

  /// The verb with its value, or the action's `name`.
  package var title: String { name ?? action.title }
}

/// What a step does.
package enum StepAction: Sendable {
  /// Sent to the app. Files that it names are read already.
  case app(Action)
  /// Counts since launch; judged from the store, by the ids of the actions before it.
  case expectRequests([Expectation])
  /// Ends the process.
  case terminate
  /// Ends the process if it runs, and starts a new one on the same store.
  case relaunch

  /// Whether the app answers a request for it; `relaunch` is answered as a launch.
  package var isAnswered: Bool {
    switch self {
    case .app, .relaunch: true
    case .expectRequests, .terminate: false
    }
  }

  package var title: String {
    switch self {
    case .app(let action):
      [action.verb.rawValue, action.subject].compactMap { $0 }.joined(separator: " ")
    case .expectRequests: "expectRequests"
    case .terminate: "terminate"
    case .relaunch: "relaunch"
    }
  }
}

extension Action {
  /// The element that it names.
  package var element: ElementPath? {
    switch self {
    case .tap(let element), .doubleTap(let element), .longPress(let element, _),
      .scrollTo(let element), .clearText(let element), .waitForExistence(let element, _),
      .waitForNonExistence(let element, _), .assertExists(let element),
      .assertNotExists(let element), .assertText(let element, _):
      element
    case .swipe(_, let element), .typeText(_, let element): element
    case .openURL, .push, .background, .foreground, .advanceClock, .setNetwork, .perform: nil
    }
  }

  /// What the verb's value is, in short.
  fileprivate var subject: String? {
    switch self {
    case .tap, .doubleTap, .longPress, .scrollTo, .clearText, .waitForExistence,
      .waitForNonExistence, .assertExists, .assertNotExists, .assertText:
      element?.description
    case .swipe(let direction, _): direction.rawValue
    case .typeText(let text, _): text
    case .openURL(let url): url
    case .push, .background, .foreground: nil
    case .advanceClock(let duration): "\(duration / .seconds(1)) s"
    case .setNetwork(let state): state.rawValue
    case .perform(let name, _): name
    }
  }
}

/// What is said of the launch: the first action of a scenario, which has the id 0 of `initialize` and isn't
/// sent, so that the ids of the others are what they are without it.
package struct LaunchStep: Sendable {
  package var name: String?
  /// Exactly these requests, and no other accounted ones, are caused by the launch.
  package var sends: [Expectation]?
  package var location: SourceLocation
}

/// Where an action of a scenario's own list stands, and which steps come of it.
package struct ActionSpan: Sendable {
  /// Of a `launch` the 0 alone; several for a `repeat` and a `use`.
  package var stepIDs: Range<Int>
  package var location: SourceLocation
}

/// The steps of a `repeat` or a `use` that has `sends`: together they cause exactly these requests.
package struct StepGroup: Sendable {
  package var title: String
  /// The ids of its steps; empty where it is repeated no times.
  package var stepIDs: Range<Int>
  package var sends: [Expectation]
  package var location: SourceLocation
}

/// Which action a finding speaks of.
package struct StepReference: Sendable {
  package var id: Int
  package var title: String
  package var location: SourceLocation
}

extension StepReference {
  package init(_ step: Step) {
    self.init(id: step.id, title: step.title, location: step.location)
  }

  package init(_ launch: LaunchStep) {
    self.init(id: 0, title: launch.name ?? "launch", location: launch.location)
  }
}
