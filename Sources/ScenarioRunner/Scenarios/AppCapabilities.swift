import HarnessWire
import ScenarioCore

/// What an app said about itself in its answer to `initialize`.
struct AppCapabilities {
  private let verbs: Set<String>
  /// `nil` where the app does not say; then only `perform` itself can tell.
  private let registeredActions: Set<String>?
  private let errors: DialogueErrors

  /// - Throws: where the answer is none, or of another version.
  init(_ answer: JSONValue, _ errors: DialogueErrors) throws(RunError) {
    let version = answer["protocolVersion"]?.integerValue
    guard version == harnessProtocolVersion else {
      let got = version.map(String.init) ?? "no version"
      throw errors.malformedAnswer(
        to: "initialize", "names \(got) of the dialogue, not version \(harnessProtocolVersion)")
    }
    guard let actions = answer["actions"]?.arrayValue?.compactMap(\.stringValue) else {
      throw errors.malformedAnswer(to: "initialize", "has no list \"actions\" of the app's verbs")
    }
    verbs = Set(actions)
    registeredActions = (answer["registeredActions"]?.arrayValue?.compactMap(\.stringValue))
      .map(Set.init)
    self.errors = errors
  }

  /// - Throws: the first action that the app does not know.
  func check(_ steps: [Step]) throws(RunError) {
    for step in steps {
      guard case .send(let verb, let params) = step.action else { continue }
      guard verbs.contains(verb.rawValue) else { throw unsupported(step, "\"\(verb.rawValue)\"") }
      guard verb == .perform, let registeredActions, let name = params["action"]?.stringValue,
        !registeredActions.contains(name)
      else { continue }
      throw unsupported(step, "\"perform\" named \"\(name)\"")
    }
  }

  private func unsupported(_ step: Step, _ what: String) -> RunError {
    var own = errors
    own.step = StepReference(step)
    return own.unsupported(what, known: (verbs.union(registeredActions ?? [])).sorted())
  }
}
