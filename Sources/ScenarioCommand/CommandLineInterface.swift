import ScenarioReporting

/// The command: from arguments to an exit code.
package struct CommandLineInterface {
  private let context: CommandContext

  package init(_ context: CommandContext) {
    self.context = context
  }

  package func run() -> ExitCode {
    var context = context
    do throws(CommandFailure) {
      let options = try parseOptions(&context)
      return try dispatch(options, context)
    } catch {
      try? context.standardError.write(error.details)
      context.complain(error.message)
      return .usage
    }
  }

  /// From here on the context shows no secret, whether the options are right or wrong.
  private func parseOptions(
    _ context: inout CommandContext
  ) throws(CommandFailure) -> CommandOptions {
    do throws(CommandFailure) {
      let options = try OptionParser.parse(context.arguments)
      try context.hideSecrets(named: options.secretNames)
      return options
    } catch {
      let names = OptionParser.secretNames(in: context.arguments)
      context.outlet = Outlet(secrets: context.values(of: names))
      throw error
    }
  }

  private func dispatch(
    _ options: CommandOptions, _ context: CommandContext
  ) throws(CommandFailure) -> ExitCode {
    if options.wantsVersion { return context.answer("scenario-run \(Version.text)\n") }
    if options.wantsHelp { return context.answer(HelpText.text(for: options.subcommand)) }
    switch options.subcommand {
    case .run: return try RunCommand(options: options, context: context).run()
    case .validate: return try ValidateCommand(project: CommandProject(options, context)).run()
    case .list: return try ListCommand(project: CommandProject(options, context)).run()
    case .explain: return try ExplainCommand(project: CommandProject(options, context)).run()
    case .play: return try PlayCommand(options: options, context: context).run()
    case .record: return try RecordCommand(project: CommandProject(options, context)).run()
    case .review: return try ReviewCommand(options: options, context: context).run()
    case .audit: return try AuditCommand(project: CommandProject(options, context)).run()
    case .compare: return try CompareCommand(options: options, context: context).run()
    case .import: return try ImportCommand(options: options, context: context).run()
    case .sweep: return try RunCommand(options: options.forSweep(), context: context).run()
    case .merge: return try MergeCommand(options: options, context: context).run()
    case .schema: return try SchemaCommand(options: options, context: context).run()
    case .completions: return try CompletionsCommand(options: options, context: context).run()
    }
  }
}

/// The version of this package.
enum Version {
  static let text = "0.1.0"
}
