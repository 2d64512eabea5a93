import HarnessProtocol
import SourceText

/// An action that the app could not do, or an assertion that did not hold.
package struct ActionFailure: Sendable {
  package var step: StepReference
  package var error: RPCError

  package init(step: StepReference, error: RPCError) {
    self.step = step
    self.error = error
  }
}

/// Why nothing can be said about a scenario.
package struct RunError: Error {
  package enum Kind: String, Sendable {
    /// A scenario, fixture or steps file is invalid.
    case invalidInput
    /// The app isn't there, isn't executable, or could not be started.
    case cannotLaunch
    /// Ended by a signal.
    case crashed
    /// Ended before it answered, or with another code than 0.
    case exitedEarly
    /// Did not answer, or did not end, in time.
    case timedOut
    /// Said something that the dialogue does not allow, or answered with a standard error code.
    case protocolViolation
    /// The app does not know an action of the scenario.
    case unsupportedAction
    /// A line of the store is damaged or torn, or the store can't be read.
    case damagedStore
    /// Requests in the store say no action, and what an action sent can't be judged without it.
    case unattributedRequests
    /// A regular expression or a JSONPath would take too long on what the app sent.
    case expensivePattern
    /// A body that the app sent can't be decoded, and an expectation asks what is in it.
    case undecodableBody
    /// What a decoder finds can't be read, or nobody can tell which action tracked it.
    case unreadableEvents
    /// Something went past the sessions that the kit intercepts, and was refused.
    case networkAttempt
    /// A process that the app started was still there after it.
    case leftBehind
    /// The run was interrupted while the scenario ran.
    case interrupted
    /// A schedule doesn't fit the scenario, or the app doesn't keep to it.
    case unfitSchedule
    /// A schedule keeps an answer back that an action needs.
    case impossibleSchedule
    /// The runner could not do its own part: a folder, a descriptor, a pipe.
    case runner
  }

  package var kind: Kind
  /// What happened and what to do, in one or two sentences.
  package var message: String
  /// The action in flight; `nil` before the first and after the last.
  package var step: StepReference?
  /// Where in a file the cause is, if it is in a file.
  package var location: SourceLocation?
  /// The faults of an invalid file.
  package var diagnostics: [Diagnostic]
  /// The end of the app's stderr, at most 20 lines, oldest first.
  package var standardErrorTail: [String]
  /// What was refused, of a network attempt; the first that were made where there are many.
  package var attempts: [NetworkAttempt]

  package init(
    _ kind: Kind, _ message: String, step: StepReference? = nil, location: SourceLocation? = nil,
    diagnostics: [Diagnostic] = [], standardErrorTail: [String] = [],
    attempts: [NetworkAttempt] = []
  ) {
    self.kind = kind
    self.message = message
    self.step = step
    self.location = location
    self.diagnostics = diagnostics
    self.standardErrorTail = standardErrorTail
    self.attempts = attempts
  }
}

/// What an app, or a program that it started, tried to send past the sessions that the kit intercepts;
/// it was refused.
package struct NetworkAttempt: Sendable {
  /// The program's name, as the system keeps it.
  package var program: String
  /// "TCP", "UDP", "DNS" for the lookup of a name, or the system's word for another one.
  package var transport: String
  /// The name that was looked up, or an address; `nil` where it isn't known.
  package var host: String?
  package var port: Int?
  /// What was in hand.
  package var cause: RequestCause
  package var count: Int

  package init(
    program: String, transport: String, host: String? = nil, port: Int? = nil,
    cause: RequestCause, count: Int = 1
  ) {
    self.program = program
    self.transport = transport
    self.host = host
    self.port = port
    self.cause = cause
    self.count = count
  }

  /// Where to, and by what: "10.1.2.3 port 80 (TCP)".
  package var target: String {
    let port = port.map { " port \($0)" } ?? ""
    return "\(host ?? "an unknown host")\(port) (\(transport))"
  }
}

/// What keeps the apps of a run from the network; the strongest first.
package enum NetworkSeal: String, Sendable, CaseIterable {
  /// System calls that could leave are refused, and named: the whole seal.
  case systemCalls
  /// There is no network where the apps run, and nobody is told who looked for it.
  case namespace
  /// The system allows neither: only the kit's own interception holds.
  case none
  /// The configuration opens the network.
  case open

  /// Whether nothing leaves that isn't known.
  package var isWhole: Bool { self == .systemCalls }
}
