import Foundation
import ScenarioCore

/// Folds the events of a run once, and hands them to every reporter.
package final class ReportingPipeline: @unchecked Sendable {
  // Unchecked: reporters are not `Sendable`; they and everything else are touched under `lock` only.

  /// A reporter that could not do its work.
  package struct Failure: Sendable {
    package var reporter: String
    package var reason: String
  }

  private let lock = NSLock()
  private var folded = RunResult()
  private var failed: [Failure] = []
  private var reporters: [any Reporter]

  package init(_ reporters: [any Reporter]) {
    self.reporters = reporters
  }

  package var result: RunResult { lock.withLock { folded } }
  package var failures: [Failure] { lock.withLock { failed } }

  package func handle(_ event: RunEvent) {
    lock.withLock {
      folded.apply(event)
      each { try $0.handle(event, folded) }
    }
  }

  /// Time has passed without an event.
  package func tick() {
    lock.withLock {
      each { try $0.tick() }
    }
  }

  private func each(_ call: (any Reporter) throws -> Void) {
    for reporter in reporters {
      do {
        try call(reporter)
      } catch {
        failed.append(Failure(reporter: reporter.name, reason: "\(error)"))
        reporters.removeAll { $0 === reporter }
      }
    }
  }
}
