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
  private let masking: Masking

  /// - Parameter masking: what is done to each event first, so that no reporter ever sees a secret.
  package init(_ reporters: [any Reporter], masking: Masking = Masking()) {
    self.reporters = reporters
    self.masking = masking
  }

  package var result: RunResult { lock.withLock { folded } }
  package var failures: [Failure] { lock.withLock { failed } }

  package func handle(_ event: RunEvent) {
    let event = masking.masked(event)
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
        failed.append(Failure(reporter: reporter.name, reason: masking.masked("\(error)")))
        reporters.removeAll { $0 === reporter }
      }
    }
  }
}
