import Foundation
import ScenarioCommand

@main
struct Main {
  static func main() {
    // A write says what is wrong: nobody reads any more, or a file may not grow further.
    // A write then says what is wrong; apps get the default actions back.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let arguments = CommandLine.arguments
    let context = CommandContext(
      arguments: Array(arguments.dropFirst()), environment: ProcessInfo.processInfo.environment,
      workingDirectory: FileManager.default.currentDirectoryPath,
      executableFolder: Executable.folder(invokedAs: arguments.first ?? "scenario-run"),
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
    let path = resolved("/proc/self/exe") ?? resolved(Bundle.main.executablePath ?? name) ?? name
    return (path as NSString).deletingLastPathComponent
  }

  /// Foundation reads the whole folder of the program to answer the same: asked only where the system
  /// does not say.
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
