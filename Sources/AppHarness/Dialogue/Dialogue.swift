import Dispatch
import Foundation
import HarnessWire

/// Answers the runner's requests, one at a time, each when the app has come to rest.
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
  }

  private func answer(_ request: RPCRequest, _ session: inout Session?) {
    launch.interceptor.beginAction(request.id)
    do throws(RPCError) {
      let result = try self.result(of: request, &session)
      answers.write(RPCResponse(id: request.id, result: .success(result)))
    } catch {
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
      return started.description
    case .shutdown:
      try settle()
      return [:]
    case nil:
      guard let session else {
        throw RPCError(.invalidRequest, "\"\(request.method)\" came before \"initialize\".")
      }
      try perform(request, session)
      return [:]
    }
  }

  private func initialize(_ request: RPCRequest) throws(RPCError) -> Session {
    let version = request.params["protocolVersion"]?.integerValue
    guard version == harnessProtocolVersion else {
      throw RPCError(
        .invalidParams,
        "This app speaks version \(harnessProtocolVersion) of the dialogue, not "
          + "\(version.map(String.init) ?? "none").")
    }
    let session = try onMain { [identity, launch, start] in
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
    let parameters = ActionParameters(values: request.params)
    let settling = settling
    try onMain { [launch] in
      let performer = ActionPerformer(
        app: session.app, clock: launch.clock, network: launch.network,
        settle: { try await settling.wait() })
      try await performer.perform(verb, parameters)
    }
    try settle()
  }

  /// Runs work on the main actor and blocks this thread until it is done.
  private func onMain<Value: Sendable>(
    _ work: @escaping @MainActor @Sendable () async throws -> Value
  ) throws(RPCError) -> Value {
    let outcome = OneTimeValue<Result<Value, any Error>>()
    Task { @MainActor in
      do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
    }
    do {
      return try outcome.wait().get()
    } catch let error as RPCError {
      throw error
    } catch {
      throw RPCError(.internalError, String(describing: error))
    }
  }

  private func settle() throws(RPCError) {
    do {
      try settling.waitBlocking()
    } catch {
      throw RPCError(.internalError, error.description)
    }
    if let failure = launch.interceptor.recordingFailure {
      throw RPCError(.internalError, "A request could not be recorded: \(failure)")
    }
  }
}

extension Dialogue {
  /// The app once it has started.
  struct Session: Sendable {
    let app: any HarnessedApp
    /// The answer to `initialize`.
    let description: JSONValue

    func supports(_ verb: ActionVerb) -> Bool {
      description["actions"]?.arrayValue?.contains(.string(verb.rawValue)) ?? false
    }
  }
}
