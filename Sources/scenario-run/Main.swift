import Foundation
import ScenarioCommand

@main
struct Main {
  static func main() {
    // A write then says what is wrong; apps get the default actions back.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let arguments = CommandLine.arguments
    // Swift reads them from /proc; without any, not even the program's name is there.
    guard !arguments.isEmpty else {
      try? DescriptorOutput(STDERR_FILENO).write(
        "scenario-run: The arguments can't be read, because /proc isn't there. Mount it.\n")
      exit(ExitCode.usage.rawValue)
    }
    let context = CommandContext(
      arguments: Array(arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
      workingDirectory: FileManager.default.currentDirectoryPath,
      executableFolder: Executable.folder(invokedAs: arguments.first ?? "scenario-run"),
      programName: Executable.name(invokedAs: arguments.first ?? "scenario-run"),
      processorCount: ProcessInfo.processInfo.activeProcessorCount,
      standardInput: STDIN_FILENO, isInputTerminal: isatty(STDIN_FILENO) == 1,
      standardOutput: DescriptorOutput(STDOUT_FILENO),
      standardError: DescriptorOutput(STDERR_FILENO), isOutputTerminal: isatty(STDOUT_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1, terminalWidth: { Terminal.width() })
    exit(CommandLineInterface(context).run().rawValue)
  }
}

/// Where this program is.
enum Executable {
  /// The folder of the executable, links followed.
  static func folder(invokedAs name: String) -> String {
    let path = resolved("/proc/self/exe") ?? resolved(found(name)) ?? name
    return (path as NSString).deletingLastPathComponent
  }

  /// What was typed, where it is a relative path that a shell takes without quotes, as
  /// `.build/debug/scenario-run`.
  static func name(invokedAs name: String) -> String {
    let isRelative = !name.hasPrefix("/") && name.contains("/")
    let isWord = name.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0))
    }
    return isRelative && isWord ? name : "scenario-run"
  }

  /// The program as a shell finds it. Foundation's main bundle traps where there is no `/proc`.
  private static func found(_ name: String) -> String {
    guard !name.contains("/") else { return name }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 } ?? name
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// The terminal that stdout is.
enum Terminal {
  /// Characters a line; 80 where nobody knows.
  static func width() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
