import SourceText

/// Lays the actions out in the order in which they run, numbered from 1.
struct StepUnrolling {
  private let diagnostics: DiagnosticCollector
  private(set) var steps: [Step] = []
  private(set) var groups: [StepGroup] = []
  private var termination: SourceLocation?
  private var isFull = false

  init(_ actions: [DecodedAction], _ diagnostics: DiagnosticCollector) {
    self.diagnostics = diagnostics
    append(actions)
  }

  private mutating func append(_ actions: [DecodedAction]) {
    for action in actions where !isFull {
      switch action {
      case .step(let step): append(step)
      case .group(let group): append(group)
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
    guard steps.count < ScenarioDecoder.actionLimit else {
      isFull = true
      diagnostics.error(
        "The scenario has more than \(ScenarioDecoder.actionLimit) actions when \"repeat\" and"
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
