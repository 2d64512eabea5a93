import Foundation
import HarnessProtocol
import JSON
import ScenarioCore

/// The dialogue with one process of the app, from its launch to its end.
final class AppSession {
  private let process: AppProcess
  private let plan: LaunchPlan
  private let hunter: LeftoverHunter
  /// When it is too late for an answer.
  var deadline: ContinuousClock.Instant
  private let gracePeriod: Duration
  private var isCleanedUp = false
  /// What was refused, once the session has ended.
  private(set) var attempts: [NetworkAttempt] = []

  /// Starts the app.
  ///
  /// - Throws: `RunError`, of kind `cannotLaunch`.
  init(
    _ plan: LaunchPlan, hunter: LeftoverHunter, seal: Seal?, cancellation: Cancellation,
    deadline: ContinuousClock.Instant, gracePeriod: Duration
  ) throws(RunError) {
    do {
      process = try AppProcess(plan, hunter: hunter, seal: seal, cancellation: cancellation)
    } catch {
      throw LaunchErrors.cannotStart(plan, error)
    }
    self.plan = plan
    self.hunter = hunter
    self.deadline = deadline
    self.gracePeriod = gracePeriod
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Returns: what the app answered, an error among it.
  /// - Throws: `RunError`, when there is no answer to rely on.
  func exchange(_ request: RPCRequest, step: StepReference?) throws(RunError) -> Result<
    JSONValue, RPCError
  > {
    // Who answers the launch unasked has been launched all the same.
    if request.method != LifecycleMethod.initialize.rawValue, let early = process.earlyResponse() {
      throw errors(step).wrongAnswer(early, to: request)
    }
    process.watch?.begin(cause(of: request.method, step))
    process.send(RPCLine.bytes(of: request))
    switch process.next(before: deadline) {
    case .response(let response) where response.id == request.id: return response.result
    case .response(let response): throw errors(step).wrongAnswer(response, to: request)
    case .exited(let exit): throw errors(step).ended(exit, during: request.method)
    case .overlong(let limit): throw errors(step).overlong(request.method, limitBytes: limit)
    case .timedOut:
      throw errors(step).noAnswer(to: request, butLine: process.mistakenLine)
    case .cancelled(let signal): throw errors(step).interrupted(by: signal)
    }
  }

  private func cause(of method: String, _ step: StepReference?) -> RequestCause {
    if let step { return .step(step) }
    return method == LifecycleMethod.initialize.rawValue ? .launch : .shutdown
  }

  /// Ends the app's stdin and waits for its end, which must be with exit code 0.
  func finish(step: StepReference?) throws(RunError) {
    process.closeInput()
    switch process.next(before: deadline) {
    case .exited(.code(0)): return
    case .exited(let exit): throw errors(step).ended(exit, during: nil)
    case .response(let response): throw errors(step).unasked(response)
    case .overlong(let limit): throw errors(step).overlong("shutdown", limitBytes: limit)
    case .timedOut: throw errors(step).noEnd
    case .cancelled(let signal): throw errors(step).interrupted(by: signal)
    }
  }

  /// Makes sure that nothing of the app lives on: SIGTERM, the grace period, SIGKILL, to the group.
  ///
  /// - Returns: what the app left behind, unless the runner had to end the app itself.
  func end() -> [Leftover] {
    guard !isCleanedUp else { return [] }
    isCleanedUp = true
    let hadEnded = process.waitForExit(before: .now) != nil
    if !hadEnded { AppTermination.terminate(process, gracePeriod: gracePeriod) }
    let leftovers = hunter.cleanUp(after: process.pid, marker: plan.marker, watch: process.watch)
    attempts = process.watch?.finish() ?? []
    return hadEnded ? leftovers : []
  }

  /// Ends the app as the system would, without a word.
  func kill() { AppTermination.kill(process) }

  var standardOutput: OutputCapture { process.standardOutput }
  var standardError: OutputCapture { process.standardError }

  private func errors(_ step: StepReference?) -> DialogueErrors {
    DialogueErrors(step: step, standardErrorTail: process.standardError.explanation())
  }
}

/// What an app said about itself in its answer to `initialize`.
struct AppCapabilities {
  private let verbs: Set<String>
  /// `nil` where the app does not say; then only `perform` itself can tell.
  private let registeredActions: Set<String>?
  private let errors: DialogueErrors

  /// - Throws: where the answer is none, or of another version.
  init(_ answer: JSONValue, _ errors: DialogueErrors) throws(RunError) {
    let version = answer["protocolVersion"]?.int
    guard version == harnessProtocolVersion else {
      let got = version.map(String.init) ?? "no version"
      throw errors.malformedAnswer(
        to: "initialize", "names \(got) of the dialogue, not version \(harnessProtocolVersion)")
    }
    guard let actions = answer["actions"]?.array?.compactMap(\.string) else {
      throw errors.malformedAnswer(to: "initialize", "has no list \"actions\" of the app's verbs")
    }
    verbs = Set(actions)
    registeredActions = (answer["registeredActions"]?.array?.compactMap(\.string))
      .map(Set.init)
    self.errors = errors
  }

  /// Whether the app can tell what is on its screen.
  var tellsScreen: Bool { verbs.contains(LifecycleMethod.screen.rawValue) }

  /// - Throws: the first action that the app does not know.
  func check(_ steps: [Step]) throws(RunError) {
    for step in steps {
      guard case .app(let action) = step.action else { continue }
      let verb = action.verb.rawValue
      guard verbs.contains(verb) else { throw unsupported(step, verb, "has", known: verbs) }
      guard case .perform(let name, _) = action, let registeredActions,
        !registeredActions.contains(name)
      else { continue }
      throw unsupported(step, name, "registered", known: registeredActions)
    }
  }

  private func unsupported(
    _ step: Step, _ name: String, _ owns: String, known: Set<String>
  ) -> RunError {
    var own = errors
    own.step = StepReference(step)
    let actions = known.subtracting([LifecycleMethod.screen.rawValue])
    return own.unsupported(name, owns, known: actions.sorted())
  }
}
