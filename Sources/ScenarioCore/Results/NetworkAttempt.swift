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

/// What keeps the apps of a run from the network.
package enum NetworkSeal: String, Sendable, CaseIterable {
  /// System calls that could leave are refused, and named: the whole seal.
  case systemCalls
  /// There is no network where the apps run, and nobody is told who looked for it.
  case namespace
  /// The system allows neither: only the kit's own interception holds.
  case none
  /// The configuration wants none.
  case open

  /// Whether nothing leaves that isn't known.
  package var isWhole: Bool { self == .systemCalls }
}
