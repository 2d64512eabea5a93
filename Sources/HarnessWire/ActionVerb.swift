/// The verbs of actions that are sent to the app: the method of a request.
public enum ActionVerb: String, Sendable, CaseIterable {
  case tap, doubleTap, longPress, swipe, scrollTo, typeText, clearText
  case waitForExistence, waitForNonExistence, assertExists, assertNotExists, assertText
  case openURL, push, background, foreground, advanceClock, setNetwork, perform
}

/// The methods of the dialogue that aren't actions.
public enum LifecycleMethod: String, Sendable {
  /// The first request, answered when the launch has settled.
  case initialize
  /// The last request, answered after everything has settled and been written.
  case shutdown
}

/// The version of the dialogue that this package speaks.
public let harnessProtocolVersion = 1
