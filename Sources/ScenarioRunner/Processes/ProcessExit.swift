import CSupervision
import Foundation

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
