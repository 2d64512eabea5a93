import ScenarioCore

/// Writes a file when the run has ended, as a pure function of its result.
///
/// Until then the file says that the run has not ended: what a run before left there is no report of
/// this one, whatever ends this process.
package final class FileReporter: Reporter {
  package let name: String
  private let path: String
  private let report: (RunResult, ReportSink) throws -> Void

  /// - Parameters:
  ///   - name: see `Reporter`.
  ///   - path: a file, or what `ReportPath` knows.
  package init(
    name: String, path: String, report: @escaping (RunResult, ReportSink) throws -> Void
  ) {
    self.name = name
    self.path = path
    self.report = report
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    switch event {
    case .runStarted(let header) where !ReportPath.isSpecial(path):
      try ReportFile.write(to: path) { try report(Self.unfinished(header), $0) }
    case .runFinished: try ReportFile.write(to: path) { try report(result, $0) }
    default: return
    }
  }

  /// One error, of the run as a whole.
  private static func unfinished(_ header: RunHeader) -> RunResult {
    let error = RunError(
      .interrupted, "The run has not ended: it still goes on, or it was killed. Run it again.")
    var result = RunResult()
    result.apply(.runStarted(header))
    result.apply(
      .scenarioFinished(
        ScenarioResult(
          index: 0,
          scenario: ScenarioReference(path: "scenario-run", scenarioName: "The run as a whole"),
          verdict: .errored, findings: [.runError(error)], startedAt: header.startedAt,
          duration: .zero)))
    result.apply(.runFinished(endedAt: header.startedAt, duration: .zero))
    return result
  }
}
