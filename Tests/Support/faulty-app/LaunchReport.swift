#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How this process was launched, a fact a line.
enum LaunchReport {
  static var text: String {
    let environment = Surroundings.variables.map { "env \($0)" }
    let folders = ["HOME", "TMPDIR", "SIMULATOR_SHARED_RESOURCES_DIRECTORY"].map { name in
      let count = Surroundings.entryCount(ofFolder: Surroundings.variable(name) ?? "")
      return "entries of \(name): \(count.map { "\($0)" } ?? "unreadable")"
    }
    let facts = [
      "folder \(Surroundings.folder)",
      "descriptors \(descriptors)",
      "leads its group \(getpgrp() == getpid())",
      "signals blocked \(blockedSignals), ignored \(ignoredSignals)",
      "arguments \(CommandLine.arguments.dropFirst(3).joined(separator: " "))",
    ]
    return (facts + folders + environment.sorted()).joined(separator: "\n")
  }

  private static var descriptors: String {
    (0..<256).filter { fcntl($0, F_GETFD) >= 0 }.map(String.init).joined(separator: " ")
  }

  private static var blockedSignals: Int {
    var mask = sigset_t()
    sigprocmask(SIG_BLOCK, nil, &mask)
    return (Int32(1)..<32).count { sigismember(&mask, $0) == 1 }
  }

  private static var ignoredSignals: Int {
    (Int32(1)..<32).count { number in
      var action = sigaction()
      guard sigaction(number, nil, &action) == 0 else { return false }
      return withUnsafeBytes(of: &action) { $0.load(as: Int.self) } == 1
    }
  }
}
