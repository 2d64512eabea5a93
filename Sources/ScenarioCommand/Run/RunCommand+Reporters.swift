import ScenarioReporting

extension RunCommand {
  /// What is made of the run.
  ///
  /// The events come first: whatever becomes of this process, they know the most.
  func reporters(
    _ project: Project, _ warn: @escaping @Sendable (String) -> Void
  ) -> [any Reporter] {
    var reporters: [any Reporter] = []
    if let path = options.events { reporters.append(EventsReporter(path: reportPath(path))) }
    reporters.append(ConsoleReporter(options: consoleOptions, output: humanOutput))
    reporters.append(FailureRecorder(project: project, folder: project.stateFolder, warn: warn))
    if let path = options.junit {
      reporters.append(
        JUnitReporter(
          path: reportPath(path), hasFileAttribute: options.hasJUnitFileAttribute))
    }
    return reporters
  }

  /// stdout, unless a report goes there: who reads that wants nothing else in it.
  private var humanOutput: any TextOutput {
    isReportOnOutput ? context.standardError : context.standardOutput
  }

  private var isReportOnOutput: Bool {
    [options.events, options.junit].contains { path in
      path.flatMap(ReportPath.descriptor) == 1
    }
  }

  private var consoleOptions: ConsoleOptions {
    let isTerminal = isReportOnOutput ? context.isErrorTerminal : context.isOutputTerminal
    let isColored = options.color.isColored(
      isTerminal: isTerminal, environment: context.environment)
    return ConsoleOptions(
      detail: options.detail, style: TextStyle(isColored: isColored),
      isLive: isTerminal && context.environment["TERM"] != "dumb", width: context.terminalWidth)
  }

  private func reportPath(_ path: String) -> String {
    ReportPath.descriptor(of: path) == nil ? absolute(path) : path
  }
}
