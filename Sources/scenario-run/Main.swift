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
      standardOutput: DescriptorOutput(STDOUT_FILENO),
      standardError: DescriptorOutput(STDERR_FILENO), isOutputTerminal: isatty(STDOUT_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1, terminalWidth: { Terminal.width() })
    exit(CommandLineInterface(context).run().rawValue)
  }
}
