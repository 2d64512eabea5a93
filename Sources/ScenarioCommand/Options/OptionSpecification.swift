/// One option of the command line: how it is written, what it does, how it is read.
struct OptionSpecification {
  /// With the two hyphens.
  var name: String
  var shortName: String?
  /// What the value is called in the help; `nil` for a flag.
  var valueName: String?
  var help: String
  /// The subcommands that take it.
  var subcommands: Set<CommandOptions.Subcommand>
  var group: Group
  /// - Throws: `OptionValueError`.
  var apply: @Sendable (inout CommandOptions, String) throws -> Void

  enum Group: String, CaseIterable {
    case selection = "Which scenarios"
    case running = "How they run"
    case reports = "What is written"
    case other = "Other"
  }

  var usage: String { valueName.map { "\(name) \($0)" } ?? name }
}

/// A value that an option can't take.
struct OptionValueError: Error {
  /// What the option wants.
  var wanted: String
}
