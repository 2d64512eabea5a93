import Foundation

/// How this process was launched, a fact a line.
enum LaunchReport {
  static var text: String {
    let environment = ProcessInfo.processInfo.environment.map { "env \($0.key)=\($0.value)" }
    let folders = ["HOME", "TMPDIR", "SIMULATOR_SHARED_RESOURCES_DIRECTORY"].map { name in
      let path = ProcessInfo.processInfo.environment[name] ?? ""
      let contents = try? FileManager.default.contentsOfDirectory(atPath: path)
      return "entries of \(name): \(contents.map { "\($0.count)" } ?? "unreadable")"
    }
    let facts = [
      "folder \(FileManager.default.currentDirectoryPath)",
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
