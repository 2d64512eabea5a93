import ScenarioCore

/// Writes the JUnit report when the run has ended.
package final class JUnitReporter: Reporter {
  package var name: String { "the JUnit report" }
  private let path: String
  private let hasFileAttribute: Bool

  package init(path: String, hasFileAttribute: Bool) {
    self.path = path
    self.hasFileAttribute = hasFileAttribute
  }

  package func handle(_ event: RunEvent, _ result: RunResult) throws {
    guard case .runFinished = event else { return }
    try ReportFile.write(
      JUnitReport(result, hasFileAttribute: hasFileAttribute).text, to: path)
  }
}
