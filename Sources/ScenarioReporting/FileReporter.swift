import ScenarioCore

/// Writes a file when the run has ended, as a pure function of its result.
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
    guard case .runFinished = event else { return }
    try ReportFile.write(to: path) { try report(result, $0) }
  }
}
