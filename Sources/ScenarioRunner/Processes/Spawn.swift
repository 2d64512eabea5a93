import CSupervision
import Foundation

/// Starts a program.
enum Spawn {
  /// - Returns: with the process, where its seal tells of attempts; -1 where it doesn't.
  static func start(
    _ plan: LaunchPlan, mark: UInt64, seal: csupervision_seal, input: Int32, output: Int32,
    error: Int32
  ) throws(SystemError) -> (pid: pid_t, listener: Int32) {
    var started = (pid: pid_t(0), listener: Int32(-1))
    let arguments = [plan.program] + plan.arguments
    let environment = plan.environment.map { "\($0.key)=\($0.value)" }.sorted()
    let code = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        plan.program.withCString { program in
          plan.workingDirectory.withCString { directory in
            var launch = csupervision_launch(
              program: program, arguments: arguments, environment: environment,
              directory: directory, descriptors: (input, output, error),
              has_own_group: plan.hasOwnGroup, mark: mark, seal: seal)
            return csupervision_spawn(&launch, &started.pid, &started.listener)
          }
        }
      }
    }
    guard code == 0 else { throw SystemError("start", code: code) }
    return started
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Value
  ) -> Value {
    let pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("never empty: ends with nil") }
      return body(base)
    }
  }
}

/// Everything that starting an app needs.
struct LaunchPlan: Sendable {
  /// An absolute path.
  var program: String
  /// Without the program's name.
  var arguments: [String]
  /// The whole environment: nothing is inherited.
  var environment: [String: String]
  var workingDirectory: String
  /// A text that only the environments of this launch hold: by it, what the app started is known.
  var marker: String
  /// Whether the app leads a process group of its own.
  var hasOwnGroup = true
}

/// How a process ended.
package enum ProcessExit: Sendable, Equatable {
  case code(Int32)
  case signal(Int32)

  init(_ ended: csupervision_exit) {
    self = ended.signaled ? .signal(ended.code) : .code(ended.code)
  }
}

/// The names of signals, as people know them.
enum SignalName {
  private static let names: [Int32: String] = [
    SIGABRT: "SIGABRT (abort)", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS (bus error)",
    SIGFPE: "SIGFPE (arithmetic error)", SIGHUP: "SIGHUP", SIGILL: "SIGILL (illegal instruction)",
    SIGINT: "SIGINT (interrupt)", SIGKILL: "SIGKILL (killed)", SIGPIPE: "SIGPIPE (broken pipe)",
    SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV (segmentation fault)", SIGTERM: "SIGTERM (terminated)",
    SIGTRAP: "SIGTRAP (trap)", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2",
    SIGXCPU: "SIGXCPU (CPU limit)",
    SIGXFSZ: "SIGXFSZ (file size limit)",
  ]

  static func of(_ number: Int32) -> String { names[number] ?? "signal \(number)" }
}
