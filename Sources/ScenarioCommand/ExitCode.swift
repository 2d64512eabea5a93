/// How the command ends.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// Everything that ran passed.
  case passed = 0
  /// A scenario failed or errored, or a report could not be written.
  case notPassed = 1
  /// The command line or the configuration is wrong; nothing ran.
  case usage = 2
  /// A scenario or fixture file is invalid; the valid ones ran.
  case invalidFile = 3
  /// Nothing was selected.
  case nothingSelected = 4
  /// SIGINT came.
  case interrupted = 130
  /// SIGTERM came.
  case terminated = 143

  /// The gravest of what applies to a run.
  init(_ outcome: RunOutcome) {
    switch outcome {
    case .interrupted(let signal): self = signal == 15 ? .terminated : .interrupted
    case .invalidFile: self = .invalidFile
    case .notPassed: self = .notPassed
    case .nothingSelected: self = .nothingSelected
    case .passed: self = .passed
    }
  }
}

/// What decides the exit code of a run.
enum RunOutcome {
  case passed
  case notPassed
  case invalidFile
  case nothingSelected
  case interrupted(signal: Int32)
}
