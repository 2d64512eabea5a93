import Foundation
import HarnessProtocol
import JSON
import ScenarioCore

/// The course of a scenario over the processes of its app.
struct ScenarioPlay {
  let execution: ScenarioExecution
  let folders: ScenarioFolders
  private let store: StoreReader
  let timeout: Duration
  private var deadline: ContinuousClock.Instant
  private var session: AppSession?
  private var capturedOutput = OutputCapture()
  private var capturedError = OutputCapture()
  private var leftovers: RunError?
  private var attempts: [NetworkAttempt] = []
  /// How many steps were answered, from the first.
  private(set) var completedSteps = 0
  /// The ids of the requests that were sent to the app: what a recorded request can be caused by.
  private(set) var sentActions: Set<Int> = []
  /// What the app said of itself, the last action before `shutdown` included.
  private(set) var app = AppReport()
  private(set) var trace: Trace
  /// What the app can do; `nil` before it was launched.
  private var capabilities: AppCapabilities?
  /// What the app couldn't decode.
  private(set) var undecodable: [FileDoubt] = []
  /// How many processes of the app there were, and what its clock showed last.
  private var earlier = (launches: 0, clock: 0.0)
  /// The names in the launch environment.
  private var givenKeys: Set<String> = []
  /// Whether the schedule has killed the app.
  private var hasRestarted = false
  /// As the last `setNetwork` of the present process says.
  private var isOffline = false
  /// The action that failed, if one did; what came after it was not run.
  private(set) var failure: ActionFailure?

  init(execution: ScenarioExecution, folders: ScenarioFolders, store: StoreReader) {
    self.execution = execution
    self.folders = folders
    self.store = store
    timeout =
      execution.settings.forcedTimeout ?? execution.scenario.timeout ?? execution.settings.timeout
    deadline = .now + timeout
    trace = Trace(execution.settings.trace)
    trace.startDate = execution.scenario.clockStart.map {
      $0 + execution.settings.startDateOffset / .seconds(1)
    }
    trace.schedule = execution.schedule.map(TakenSchedule.init)
  }

  private var scenario: Scenario { execution.scenario }

  /// Runs the steps, up to the first that fails.
  ///
  /// - Throws: why nothing can be said about the app.
  mutating func run() throws(RunError) {
    try start()
    for step in scenario.steps where failure == nil { try perform(step) }
    try shutDown()
  }

  /// Launches the app, and makes sure that it knows the actions of the scenario.
  mutating func start() throws(RunError) { try launch(id: 0, step: nil) }

  /// Runs one more step; the app's failure, if it is one, is in `failure`.
  mutating func perform(_ step: Step) throws(RunError) {
    failure = try run(step)
    if failure == nil { completedSteps = step.id }
  }

  /// Whether the app runs: between `terminate` and `relaunch` it doesn't.
  var isAppRunning: Bool { session != nil }

  /// - Throws: where the app doesn't know the action.
  func check(_ step: Step) throws(RunError) { try capabilities?.check([step]) }

  /// Gives the app its whole timeout once more: for one who stops to think between the actions.
  mutating func renewDeadline() {
    deadline = .now + timeout
    session?.deadline = deadline
  }

  /// The trace so far, with the requests that the store has now.
  ///
  /// - Parameters:
  ///   - stubs: finds what a request without an answer came nearest to.
  ///   - observe: is given each of them.
  func currentTrace(
    _ stubs: StubSearch, _ observe: (RecordedRequestLine) -> Void
  ) throws(RunError) -> Trace {
    var current = trace
    var verification = Verification(scenario: scenario, times: ActionTimes(trace, of: scenario))
    do throws(StoreDamage) {
      try store.forEachLine { (line) throws(RecordedLineFault) in
        observe(line)
        current.add(line.request, verification.observe(line), stubs: stubs.nearest)
      }
    } catch {
      throw StoreErrors.damaged(error)
    }
    return current
  }

  /// Ends whatever still runs.
  ///
  /// - Returns: an error where the app left something behind.
  mutating func end() -> RunError? {
    endSession(step: nil)
    return takeLeftovers()
  }

  /// Why nothing can be said about what the app sent, where some of it went past the kit.
  var escape: RunError? { EscapeErrors.error(attempts, execution.settings.network) }

  var output: AppOutput {
    AppOutput(standardOutput: capturedOutput.text, standardError: capturedError.text)
  }

  private mutating func run(_ step: Step) throws(RunError) -> ActionFailure? {
    let reference = StepReference(step)
    execution.stepStarted(reference)
    trace.begin(.step(reference), id: step.id)
    switch step.action {
    case .app(let action):
      let request = RPCRequest(id: step.id, method: action.verb.rawValue, params: action.params)
      if case .setNetwork(let state) = action { isOffline = state == .offline }
      return try send(request, reference)
    case .expectRequests: break
    case .terminate: try terminate(reference)
    case .relaunch:
      try terminate(reference)
      isOffline = false
      try launch(id: step.id, step: reference)
    }
    return nil
  }

  private mutating func send(
    _ request: RPCRequest, _ step: StepReference
  ) throws(RunError) -> ActionFailure? {
    guard let session else {
      throw RunError(.invalidInput, "The app does not run: add a \"relaunch\" before.", step: step)
    }
    switch try exchange(request, with: session, step) {
    case .success(let answer):
      try note(answer, to: request.method, step)
      if try restart(id: request.id, step: step) { return nil }
      try noteScreen(session, step)
      return nil
    case .failure(let failed) where failed.code.isAppFailure:
      var error = failed
      if let report = error.data?["schedule"] {
        trace.schedule?.take(report, after: request.id, isFailed: true)
        error.data = error.data?.without("schedule")
      }
      trace.note { $0.error = error }
      try noteScreen(session, step)
      return ActionFailure(step: step, error: error)
    case .failure(let error): throw errors(step).refused(request.method, error)
    }
  }

  /// Has the app answer a request, then looks after the store.
  private mutating func exchange(
    _ request: RPCRequest, with session: AppSession, _ step: StepReference?
  ) throws(RunError) -> Result<JSONValue, RPCError> {
    sentActions.insert(request.id)
    let answer = try session.exchange(request, step: step)
    // What the app itself says of its fault comes first.
    if case .failure(let error) = answer, !error.code.isAppFailure { return answer }
    do throws(StoreDamage) {
      try store.look(after: request.id)
    } catch {
      throw StoreErrors.damaged(error, step)
    }
    // Asked here, since the disk may have room again at the end.
    if DiskSpace.isExhausted(at: folders.shared) {
      throw StoreErrors.exhausted(folders.shared, step)
    }
    return answer
  }

  private mutating func launch(id: Int, step: StepReference?) throws(RunError) {
    let schedule = trace.schedule?.beginProcess()
    let plan = try LaunchPlanner(
      execution: execution, folders: folders, earlier: earlier, schedule: schedule,
      isOffline: isOffline
    ).plan()
    earlier.launches += 1
    givenKeys = Set(plan.environment.keys)
    let session = try AppSession(
      plan, hunter: execution.resources.hunter, seal: execution.resources.seal(execution.settings),
      cancellation: execution.cancellation,
      deadline: deadline, gracePeriod: execution.settings.gracePeriod)
    self.session = session
    if step == nil, !hasRestarted { trace.begin(.launch, id: id) }
    let request = RPCRequest(
      id: id, method: LifecycleMethod.initialize.rawValue,
      params: ["protocolVersion": .integer(harnessProtocolVersion)])
    switch try exchange(request, with: session, step) {
    case .success(let answer):
      try note(answer, to: request.method, step)
      app.unseen = answer["unseen"]?.strings ?? []
      if schedule != nil, answer["schedule"] == nil { throw ScheduleErrors.unsupported }
      if try restart(id: id, step: step) { return }
      let capabilities = try AppCapabilities(answer, errors(step))
      try capabilities.check(scenario.steps)
      self.capabilities = capabilities
      try noteScreen(session, step)
    case .failure(let error): throw errors(step).refused(request.method, error)
    }
  }

  /// Kills the app and launches it again, where the schedule says so.
  ///
  /// - Returns: whether it did.
  private mutating func restart(id: Int, step: StepReference?) throws(RunError) -> Bool {
    guard trace.schedule?.wantsRestart == true, let session else { return false }
    session.kill()
    endSession(step: step)
    if let leftovers = takeLeftovers() { throw leftovers }
    hasRestarted = true
    try launch(id: id, step: step)
    return true
  }

  private mutating func terminate(_ step: StepReference) throws(RunError) {
    guard let session else { return }
    try session.finish(step: step)
    endSession(step: step)
    if let leftovers = takeLeftovers() { throw leftovers }
  }

  private mutating func shutDown() throws(RunError) {
    guard let session else { return }
    let method = LifecycleMethod.shutdown.rawValue
    let request = RPCRequest(id: scenario.steps.count + 1, method: method)
    trace.begin(.shutdown, id: request.id)
    switch try exchange(request, with: session, nil) {
    case .success(let answer): try note(answer, to: method, nil)
    case .failure(let error): throw errors(nil).refused(method, error)
    }
    try session.finish(step: nil)
  }

  /// Takes what an answer says beside its result.
  ///
  /// - Throws: where that can't be read; nothing of it is left out in silence.
  private mutating func note(
    _ answer: JSONValue, to method: String, _ step: StepReference?
  ) throws(RunError) {
    if let fault = AnswerShape.fault(of: answer) {
      throw errors(step).malformedAnswer(to: method, fault)
    }
    earlier.clock = answer["clock"]?.double ?? earlier.clock
    trace.note { action in
      action.note(answer)
      if case .shutdown = action.cause { return }
      (app.pendingTimers, app.nextTimer) = (action.pendingTimers, action.nextTimer)
    }
    if let report = answer["schedule"], let id = trace.actions.last?.id {
      trace.schedule?.take(report, after: id, clock: earlier.clock)
    }
    noteFiles(answer)
  }

  /// Why the run says nothing about the app, where the schedule did not come about.
  var unfitSchedule: RunError? {
    guard let taken = trace.schedule, let given = execution.schedule else { return nil }
    return ScheduleErrors.unfit(taken, given: given, failure)
  }

  /// Takes what an answer says of the files that the scenario names.
  private mutating func noteFiles(_ answer: JSONValue) {
    let asked = answer["asked"]?.strings
    if let asked {
      let all = (app.askedKeys ?? []).union(asked)
      app.askedKeys = all
      app.missingKeys = all.subtracting(givenKeys).sorted()
    }
    if let stubs = answer["stubs"]?.strings { app.usedStubs = (app.usedStubs ?? []).union(stubs) }
    let missing = (asked ?? []).filter { !givenKeys.contains($0) }
    let failures = (answer["undecodable"]?.array ?? []).map { DecodingFailure($0) }
    guard !missing.isEmpty || !failures.isEmpty else { return }
    let settings = execution.settings
    let locator = DecodingFailureLocator(
      FixturesFolder(path: settings.fixturesDirectory, files: settings.files),
      shownFolder: settings.shownFixturesDirectory)
    let diagnostics = failures.map(locator.diagnostic)
    trace.note { action in
      action.missingKeys = missing
      action.undecodable = diagnostics
    }
    // An action that failed said nothing itself.
    let cause = failure.map { .step($0.step) } ?? trace.actions.last?.cause
    undecodable += diagnostics.map { FileDoubt(.undecodable, $0, cause: cause) }
  }

  /// Asks for the screen after an action, where somebody wants to know.
  private mutating func noteScreen(
    _ session: AppSession, _ step: StepReference?
  ) throws(RunError) {
    guard capabilities?.tellsScreen == true, trace.detail.contains(.screens),
      let id = trace.actions.last?.id
    else { return }
    let method = LifecycleMethod.screen.rawValue
    switch try session.exchange(RPCRequest(id: id, method: method), step: step) {
    case .success(let answer):
      guard let screen = Screen(answer) else {
        throw errors(step).malformedAnswer(
          to: method, "has no list \"elements\" of objects with a \"type\"")
      }
      trace.note { $0.screen = screen }
    case .failure(let error): throw errors(step).refused(method, error)
    }
  }

  /// To be told once.
  private mutating func takeLeftovers() -> RunError? {
    defer { leftovers = nil }
    return leftovers
  }

  private mutating func endSession(step: StepReference?) {
    guard let session else { return }
    let left = session.end()
    if !left.isEmpty { leftovers = errors(step).leftBehind(left) }
    attempts += session.attempts
    capturedOutput.append(session.standardOutput)
    capturedError.append(session.standardError)
    self.session = nil
  }

  private func errors(_ step: StepReference?) -> DialogueErrors {
    DialogueErrors(
      step: step, standardErrorTail: (session?.standardError ?? capturedError).explanation())
  }
}

extension JSONValue {
  /// An object with one member less; `nil` where nothing is left.
  fileprivate func without(_ name: String) -> JSONValue? {
    guard var members = object else { return self }
    members[name] = nil
    return members.isEmpty ? nil : .object(members)
  }

  fileprivate var strings: [String]? { array?.compactMap(\.string) }
}

/// What an answer may say beside its result; each may be `null`, which means that it is absent.
private enum AnswerShape {
  private static let members:
    [(key: String, kind: String, isOfKind: @Sendable (JSONValue) -> Bool)] = [
      ("clock", "a number", { $0.double != nil }),
      ("timers", "an object", { $0.object != nil }),
      ("undecodable", "a list of objects", { isList($0) { $0.object != nil } }),
      ("asked", "a list of strings", { isList($0) { $0.string != nil } }),
      ("stubs", "a list of strings", { isList($0) { $0.string != nil } }),
      ("unseen", "a list of strings", { isList($0) { $0.string != nil } }),
    ]

  private static func isList(_ value: JSONValue, of isElement: (JSONValue) -> Bool) -> Bool {
    value.array?.allSatisfy(isElement) ?? false
  }

  static func fault(of answer: JSONValue) -> String? {
    members.first { member in
      answer[member.key].map { !$0.isNull && !member.isOfKind($0) } ?? false
    }.map { "says \"\($0.key)\", which has to be \($0.kind)" }
  }
}

extension TracedAction {
  /// Takes what an answer says beside its result; one that says nothing of timers has none.
  fileprivate mutating func note(_ answer: JSONValue) {
    pendingTimers = answer["timers"]?["pending"]?.int ?? 0
    nextTimer = answer["timers"]?["next"]?.double
    clock = answer["clock"]?.double
    askedKeys = answer["asked"]?.strings ?? []
  }
}

extension RPCErrorCode {
  /// Whether the app says by it that it is in another state than the scenario expects.
  var isAppFailure: Bool { (-32005 ... -32001).contains(rawValue) }
}
