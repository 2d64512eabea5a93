import HarnessProtocol
import JSON
import RequestMatching
import SourceText

/// Reads the actions of one file, variables replaced.
struct ActionDecoder {
  let session: DecodingSession
  /// The steps files that lead here, the scenario first: for circles.
  let path: [String]

  var diagnostics: DiagnosticCollector { session.diagnostics }
  var expectations: ExpectationDecoder { session.expectations }

  /// - Parameter isScenario: whether they are a scenario's own, of which the first may be `launch`.
  func actions(_ nodes: [JSONNode], ofScenario isScenario: Bool = false) -> [DecodedAction] {
    nodes.enumerated().compactMap { action($1, mayBeLaunch: isScenario && $0 == 0) }
  }

  private func action(_ node: JSONNode, mayBeLaunch: Bool) -> DecodedAction? {
    guard let members = node.objectValue else {
      _ = node.checked(.object("action"), as: "An action", diagnostics)
      return nil
    }
    guard session.countAction(at: node.location) else { return nil }
    guard let shape = shape(of: members, in: node),
      let reader = ObjectReader(node, shape.object, diagnostics)
    else { return nil }
    let sends = expectations.expectations(reader.list("sends"))
    func step(_ action: StepAction?) -> DecodedAction? {
      action.map {
        .step(
          Step(
            id: 0, name: reader.string("name"), action: $0, sends: sends, location: node.location))
      }
    }
    switch shape.verb {
    case .app(let verb): return step(action(verb, shape, reader))
    case .launch:
      if !mayBeLaunch { reportLateLaunch(reader) }
      return .launch(
        LaunchStep(name: reader.string("name"), sends: sends, location: node.location))
    case .runner(.terminate): return step(.terminate)
    case .runner(.relaunch): return step(.relaunch)
    case .runner(.expectRequests): return step(expectRequests(reader))
    case .runner(.repeat): return repetition(reader, sends)
    case .runner(.use): return use(reader, sends)
    }
  }

  private func reportLateLaunch(_ reader: ObjectReader) {
    diagnostics.error(
      "\"launch\" can only be the first action of a scenario. To start the app anew, write"
        + " {\"relaunch\": true}.", at: reader.member("launch")?.keyLocation ?? reader.node.location
    )
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
    let close =
      ActionShapes.synonyms[misplaced.key.lowercased()]
      ?? Suggestions.closest(to: misplaced.key, among: ActionShapes.verbs)
    diagnostics.error(
      "\"\(misplaced.key)\" isn't a verb."
        + (close.isEmpty
          ? " An action of the app's own is written as \"perform\": \"\(misplaced.key)\"." : ""),
      at: misplaced.keyLocation, suggestions: close)
  }
}

/// An action as it is written: before `repeat` and `use` are unrolled.
indirect enum DecodedAction {
  /// A step without its id.
  case step(Step)
  case group(DecodedGroup)
  case launch(LaunchStep)

  var location: SourceLocation {
    switch self {
    case .step(let step): step.location
    case .group(let group): group.location
    case .launch(let launch): launch.location
    }
  }
}

/// A `repeat` or a `use`.
struct DecodedGroup {
  var title: String
  var repetitions: Int
  var actions: [DecodedAction]
  var sends: [Expectation]?
  var location: SourceLocation
}

extension ActionDecoder {
  /// How large a payload may be: `simctl` takes 4096 bytes, as APNs does.
  private static let payloadLimitBytes = 4096
  /// The key by which `simctl push` finds the app: it isn't part of what the app gets.
  private static let targetKey = "Simulator Target Bundle"

  /// The payload of a `push`: an object, or an `.apns` file; `nil` where it is wrong, and reported.
  func payload(_ node: JSONNode) -> JSONValue? {
    guard let name = node.stringValue else { return payload(of: node, at: node.location) }
    guard name.hasSuffix(".apns") else {
      diagnostics.error(
        "\"push\": expected a payload object or the name of an .apns file, found \"\(name)\".",
        in: node
      )
      return nil
    }
    if let problem = session.problem(withFixture: name) {
      diagnostics.error(problem.message, in: node, suggestions: problem.suggestions)
      return nil
    }
    guard let fixtures = session.fixtures else { return .object([:]) }
    let path = FilePath.join(fixtures.path, name)
    guard let bytes = session.read(path, "file", from: node.location) else { return nil }
    let (content, problems) = JSONParser.parse(
      SourceFile(path: FilePath.join(fixtures.shownPath, name), bytes: bytes))
    diagnostics.report(problems)
    return content.flatMap { payload(of: $0, at: node.location) }
  }

  private func payload(of node: JSONNode, at use: SourceLocation) -> JSONValue? {
    guard let members = node.objectValue else {
      diagnostics.error(
        "A push payload is an object, found \(node.foundDescription).", at: node.location)
      return nil
    }
    ObjectReader.reportDuplicates(in: members, diagnostics)
    guard let aps = node["aps"] else {
      diagnostics.error(
        "\"aps\" is missing: a push payload must have it.", at: ObjectReader.opening(of: node))
      return nil
    }
    guard aps.checked(.object("aps"), as: "\"aps\"", diagnostics) != nil else { return nil }
    var value = JSONValue(node).object ?? [:]
    value[Self.targetKey] = nil
    let bytes = JSONValue.object(value).bytes()
    if bytes.count > Self.payloadLimitBytes {
      diagnostics.error(
        "The push payload has \(bytes.count) bytes; APNs takes \(Self.payloadLimitBytes) at most.",
        at: use)
    }
    return .object(value)
  }
}
