import SourceText

extension ActionDecoder {
  func repetition(_ reader: ObjectReader, _ sends: [Expectation]?) -> DecodedAction? {
    let actions = actions(reader.list("actions") ?? [])
    checkThatItActs(reader, at: reader.node.location)
    guard let count = reader.integer("repeat") else { return nil }
    return .group(
      DecodedGroup(
        title: reader.string("name") ?? "repeat \(count)", repetitions: count, actions: actions,
        sends: sends, location: reader.node.location))
  }

  func use(_ reader: ObjectReader, _ sends: [Expectation]?) -> DecodedAction? {
    guard let node = reader.value("use"), let name = node.stringValue else { return nil }
    let scope = scope(for: reader, use: node.location)
    let folder = FilePath.folder(of: path.last ?? "")
    let file = FilePath.join(folder, name)
    if let start = path.map(FilePath.normalized).firstIndex(of: FilePath.normalized(file)) {
      let circle = (path[start...] + [file]).map(FilePath.lastComponent)
      diagnostics.error(
        "The steps use each other in a circle: \(circle.joined(separator: " → ")).",
        at: node.location)
      return nil
    }
    guard path.count <= FileLimits.useDepth else {
      diagnostics.error(
        "Steps files use each other more than \(FileLimits.useDepth) deep. Use them from"
          + " fewer levels.", at: node.location)
      return nil
    }
    guard let content = session.stepsFile(file, from: node.location),
      session.countExpansion(content.location.range.count, at: node.location)
    else { return nil }
    scope.definitions.values.forEach(session.markDefined)
    let replaced = Substitution(scope: scope, session: session).apply(to: content)
    guard let steps = ObjectReader(replaced, ScenarioShapes.steps, diagnostics) else { return nil }
    checkThatItActs(steps, at: node.location)
    let inner = ActionDecoder(session: session, path: path + [file])
    return .group(
      DecodedGroup(
        title: reader.string("name") ?? "use \(name)", repetitions: 1,
        actions: inner.actions(steps.list("actions") ?? []), sends: sends,
        location: reader.node.location))
  }

  /// - Parameter location: of what does these actions.
  private func checkThatItActs(_ reader: ObjectReader, at location: SourceLocation) {
    guard reader.list("actions")?.isEmpty == true else { return }
    diagnostics.error(
      "This has no actions, so nothing would be done. Write one, or remove this.",
      at: location)
  }

  /// The variables that `with` hands over.
  private func scope(for reader: ObjectReader, use: SourceLocation) -> VariableScope {
    var scope = VariableScope(owner: .steps(use: use))
    for member in reader.members("with") ?? [] {
      let definition = VariableScope.Definition(
        name: member.key, nameLocation: member.keyLocation, value: member.value,
        usageKey: UsageKey(member.keyLocation))
      if session.checkVariable(definition) { scope.define(definition) }
    }
    return scope
  }
}

/// Lays the actions out in the order in which they run, numbered from 1.
struct StepUnrolling {
  private let diagnostics: DiagnosticCollector
  private let limit: Int
  private(set) var steps: [Step] = []
  private(set) var groups: [StepGroup] = []
  private(set) var launch: LaunchStep?
  private(set) var spans: [ActionSpan] = []
  private var termination: SourceLocation?
  private var isFull = false

  init(_ actions: [DecodedAction], _ session: DecodingSession) {
    diagnostics = session.diagnostics
    limit = session.decoder.actionLimit
    for action in actions {
      let first = steps.count + 1
      append([action])
      let isLaunch = if case .launch = action { true } else { false }
      spans.append(
        ActionSpan(
          stepIDs: isLaunch ? 0..<1 : first..<steps.count + 1, location: action.location))
    }
  }

  private mutating func append(_ actions: [DecodedAction]) {
    for action in actions where !isFull {
      switch action {
      case .step(let step): append(step)
      case .group(let group): append(group)
      // Anywhere but at the start it has been reported.
      case .launch(let launch): self.launch = launch
      }
    }
  }

  private mutating func append(_ group: DecodedGroup) {
    let first = steps.count + 1
    for _ in 0..<group.repetitions where !isFull && !group.actions.isEmpty { append(group.actions) }
    if let sends = group.sends {
      groups.append(
        StepGroup(
          title: group.title, stepIDs: first..<steps.count + 1, sends: sends,
          location: group.location))
    }
  }

  private mutating func append(_ step: Step) {
    guard steps.count < limit else {
      isFull = true
      diagnostics.error(
        "The scenario has more than \(limit) actions when \"repeat\" and"
          + " \"use\" are carried out. Repeat less, or split it.", at: step.location)
      return
    }
    checkProcess(step)
    var step = step
    step.id = steps.count + 1
    steps.append(step)
  }

  /// After `terminate` there is no app to do anything until `relaunch`.
  private mutating func checkProcess(_ step: Step) {
    switch step.action {
    case .relaunch: termination = nil
    case .expectRequests: break
    case .app, .terminate:
      if let ended = termination {
        termination = nil  // One report is enough for all that follows.
        diagnostics.error(
          "The app is not running here. Write {\"relaunch\": true} before this action.",
          at: step.location, notes: [.init("It is ended here.", at: ended)])
      }
      if case .terminate = step.action { termination = step.location }
    }
  }
}
