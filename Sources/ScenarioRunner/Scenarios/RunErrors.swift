import Foundation
import HarnessProtocol
import ScenarioCore

/// Words what goes wrong between the runner and an app.
struct DialogueErrors {
  var step: StepReference?
  var standardErrorTail: [String]

  func ended(_ exit: ProcessExit, during method: String?) -> RunError {
    let moment = method.map { "before it answered \"\($0)\"" } ?? "at the end of its stdin"
    switch exit {
    case .signal(let number):
      return error(.crashed, "The app was ended by \(SignalName.of(number)) \(moment).")
    case .code(let code):
      let wanted = method == nil ? "; it should exit with 0" : ""
      return error(.exitedEarly, "The app exited with code \(code) \(moment)\(wanted).")
    }
  }

  /// - Parameter mistaken: a line that may have been meant as the answer.
  func noAnswer(to request: RPCRequest, butLine mistaken: [UInt8]?) -> RunError {
    let words = mistaken.map { line in
      " It wrote a line that looks like an answer and isn't one: "
        + "\(String(decoding: line, as: UTF8.self)) An answer is a line of its own, as "
        + #"{"jsonrpc":"2.0","id":\#(request.id),"result":{}}."#
    }
    return error(
      .timedOut,
      "The app did not answer \"\(request.method)\" within the scenario's timeout.\(words ?? "")")
  }

  func overlong(_ method: String, limitBytes: Int) -> RunError {
    error(
      .protocolViolation,
      "While \"\(method)\" was waiting for its answer, the app wrote a line of more than "
        + "\(limitBytes >> 20) MiB to its stdout. An answer has to be shorter.")
  }

  var noEnd: RunError {
    error(
      .timedOut,
      "The app did not exit at the end of its stdin within the scenario's timeout. It should exit "
        + "with 0 then.")
  }

  func interrupted(by signal: Int32) -> RunError {
    error(.interrupted, "The run was interrupted by \(SignalName.of(signal)).")
  }

  func wrongAnswer(_ response: RPCResponse, to request: RPCRequest) -> RunError {
    if response.id == request.id {
      return error(
        .protocolViolation,
        "The app answered \"\(request.method)\" with id \(request.id) before it was asked. It has to read a "
          + "request, do what it says, and then answer.")
    }
    let got = response.id.map { "with id \($0)" } ?? "without an id"
    let reason =
      if case .failure(let failure) = response.result { ": \(failure.message)" } else { "" }
    return error(
      .protocolViolation,
      "The app sent an answer \(got), while \"\(request.method)\" with id \(request.id) was waiting "
        + "for its own\(reason). Each request gets exactly one answer, with its id.")
  }

  func unasked(_ response: RPCResponse) -> RunError {
    let got = response.id.map { "with id \($0)" } ?? "without an id"
    return error(
      .protocolViolation,
      "The app sent an answer \(got) that nothing had asked for. Each request gets exactly one answer."
    )
  }

  func refused(_ method: String, _ failure: RPCError) -> RunError {
    if failure.code == .unreadable { return malformedAnswer(to: method, failure.message) }
    return error(
      failure.code == .methodNotFound ? .unsupportedAction : .protocolViolation,
      "The app answered \"\(method)\" with error \(failure.code.rawValue): \(failure.message)")
  }

  /// - Parameter owns: what the app does with its actions: `has` or `registered`.
  func unsupported(_ name: String, _ owns: String, known: [String]) -> RunError {
    let names = known.isEmpty ? "none" : known.joined(separator: ", ")
    return error(.unsupportedAction, "The app \(owns) no action \"\(name)\". It \(owns): \(names).")
  }

  func malformedAnswer(to method: String, _ fault: String) -> RunError {
    error(.protocolViolation, "The app's answer to \"\(method)\" \(fault).")
  }

  func leftBehind(_ leftovers: [Leftover]) -> RunError {
    let names = leftovers.map(\.description).joined(separator: ", ")
    let (noun, verb) = leftovers.count == 1 ? ("a process", "was") : ("processes", "were")
    return error(
      .leftBehind,
      "The app left \(noun) behind, which \(verb) still there after its end: \(names). "
        + "What it sent can't be known; end it before the app exits.")
  }

  private func error(_ kind: RunError.Kind, _ message: String) -> RunError {
    RunError(kind, message, step: step, standardErrorTail: standardErrorTail)
  }
}

/// Words why an app could not be started.
enum LaunchErrors {
  static func cannotStart(_ plan: LaunchPlan, _ failure: SystemError) -> RunError {
    guard failure.operation == "start" else {
      return RunError(.runner, "The app could not be started: \(failure).")
    }
    let cause =
      switch failure.code {
      case ENOENT where plan.workingDirectory.isEmpty:
        "the folder that scenario-run was started in is not there any more"
      case ENOENT where access(plan.workingDirectory, F_OK) != 0:
        "its working directory \(plan.workingDirectory) is not there"
      case ENOENT: "the program, or the interpreter it names, is not there"
      case ENOEXEC: "it isn't a program for this system"
      default: failure.reason
      }
    return RunError(.cannotLaunch, "The app \(plan.program) could not be started: \(cause).")
  }
}

/// Words what went past the sessions that the kit intercepts.
enum EscapeErrors {
  /// - Returns: `nil` where everything is to be ignored.
  static func error(_ attempts: [NetworkAttempt], _ network: NetworkAccess) -> RunError? {
    let attempts = attempts.filter { !isIgnored($0, network) }
    guard let first = attempts.first else { return nil }
    return RunError(
      .networkAttempt, message(first, attempts), step: first.cause.step, attempts: attempts)
  }

  private static func isIgnored(_ attempt: NetworkAttempt, _ network: NetworkAccess) -> Bool {
    guard case .sealed(let hosts) = network, let host = attempt.host?.lowercased() else {
      return false
    }
    return hosts.contains { fnmatch($0.lowercased(), host, 0) == 0 }
  }

  private static func message(_ first: NetworkAttempt, _ all: [NetworkAttempt]) -> String {
    let verb = first.transport == "DNS" ? "look up" : "reach"
    let others = all.count - 1
    let further =
      switch others {
      case 0: ""
      case 1: " So was another attempt, which is listed below."
      default: " So were \(others) other attempts, which are listed below."
      }
    let host = first.host ?? "host"
    return
      "\(first.program) tried to \(verb) \(first.target) past the URLSessions that are intercepted, "
      + "and was refused.\(further) Send it through a URLSession of the kit; or say in "
      + ".scenario-run.json what is to become of it: \"network\": {\"ignored\": [\"\(host)\"]} refuses it "
      + "without failing scenarios, \"network\": \"open\" lets everything pass."
  }
}

/// Words why a schedule does not fit.
enum ScheduleErrors {
  static let unsupported = RunError(
    .unsupportedAction,
    "The app takes no schedule: its kit doesn't hold answers back. Build it with the present kit, or "
      + "remove the schedule.")

  /// - Returns: `nil` where it fits.
  static func unfit(
    _ schedule: TakenSchedule, given: Schedule, _ failure: ActionFailure?
  ) -> RunError? {
    if let failure, !schedule.heldAtFailure.isEmpty {
      let names = schedule.heldAtFailure.map { request in
        "\(schedule.requests[request].method) \(schedule.requests[request].url)"
      }
      return RunError(
        .impossibleSchedule,
        "The schedule isn't possible: the action failed while it held back the answer of "
          + names.joined(separator: ", ") + ". \(failure.error.message)", step: failure.step)
    }
    guard let item = schedule.unmet.first else { return nil }
    let place = given.items.count - schedule.unmet.count + 1
    return RunError(
      .unfitSchedule,
      "The schedule doesn't fit the scenario any more: part \(place) of \(given.items.count), "
        + "\"\(item)\", did not occur. Find another one with scenario-run sweep, or remove it.",
      step: failure?.step)
  }
}

/// Words why nothing can be said about the requests of an app.
enum StoreErrors {
  /// The requests were not judged to the end.
  static func unjudged(_ timeout: Duration, _ cancellation: Cancellation) -> RunError {
    if let signal = cancellation.cancellingSignal {
      return DialogueErrors(step: nil, standardErrorTail: []).interrupted(by: signal)
    }
    let seconds = timeout / .seconds(1)
    return RunError(
      .timedOut,
      "The app's requests could not be judged within the scenario's timeout of "
        + "\(Int(exactly: seconds).map(String.init) ?? "\(seconds)") s. Write simpler expressions or fewer expectations, or raise "
        + "\"timeout\".")
  }

  static func damaged(_ damage: StoreDamage, _ step: StepReference? = nil) -> RunError {
    RunError(
      .damagedStore,
      "The store of recorded requests is damaged, so nothing can be said about them: \(damage)",
      step: step)
  }

  static func exhausted(_ folder: String, _ step: StepReference? = nil) -> RunError {
    RunError(
      .damagedStore,
      "The disk of the shared folder \(folder) is full, so recorded requests may be missing. Make "
        + "room there, or set TMPDIR to a folder of another disk.", step: step)
  }
}
