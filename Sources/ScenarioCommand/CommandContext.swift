import Foundation
import HarnessProtocol
import ScenarioCore
import ScenarioReporting

/// Everything that the command takes from the world; `main` reads it, tests make it up.
package struct CommandContext {
  /// Without the program's name.
  package var arguments: [String]
  package var environment: [String: String]
  package var workingDirectory: String
  /// The folder of the `scenario-run` executable.
  package var executableFolder: String
  /// How commands that are shown begin, so that they can be copied.
  package var programName: String
  package var processorCount: Int
  /// The descriptor that commands are read from; negative where there is none.
  package var standardInput: Int32
  package var isInputTerminal: Bool
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
    executableFolder: String, programName: String = "scenario-run", processorCount: Int,
    standardInput: Int32, isInputTerminal: Bool, standardOutput: any TextOutput,
    standardError: any TextOutput, isOutputTerminal: Bool, isErrorTerminal: Bool,
    terminalWidth: @escaping @Sendable () -> Int
  ) {
    self.arguments = arguments
    self.environment = environment
    self.workingDirectory = workingDirectory
    self.executableFolder = executableFolder
    self.programName = programName
    self.processorCount = processorCount
    self.standardInput = standardInput
    self.isInputTerminal = isInputTerminal
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.terminalWidth = terminalWidth
  }
}

extension CommandContext {
  func outputStyle(_ options: CommandOptions) -> TextStyle {
    TextStyle(
      isColored: options.color.isColored(isTerminal: isOutputTerminal, environment: environment))
  }

  /// The values of those of these variables that are set.
  func values(of names: [String]) -> Set<String> { Set(names.compactMap { environment[$0] }) }

  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : workingDirectory + "/" + path
  }

  /// Where temporary files go, without a slash at its end.
  var temporaryDirectory: String {
    let bazel = BazelTest(environment: environment)?.temporaryDirectory
    let path = bazel ?? environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Says on stderr what is wrong, in one line.
  ///
  /// - Parameter erasure: what makes room for it on a terminal.
  func complain(_ message: String, erasing erasure: String = "") {
    // Nobody is left to tell where stderr is closed.
    try? standardError.write("\(erasure)scenario-run: \(outlet.line(message))\n")
  }

  /// Writes to stdout what was asked for.
  ///
  /// - Returns: the outcome; `notPassed` is added where the output is lost. That nobody reads on, as
  ///   after `| head`, isn't a loss.
  func answer(_ text: String, _ outcome: ExitCode = .passed) -> ExitCode {
    do {
      try standardOutput.write(text)
    } catch {
      if (error as? OutputFailure)?.code == EPIPE { return outcome }
      complain("the output: \(error)")
      return ExitCode(gravestOf: outcome, .notPassed)
    }
    return outcome
  }

  /// Keeps the values of these variables out of everything that is written from now on.
  ///
  /// Nothing is told to the CI server, as GitHub's `::add-mask::` would: that writes the value into
  /// the output once more, and masks what is shown there alone, not the reports.
  ///
  /// - Throws: where a value is too short.
  mutating func hideSecrets(named names: [String]) throws(CommandFailure) {
    outlet = Outlet(secrets: values(of: names))
    for name in names {
      let value = environment[name]
      let length = value?.trimmingCharacters(in: .whitespacesAndNewlines).count ?? 0
      if length > 0, length < Credentials.shortestLength {
        throw CommandFailure(
          "--secret \(name): the value of the variable has \(length) of the "
            + "\(Credentials.shortestLength) characters that a secret needs: a shorter one stands in too "
            + "many texts by chance. Set a longer value, or leave out --secret \(name).")
      }
      if length == 0 {
        let reason = value == nil ? "the variable isn't set" : "the value is empty"
        complain("--secret \(name): \(reason), so nothing is masked for it.")
      }
    }
  }
}

/// Writes to stdout or stderr.
package final class DescriptorOutput: TextOutput {
  private let descriptor: Int32

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// - Throws: `OutputFailure`, where the reader is gone, as after `| head`, or the disk is full.
  package func write(_ text: String) throws {
    do throws(POSIXFailure) {
      try WholeWrite.write(Array(text.utf8), to: descriptor)
    } catch {
      throw OutputFailure(code: error.code)
    }
  }
}

/// The output can't be written.
package struct OutputFailure: Error, CustomStringConvertible {
  package var code: Int32

  package var description: String {
    code == EPIPE
      ? "nobody reads it any more" : "it can't be written: \(String(cString: strerror(code)))"
  }
}
