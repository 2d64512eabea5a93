import ScenarioReporting

/// Everything that the command takes from the world; `main` reads it, tests make it up.
package struct CommandContext {
  /// Without the program's name.
  package var arguments: [String]
  package var environment: [String: String]
  package var workingDirectory: String
  /// The folder of the `scenario-run` executable.
  package var executableFolder: String
  package var processorCount: Int
  package var standardOutput: any TextOutput
  package var standardError: any TextOutput
  package var isOutputTerminal: Bool
  package var isErrorTerminal: Bool
  /// Characters a line of the terminal.
  package var terminalWidth: @Sendable () -> Int
  /// What all output goes through; it hides secrets once the options are known.
  var outlet = Outlet()

  package init(
    arguments: [String], environment: [String: String], workingDirectory: String,
    executableFolder: String, processorCount: Int, standardOutput: any TextOutput,
    standardError: any TextOutput, isOutputTerminal: Bool, isErrorTerminal: Bool,
    terminalWidth: @escaping @Sendable () -> Int
  ) {
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.executableFolder = executableFolder
    self.processorCount = processorCount
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.terminalWidth = terminalWidth
  }
}
