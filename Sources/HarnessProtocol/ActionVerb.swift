/// The verbs of actions that are sent to the app: the method of a request.
package enum ActionVerb: String, Sendable, CaseIterable {
  case tap, doubleTap, longPress, swipe, scrollTo, typeText, clearText
  case waitForExistence, waitForNonExistence, assertExists, assertNotExists, assertText
  case openURL, push, background, foreground, advanceClock, setNetwork, perform
}

extension Action {
  package var verb: ActionVerb {
    switch self {
    case .tap: .tap
    case .doubleTap: .doubleTap
    case .longPress: .longPress
    case .swipe: .swipe
    case .scrollTo: .scrollTo
    case .typeText: .typeText
    case .clearText: .clearText
    case .waitForExistence: .waitForExistence
    case .waitForNonExistence: .waitForNonExistence
    case .assertExists: .assertExists
    case .assertNotExists: .assertNotExists
    case .assertText: .assertText
    case .openURL: .openURL
    case .push: .push
    case .background: .background
    case .foreground: .foreground
    case .advanceClock: .advanceClock
    case .setNetwork: .setNetwork
    case .perform: .perform
    }
  }
}
