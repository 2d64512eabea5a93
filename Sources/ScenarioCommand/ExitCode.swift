/// How a command ends; the gravest comes last, and wins.
package enum ExitCode: Int32, Sendable, Comparable, CaseIterable {
  case passed = 0
  case nothingSelected = 4
  /// A scenario failed or errored, or a report could not be written.
  case notPassed = 1
  /// A scenario or fixture file is invalid; the valid ones ran.
  case invalidFile = 3
  /// The command line or the configuration is wrong; nothing ran.
  case usage = 2
  /// SIGINT came.
  case interrupted = 130
  /// SIGTERM came.
  case terminated = 143

  /// - Parameter codes: what applies.
  init(gravestOf codes: ExitCode?...) {
    self = codes.compactMap(\.self).max() ?? .passed
  }

  /// - Parameter signal: what ended the command.
  init(signal: Int32) { self = signal == 15 ? .terminated : .interrupted }

  package static func < (left: Self, right: Self) -> Bool {
    allCases.first { $0 == left || $0 == right } == left && left != right
  }
}

/// Why the command can't do anything: the command line or the configuration is wrong.
struct CommandFailure: Error {
  /// What is wrong and what to do.
  var message: String
  /// Diagnostics that are printed before it.
  var details: String

  init(_ message: String, details: String = "") {
    self.message = message
    self.details = details
  }
}
