#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Starts children that outlive the app.
enum Children {
  /// Without the app's three descriptors.
  static let noPipes = "</dev/null >/dev/null 2>&1"

  /// A child that a shell starts in the background before it ends itself.
  static func leave(_ command: String) {
    var pid: pid_t = 0
    guard spawn(&pid, command + " & echo started >&2") else { return }
    waitpid(pid, nil, 0)
  }

  /// A child that shows by nothing whose it is, once it has hidden.
  static func leaveDisguised() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    var pid: pid_t = 0
    let hidden = "echo hidden >&\(ends[1]); exec \(ends[1])>&- sleep 60"
    _ = spawn(
      &pid, "env -i prlimit --locks=7:7 setsid /bin/sh -c '\(hidden)' \(noPipes) & echo started >&2"
    )
    waitpid(pid, nil, 0)
    var byte: UInt8 = 0
    _ = read(ends[0], &byte, 1)
  }

  /// A child that ends when the app's end closes a pipe, a moment after the app.
  static func leaveUntilEnd() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    var pid: pid_t = 0
    // Its own copy of the writing end would keep it alive.
    _ = spawn(&pid, "exec \(ends[1])>&-; cat <&\(ends[0]) >/dev/null")
  }

  /// This program once more, as a child whose first thread has ended.
  static func leaveThreaded() {
    var pid: pid_t = 0
    let program = CommandLine.arguments[0]
    guard spawn(&pid, "exec setsid \(program) \(threaded) \(noPipes)") else { return }
    while let state = Surroundings.text(ofFile: "/proc/\(pid)/stat"), !state.contains(") Z ") {
      sched_yield()
    }
  }

  /// The argument that says so.
  static let threaded = "threaded"

  /// Ends the first thread while another goes on: the system shows such a process as a zombie.
  static func goOnInThread() -> Never {
    #if os(Linux)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let rest: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
      sleep(60)
      return nil
    }
    pthread_create(&thread, nil, rest, nil)
    pthread_exit(nil)
  }

  private static func spawn(_ pid: inout pid_t, _ command: String) -> Bool {
    let arguments = (["sh", "-c", command] as [String]).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawn(&pid, "/bin/sh", nil, nil, arguments, environ) == 0
  }
}
