import Foundation
import HarnessWire
import ScenarioCore

/// The course of a scenario over the processes of its app.
struct ScenarioPlay {
  let execution: ScenarioExecution
  let folders: ScenarioFolders
  private let deadline: ContinuousClock.Instant
  private var session: AppSession?
  private var capturedOutput = OutputCapture()
  private var capturedError = OutputCapture()
  private var leftovers: RunError?
  /// How many steps were answered, from the first.
  private(set) var completedSteps = 0
  /// The action that failed, if one did; what came after it was not run.
  private(set) var failure: ActionFailure?

  init(execution: ScenarioExecution, folders: ScenarioFolders) {
    self.execution = execution
    self.folders = folders
    let timeout =
      execution.settings.forcedTimeout ?? execution.scenario.timeout ?? execution.settings.timeout
    deadline = .now + timeout
  }

  private var scenario: Scenario { execution.scenario }

  /// Runs the steps, up to the first that fails.
  ///
  /// - Throws: why nothing can be said about the app.
  mutating func run() throws(RunError) {
    try launch(id: 0, step: nil)
    for step in scenario.steps {
      failure = try run(step)
      if failure != nil { break }
      completedSteps = step.id
    }
    try shutDown()
  }

  /// Ends whatever still runs.
  ///
  /// - Returns: an error where the app left something behind.
  mutating func end() -> RunError? {
    endSession(step: nil)
    return leftovers
  }

  var output: AppOutput {
    AppOutput(standardOutput: capturedOutput.text, standardError: capturedError.text)
  }

  private mutating func run(_ step: Step) throws(RunError) -> ActionFailure? {
    let reference = StepReference(step)
    execution.stepStarted(reference)
    switch step.action {
    case .send(let verb, let params):
      let request = RPCRequest(id: step.id, method: verb.rawValue, params: params)
      return try send(request, reference)
    case .expectRequests: return nil
    case .terminate:
      try terminate(reference)
      return nil
    case .relaunch:
      try terminate(reference)
      try launch(id: step.id, step: reference)
      return nil
    }
  }

  private mutating func send(
    _ request: RPCRequest, _ step: StepReference
  ) throws(RunError) -> ActionFailure? {
    guard let session else {
      throw RunError(.invalidInput, "The app does not run: add a \"relaunch\" before.", step: step)
    }
    switch try session.exchange(request, step: step) {
    case .success: return nil
    case .failure(let error) where error.code.isAppFailure:
      return ActionFailure(step: step, error: error)
    case .failure(let error): throw errors(step).refused(request.method, error)
    }
  }

  private mutating func launch(id: Int, step: StepReference?) throws(RunError) {
    let plan = try LaunchPlanner(execution: execution, folders: folders).plan()
    let session = try AppSession(
      plan, hunter: execution.hunter, cancellation: execution.cancellation, deadline: deadline,
      gracePeriod: execution.settings.gracePeriod)
    self.session = session
    let request = RPCRequest(
      id: id, method: LifecycleMethod.initialize.rawValue,
      params: ["protocolVersion": .integer(harnessProtocolVersion)])
    switch try session.exchange(request, step: step) {
    case .success(let answer): try AppCapabilities(answer, errors(step)).check(scenario.steps)
    case .failure(let error): throw errors(step).refused(request.method, error)
    }
  }

  private mutating func terminate(_ step: StepReference) throws(RunError) {
    guard let session else { return }
    try session.finish(step: step)
    endSession(step: step)
    if let leftovers { throw leftovers }
  }

  private mutating func shutDown() throws(RunError) {
    guard let session else { return }
    let method = LifecycleMethod.shutdown.rawValue
    let request = RPCRequest(id: scenario.steps.count + 1, method: method)
    if case .failure(let error) = try session.exchange(request, step: nil) {
      throw errors(nil).refused(method, error)
    }
    try session.finish(step: nil)
  }

  private mutating func endSession(step: StepReference?) {
    guard let session else { return }
    let left = session.end()
    if !left.isEmpty { leftovers = errors(step).leftBehind(left) }
    capturedOutput.append(session.standardOutput)
    capturedError.append(session.standardError)
    self.session = nil
  }

  private func errors(_ step: StepReference?) -> DialogueErrors {
    DialogueErrors(
      step: step, standardErrorTail: (session?.standardError ?? capturedError).explanation())
  }
}

extension RPCErrorCode {
  /// Whether the app says by it that it is in another state than the scenario expects.
  var isAppFailure: Bool { (-32005 ... -32001).contains(rawValue) }
}
