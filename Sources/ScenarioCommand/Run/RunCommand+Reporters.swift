import ScenarioCore
import ScenarioReporting
import ScenarioRunner

extension RunCommand {
  /// What is made of the run.
  ///
  /// The events come first: whatever becomes of this process, they know the most.
  func reporters(
    _ project: CommandProject, _ warn: @escaping @Sendable (String) -> Void
  ) -> [any Reporter] {
    var reporters: [any Reporter] = []
    if let path = options.events {
      reporters.append(EventsReporter(path: reportPath(path), outlet: context.outlet))
    }
    reporters.append(ConsoleReporter(options: consoleOptions, output: humanOutput))
    // Bazel throws away what a test leaves.
    if options.sweepKind == nil, bazel == nil || options.stateFolder != nil {
      reporters.append(FailureRecorder(project: project, folder: project.stateFolder, warn: warn))
    }
    return reporters + files + gitHubReporters
  }

  /// What GitHub Actions shows, where it runs us (its documented default variables).
  private var gitHubReporters: [any Reporter] {
    let environment = context.environment
    guard environment["GITHUB_ACTIONS"] == "true" else { return [] }
    let paths = WorkspacePath(
      workspace: environment["GITHUB_WORKSPACE"], workingDirectory: context.workingDirectory)
    return [
      GitHubAnnotationReporter(paths: paths, output: humanOutput, outlet: context.outlet)
    ]
  }

  private var files: [any Reporter] {
    let outlet = context.outlet
    var files: [any Reporter] = []
    func add(
      _ name: String, _ path: String?, _ report: @escaping (RunResult, ReportSink) throws -> Void
    ) {
      guard let path else { return }
      files.append(FileReporter(name: name, path: reportPath(path), report: report))
    }
    for path in [options.junit, bazel?.reportPath] {
      add("the JUnit report", path) { [options] result, sink in
        try JUnitReport(result, outlet, hasFileAttribute: options.hasJUnitFileAttribute).write(
          to: sink)
      }
    }
    add("the CTRF report", options.ctrf) { try CTRFReport($0, outlet).write(to: $1) }
    add("the HTML report", options.html) { try HTMLReport($0, outlet).write(to: $1) }
    return files
  }

  /// Whether a file is a configuration, or has actions and isn't a report.
  private static func isInput(_ path: String) -> Bool {
    let name = FilePath.lastComponent(path)
    let files = LocalFiles()
    guard name.lowercased().hasSuffix(".json"), files.kind(of: path) == .file else { return false }
    if name == Configuration.fileName { return true }
    guard let bytes = try? files.bytes(ofFile: path, limitBytes: FileLimits.writtenBytes) else {
      return false
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return !text.hasPrefix("<") && !text.hasPrefix(#"{"version":"#)
      && !text.hasPrefix(#"{"reportFormat":"#)
      && text.contains(#""actions""#)
  }

  /// - Throws: where two reports have one file, or a scenario has it, so that one of them would be lost.
  func checkReportPaths() throws(CommandFailure) {
    let reports = [
      ("--events", options.events), ("--junit", options.junit), ("--ctrf", options.ctrf),
      ("--html", options.html),
      // Where both JUnit reports have one file, they are the same.
      ("XML_OUTPUT_FILE", options.junit == bazel?.reportPath ? nil : bazel?.reportPath),
    ]
    var names: [String: String] = [:]
    for (option, path) in reports {
      guard let path, let file = ReportPath.identity(of: reportPath(path)) else { continue }
      let name = "\(option) \"\(path)\""
      // As where the shell makes many words of one: --junit Scenarios/*.json
      if Self.isInput(reportPath(path)) {
        throw CommandFailure(
          "\(name) is a file that scenario-run reads, which would be lost. Name another one.")
      }
      if let other = names.updateValue(name, forKey: file) {
        throw CommandFailure(
          "\(other) and \(name) are the same file, so one report would be lost. Name another one.")
      }
    }
  }

  /// stdout, unless a report goes there: who reads that wants nothing else in it.
  private var humanOutput: any TextOutput {
    isReportOnOutput ? context.standardError : context.standardOutput
  }

  private var isReportOnOutput: Bool {
    [options.events, options.junit, options.ctrf, options.html].contains { path in
      path.flatMap(ReportPath.descriptor) == 1
    }
  }

  var consoleOptions: ConsoleOptions {
    let isTerminal = isReportOnOutput ? context.isErrorTerminal : context.isOutputTerminal
    let isColored = options.color.isColored(
      isTerminal: isTerminal, environment: context.environment)
    return ConsoleOptions(
      detail: options.detail, style: TextStyle(isColored: isColored), outlet: context.outlet,
      isLive: isTerminal && context.environment["TERM"] != "dumb",
      width: { [context] in isTerminal ? context.terminalWidth() : nil },
      rerunCommand: context.programName)
  }

  private func reportPath(_ path: String) -> String {
    ReportPath.descriptor(of: path) == nil ? context.absolute(path) : path
  }
}
