/// What a command came to, the gravest last.
enum CommandOutcome: Comparable {
  case passed
  case nothingSelected
  /// A scenario failed or errored, or a report could not be written.
  case notPassed
  /// A scenario or fixture file is invalid; the valid ones ran.
  case invalidFile
  /// The command line or the configuration is wrong; nothing ran.
  case usage
  case interrupted(signal: Int32)

  /// - Parameter outcomes: what applies.
  init(gravestOf outcomes: CommandOutcome?...) {
    self = outcomes.compactMap(\.self).max() ?? .passed
  }
}

/// How the command ends.
package enum ExitCode: Int32, Sendable, CaseIterable {
  case passed = 0
  case notPassed = 1
  case usage = 2
  case invalidFile = 3
  case nothingSelected = 4
  /// SIGINT came.
  case interrupted = 130
  /// SIGTERM came.
  case terminated = 143

  init(_ outcome: CommandOutcome) {
    switch outcome {
    case .passed: self = .passed
    case .nothingSelected: self = .nothingSelected
    case .notPassed: self = .notPassed
    case .invalidFile: self = .invalidFile
    case .usage: self = .usage
    case .interrupted(let signal): self = signal == 15 ? .terminated : .interrupted
    }
  }
}

/// Why the command can't do anything: the command line or the configuration is wrong.
struct CommandFailure: Error {
  /// What is wrong and what to do.
  var message: String
  /// Diagnostics that are printed before it.
  var details: String = ""

  init(_ message: String, details: String = "") {
    self.message = message
    self.details = details
  }
}
