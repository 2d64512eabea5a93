import HarnessProtocol
import JSON

/// Who the app is: its part of the answer to `initialize`.
struct AppIdentity: Sendable {
  let name: String
  let version: String

  @MainActor func description(of app: any HarnessedApp) -> JSONValue {
    let verbs = ActionVerb.allCases.filter { isAble(app, $0) }.map(\.rawValue)
    let registered = app.registeredActions.keys.sorted()
    return [
      "protocolVersion": .integer(harnessProtocolVersion),
      "app": ["name": .string(name), "version": .string(version)],
      "actions": .strings(verbs),
      "registeredActions": .strings(registered),
      "unseen": .strings(AppWorld.unseen),
    ]
  }

  @MainActor private func isAble(_ app: any HarnessedApp, _ verb: ActionVerb) -> Bool {
    switch verb {
    case .openURL: app.abilities.contains(.openURL)
    case .push: app.abilities.contains(.push)
    case .perform: !app.registeredActions.isEmpty
    case .tap, .doubleTap, .longPress, .swipe, .scrollTo, .typeText, .clearText,
      .waitForExistence, .waitForNonExistence, .assertExists, .assertNotExists, .assertText,
      .background, .foreground, .advanceClock, .setNetwork:
      true
    }
  }
}
