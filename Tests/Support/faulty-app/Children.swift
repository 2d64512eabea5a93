import Foundation

/// Starts children that outlive the app.
enum Children {
  /// A child that sleeps for a minute.
  ///
  /// - Parameters:
  ///   - session: whether it leaves the app's session, and with it the process group.
  ///   - pipes: whether it keeps the app's three descriptors.
  static func leave(session: Bool, pipes: Bool) {
    let words = (session ? ["setsid"] : []) + ["sleep", "60"]
    let redirection = pipes ? "" : " </dev/null >/dev/null 2>&1"
    // The shell ends at once; what it started in the background goes on.
    var pid: pid_t = 0
    let command = words.joined(separator: " ") + redirection + " & echo started >&2"
    let arguments = (["sh", "-c", command] as [String]).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&pid, "/bin/sh", nil, nil, arguments, environ) == 0 else { return }
    waitpid(pid, nil, 0)
  }
}
