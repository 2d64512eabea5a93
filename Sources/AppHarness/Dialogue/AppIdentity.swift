import HarnessWire

/// Who the app is: its part of the answer to `initialize`.
struct AppIdentity: Sendable {
  let name: String
  let version: String

  @MainActor func description(of app: any HarnessedApp) -> JSONValue {
    let verbs = ActionVerb.allCases.filter { isAble(app, $0) }.map { JSONValue.string($0.rawValue) }
    let registered = app.registeredActions.keys.sorted().map(JSONValue.string)
    let unseen = AppWorld.unseen.map(JSONValue.string)
    return [
      "protocolVersion": .integer(harnessProtocolVersion),
      "app": ["name": .string(name), "version": .string(version)],
      "actions": .array(verbs),
      "registeredActions": .array(registered),
      "unseen": .array(unseen),
    ]
  }

  @MainActor private func isAble(_ app: any HarnessedApp, _ verb: ActionVerb) -> Bool {
    switch verb {
    case .openURL: app.abilities.contains(.openURL)
    case .push: app.abilities.contains(.push)
    case .perform: !app.registeredActions.isEmpty
    default: true
    }
  }
}
