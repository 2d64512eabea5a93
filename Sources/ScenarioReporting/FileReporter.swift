import ScenarioCore

/// Writes a file when the run has ended, as a pure function of its result.
package final class FileReporter: Reporter {
  package let name: String
  private let path: String
  private let content: (RunResult) -> [UInt8]

  /// - Parameters:
  ///   - name: see `Reporter`.
  ///   - path: a file, or what `ReportPath` knows.
  package init(name: String, path: String, content: @escaping (RunResult) -> [UInt8]) {
    self.name = name
    self.path = path
    self.content = content
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    guard case .runFinished = event else { return }
    try ReportFile.write(bytes: content(result), to: path)
  }
}
