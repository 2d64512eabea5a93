import HarnessProtocol
import RequestMatching
import SourceText

/// Reads the actions of one file, variables replaced.
struct ActionDecoder {
  let session: DecodingSession
  /// The steps files that lead here, the scenario first: for circles.
  let path: [String]

  var diagnostics: DiagnosticCollector { session.diagnostics }
  var expectations: ExpectationDecoder { session.expectations }

  func actions(_ nodes: [JSONNode]) -> [DecodedAction] {
    nodes.compactMap(action)
  }

  private func action(_ node: JSONNode) -> DecodedAction? {
    guard let members = node.objectValue else {
      _ = node.checked(.object("action"), as: "An action", diagnostics)
      return nil
    }
    guard session.countAction(at: node.location) else { return nil }
    guard let shape = shape(of: members, in: node),
      let reader = ObjectReader(node, shape.object, diagnostics)
    else { return nil }
    let sends = expectations.expectations(reader.list("sends"))
    switch shape.subject {
    case .repetitions: return repetition(reader, sends)
    case .stepsFile: return use(reader, sends)
    default:
      return action(shape, reader).map { action in
        .step(
          Step(
            id: 0, name: reader.string("name"), action: action, sends: sends,
            location: node.location))
      }
    }
  }

  /// The shape of the one verb; `nil` where there is none or more than one, which is reported.
  private func shape(of members: [JSONMember], in node: JSONNode) -> ActionShape? {
    let verbs = members.filter { ActionShapes.byVerb[$0.key] != nil }
    guard let first = verbs.first else {
      reportNoVerb(members, node)
      return nil
    }
    if let second = verbs.first(where: { $0.key != first.key }) {
      diagnostics.error(
        "An action has one verb, found \"\(first.key)\" and \"\(second.key)\"."
          + " Write them as two actions.", at: second.keyLocation,
        notes: [.init("The first one is here.", at: first.keyLocation)])
      return nil
    }
    return ActionShapes.byVerb[first.key]
  }

  private func reportNoVerb(_ members: [JSONMember], _ node: JSONNode) {
    guard
      let misplaced = members.first(where: {
        !ActionShapes.allKeys.contains($0.key) && $0.key != "name"
      })
    else {
      diagnostics.error(
        "The action has no verb. Write what to do, as \"tap\": \"cartButton\".",
        at: ObjectReader.opening(of: node))
      return
    }
    if ExpectationShape.keys.contains(where: { $0.name == misplaced.key }) {
      diagnostics.error(
        "\"\(misplaced.key)\" belongs in an expectation, in \"sends\" or \"expected\".",
        at: misplaced.keyLocation)
      return
    }
    let close = Suggestions.closest(to: misplaced.key, among: ActionShapes.verbs)
    diagnostics.error(
      "\"\(misplaced.key)\" isn't a verb."
        + (close.isEmpty
          ? " An action of the app's own is written as \"perform\": \"\(misplaced.key)\"." : ""),
      at: misplaced.keyLocation, suggestions: close)
  }
}
