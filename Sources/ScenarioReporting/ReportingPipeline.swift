import ScenarioCore

/// Folds the events of a run once, and hands them to every reporter.
///
/// Belongs to whoever emits the events, one at a time.
package final class ReportingPipeline {
  /// A reporter that could not do its work.
  package struct Failure {
    package var reporter: String
    package var reason: String
  }

  package private(set) var result = RunResult()
  package private(set) var failures: [Failure] = []
  private var reporters: [any Reporter]

  package init(_ reporters: [any Reporter]) {
    self.reporters = reporters
  }

  package func handle(_ event: RunEvent) {
    result.apply(event)
    for reporter in reporters {
      do {
        try reporter.handle(event, result)
      } catch {
        failures.append(Failure(reporter: reporter.name, reason: "\(error)"))
        reporters.removeAll { $0 === reporter }
      }
    }
  }
}
