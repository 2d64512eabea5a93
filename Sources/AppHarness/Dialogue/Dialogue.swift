import CAppWorld
import Dispatch
import Foundation
import HarnessProtocol
import JSON
import Synchronization

/// Answers the runner's requests, one at a time, each when the app is idle.
///
/// Runs on a thread of its own, so that waiting blocks neither the main thread nor Swift
/// concurrency.
final class Dialogue: Sendable {
  private let identity: AppIdentity
  private let launch: AppLaunch
  private let settling: Settling
  private let start: @MainActor @Sendable (AppLaunch) throws -> any HarnessedApp
  private let answers: AnswerWriter

  init(
    identity: AppIdentity, launch: AppLaunch, settling: Settling, answers: AnswerWriter,
    start: @escaping @MainActor @Sendable (AppLaunch) throws -> any HarnessedApp
  ) {
    self.identity = identity
    self.launch = launch
    self.settling = settling
    self.answers = answers
    self.start = start
  }

  /// Reads requests until the end of stdin.
  func run(reading input: LineInput) {
    var session: Session?
    while let line = input.next() {
      do throws(RPCError) {
        answer(try RPCLine.request(from: line), &session)
      } catch {
        answers.write(RPCResponse(id: nil, result: .failure(error)))
      }
    }
    // The app outlives this: at the end of the process nothing of it is torn down.
    if let session { _ = Unmanaged.passRetained(session.app as AnyObject) }
  }

  private func answer(_ request: RPCRequest, _ session: inout Session?) {
    launch.interceptor.beginAction(request.id)
    do throws(RPCError) {
      let result = try self.result(of: request, &session)
      answers.write(RPCResponse(id: request.id, result: .success(result)))
    } catch {
      var error = error
      // What was held back tells whether the action was possible at all.
      if let schedule = launch.interceptor.schedule {
        error.data = (error.data ?? [:]).merging(["schedule": schedule.report()])
      }
      answers.write(RPCResponse(id: request.id, result: .failure(error)))
    }
  }

  private func result(of request: RPCRequest, _ session: inout Session?) throws(RPCError)
    -> JSONValue
  {
    switch LifecycleMethod(rawValue: request.method) {
    case .initialize:
      let started = try initialize(request)
      session = started
      return started.description.merging(report(isFirst: true))
    case .shutdown:
      tick()
      try settle(isLast: true)
      return report()
    case .screen:
      guard let session else { throw tooEarly(request) }
      return try screen(of: session)
    case nil:
      guard let session else { throw tooEarly(request) }
      tick()
      try perform(request, session)
      return report()
    }
  }

  /// So that what two actions do bears different times.
  private func tick() { launch.clock.tick(by: .milliseconds(1)) }

  private func tooEarly(_ request: RPCRequest) -> RPCError {
    RPCError(.invalidRequest, "\"\(request.method)\" came before \"initialize\".")
  }

  /// What each answer says beside its result: the seconds on the app's clock, how many timers wait for it
  /// and the seconds until the first is due; and, since the answer before, the launch keys that were
  /// asked for, the stubs and captures that were used, and what the app couldn't decode.
  ///
  /// - Parameter isFirst: whether empty lists are included, so that the runner knows that the app has them.
  private func report(isFirst: Bool = false) -> JSONValue {
    let asked = launch.environment.takeAskedKeys()
    let stubs = launch.interceptor.takeUsedStubs()?.map {
      "\($0.path):\($0.line):\($0.column)"
    }
    let undecodable = launch.decodingReports.take().map(\.json)
    return [
      "clock": .double(launch.clock.now.offset / .seconds(1)),
      "timers": launch.clock.timeToNext.map {
        ["pending": .integer(launch.clock.sleeperCount), "next": .double($0 / .seconds(1))]
      },
      "asked": asked.isEmpty && !isFirst ? nil : .strings(asked),
      "stubs": stubs.flatMap { $0.isEmpty && !isFirst ? nil : .strings($0) },
      "undecodable": undecodable.isEmpty ? nil : .array(undecodable),
      "schedule": launch.interceptor.schedule?.report(),
    ]
  }

  private func screen(of session: Session) throws(RPCError) -> JSONValue {
    let screen = try onMain { _ in Screen([session.app.screen.described]) }
    try settle()
    return screen.json
  }

  private func initialize(_ request: RPCRequest) throws(RPCError) -> Session {
    let version = request.params["protocolVersion"]?.int
    guard version == harnessProtocolVersion else {
      throw RPCError(
        .invalidParams,
        "This app speaks version \(harnessProtocolVersion) of the dialogue, not "
          + "\(version.map(String.init) ?? "none").")
    }
    let session = try onMain { [identity, launch, start] _ in
      let app = try start(launch)
      return Session(app: app, description: identity.description(of: app))
    }
    try settle()
    return session
  }

  private func perform(_ request: RPCRequest, _ session: Session) throws(RPCError) {
    guard let verb = ActionVerb(rawValue: request.method), session.supports(verb) else {
      throw RPCError(.methodNotFound, "This app has no action \"\(request.method)\".")
    }
    let action: Action
    do {
      action = try Action(verb, request.params)
    } catch {
      throw RPCError(.invalidParams, error.description)
    }
    try onMain { [launch] errand in
      let performer = ActionPerformer(
        app: session.app, clock: launch.clock, network: launch.network,
        settle: { try await errand.settle() })
      try await performer.perform(action)
    }
    try settle()
  }

  /// Runs work on the main actor and blocks this thread until it is done.
  private func onMain<Value: Sendable>(
    _ work: @escaping @MainActor @Sendable (Errand<Value>) async throws -> Value
  ) throws(RPCError) -> Value {
    let errand = Errand(work)
    var stall = Settling.Stall()
    var deadline = settling.deadline
    while true {
      switch errand.next(before: .now() + patience) {
      case .done(let result): return try value(of: result)
      case .settle(let continuation):
        continuation.resume(with: Result { try waitUntilDone() })
        deadline = settling.deadline
      case nil:
        if try deliverForAction(&stall) || moveClockForAction(&stall) {
          deadline = settling.deadline
        }
        guard DispatchTime.now() < deadline else { throw stuck }
      }
    }
  }

  /// How long an action is left alone that isn't done.
  private var patience: DispatchTimeInterval {
    .milliseconds(launch.interceptor.schedule == nil ? 50 : 2)
  }

  /// An action that waits for an answer itself gets it.
  ///
  /// - Returns: whether an answer was delivered.
  private func deliverForAction(_ stall: inout Settling.Stall) throws(RPCError) -> Bool {
    guard launch.interceptor.schedule != nil, settling.isIdleNow(&stall) else { return false }
    do {
      return try deliverNext(isLast: false)
    } catch {
      throw RPCError(.internalError, error.description)
    }
  }

  /// An action that waits for a time itself, as one that blocks the main thread does, takes that time.
  ///
  /// - Returns: whether the clock was moved.
  private func moveClockForAction(_ stall: inout Settling.Stall) -> Bool {
    guard settling.isIdleNow(&stall), let next = launch.clock.timeToNext else { return false }
    return launch.clock.wakeNext(upTo: launch.clock.instant(after: next))
  }

  private func value<Value>(of result: Result<Value, any Error>) throws(RPCError) -> Value {
    do {
      return try result.get()
    } catch let error as RPCError {
      throw error
    } catch {
      throw RPCError(.internalError, String(describing: error))
    }
  }

  private var stuck: RPCError {
    RPCError(
      .internalError,
      "The action did not end within \(settling.limit / .seconds(1)) s: the main thread, or what a "
        + "registered action awaits, waits for something that does not come.")
  }

  /// Delivers one of the answers that are held, and waits until the app is idle again.
  ///
  /// - Parameter isLast: whether everything has to be delivered now.
  /// - Returns: whether there was one to deliver.
  private func deliverNext(isLast: Bool) throws(RestlessApp) -> Bool {
    let (interceptor, clock) = (launch.interceptor, launch.clock)
    let action = interceptor.currentAction
    guard let schedule = interceptor.schedule,
      let delivery = schedule.next(during: action, isLast: isLast)
    else { return false }
    let began = clock.now.offset / .seconds(1)
    // So that what the app does now bears another time than what the action in hand did.
    if delivery.action != action { clock.tick(by: .milliseconds(1)) }
    // What it does belongs to the action that asked.
    interceptor.beginAction(delivery.action)
    delivery.deliver()
    defer {
      schedule.note(
        delivery, during: action, began: began, clock: clock.now.offset / .seconds(1))
      if delivery.action != action { clock.tick(by: .milliseconds(1)) }
      interceptor.beginAction(action)
    }
    try settling.waitBlocking()
    return true
  }

  /// Waits until the app is idle and no answer is due.
  private func waitUntilDone(isLast: Bool = false) throws(RestlessApp) {
    try settling.waitBlocking()
    while try deliverNext(isLast: isLast) {}
  }

  private func settle(isLast: Bool = false) throws(RPCError) {
    do {
      try waitUntilDone(isLast: isLast)
    } catch {
      throw RPCError(.internalError, error.description)
    }
    if let failure = launch.interceptor.recordingFailure {
      throw RPCError(.internalError, "A request could not be recorded: \(failure)")
    }
  }
}

extension JSONValue {
  fileprivate func merging(_ other: JSONValue) -> JSONValue {
    .object((object ?? [:]) + (other.object ?? [:]))
  }
}

extension Dialogue {
  /// The app once it has started.
  struct Session: Sendable {
    let app: any HarnessedApp
    /// The answer to `initialize`.
    let description: JSONValue

    func supports(_ verb: ActionVerb) -> Bool {
      description["actions"]?.array?.contains(.string(verb.rawValue)) ?? false
    }
  }
}

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
      "actions": .strings(verbs + [LifecycleMethod.screen.rawValue]),
      "registeredActions": .strings(registered),
      "unseen": .strings(AppWorld.unseen),
    ]
  }

  @MainActor private func isAble(_ app: any HarnessedApp, _ verb: ActionVerb) -> Bool {
    switch verb {
    case .openURL: app is any DeepLinkHandling
    case .push: app is any PushReceiving
    case .perform: !app.registeredActions.isEmpty
    case .tap, .doubleTap, .longPress, .swipe, .scrollTo, .typeText, .clearText,
      .waitForExistence, .waitForNonExistence, .assertExists, .assertNotExists, .assertText,
      .background, .foreground, .advanceClock, .setNetwork:
      true
    }
  }
}

/// Work of the main actor that the dialogue's thread waits for, and what it is asked for meanwhile.
final class Errand<Value: Sendable>: Sendable {
  enum Message: Sendable {
    /// The main actor waits for the app to be idle, which only the dialogue's thread can find out.
    case settle(CheckedContinuation<Void, any Error>)
    case done(Result<Value, any Error>)
  }

  private let messages = Mutex<[Message]>([])
  private let count = DispatchSemaphore(value: 0)

  /// Starts the work.
  init(_ work: @escaping @MainActor @Sendable (Errand) async throws -> Value) {
    Task { @MainActor in
      do { post(.done(.success(try await work(self)))) } catch { post(.done(.failure(error))) }
    }
  }

  /// Waits on the main actor until the app is idle.
  func settle() async throws {
    try await withCheckedThrowingContinuation { post(.settle($0)) }
  }

  /// Blocks the dialogue's thread until there is a message, or the deadline.
  func next(before deadline: DispatchTime) -> Message? {
    guard count.wait(before: deadline) else { return nil }
    return messages.withLock { $0.removeFirst() }
  }

  private func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    count.signal()
  }
}
