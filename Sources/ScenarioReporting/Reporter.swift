import ScenarioCore
import Synchronization

/// Makes something for people or for CI from the events of a run.
///
/// One that throws is not called again; the others go on.
package protocol Reporter: AnyObject {
  /// What it makes, as a message names it: `the JUnit report results.xml`.
  var name: String { get }

  /// - Parameter result: the run so far, this event included.
  func handle(_ event: RunEvent, _ result: RunResult) throws

  /// Time has passed without an event; for what shows time.
  func tick() throws
}

extension Reporter {
  package func tick() throws {}
}

/// Where a reporter writes to; injected, so that reporters know no descriptor.
package protocol TextOutput: AnyObject, Sendable {
  /// - Throws: where nobody reads any more, or the disk is full.
  func write(_ text: String) throws
}

/// Folds the events of a run once, and hands them to every reporter.
package final class ReportingPipeline: Sendable {
  /// A reporter that could not do its work.
  package struct Failure: Sendable {
    package var reporter: String
    package var reason: String
  }

  private struct State {
    var folded = RunResult()
    var failed: [Failure] = []
    var reporters: [any Reporter]

    mutating func each(_ call: (any Reporter, RunResult) throws -> Void) {
      for reporter in reporters {
        do {
          try call(reporter, folded)
        } catch {
          failed.append(Failure(reporter: reporter.name, reason: "\(error)"))
          reporters.removeAll { $0 === reporter }
        }
      }
    }
  }

  private let state: Mutex<State>

  package init(_ reporters: sending [any Reporter]) {
    state = Mutex(State(reporters: reporters))
  }

  package var result: RunResult { state.withLock { $0.folded } }
  package var failures: [Failure] { state.withLock { $0.failed } }

  package func handle(_ event: RunEvent) {
    state.withLock { state in
      state.folded.apply(event)
      state.each { try $0.handle(event, $1) }
    }
  }

  /// Time has passed without an event.
  package func tick() {
    state.withLock { $0.each { reporter, _ in try reporter.tick() } }
  }
}
