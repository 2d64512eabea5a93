import Foundation
import SourceText

/// The whole run, folded once from its events: reports of files are pure functions of it.
package struct RunResult: Sendable {
  package private(set) var header: RunHeader?
  /// In the order in which they finished, until the run has ended; then in the plan's.
  package private(set) var results: ScenarioResults = []
  package private(set) var diagnostics: [Diagnostic] = []
  package private(set) var interruptingSignal: Int32?
  package private(set) var duration: Duration = .zero

  package init() {}

  package mutating func apply(_ event: RunEvent) {
    switch event {
    case .runStarted(let header): self.header = header
    case .diagnosed(let diagnostic): diagnostics.append(diagnostic)
    case .scenarioFinished(let result): results.append(result)
    case .interrupted(let signal): interruptingSignal = signal
    case .runFinished(_, let duration):
      self.duration = duration
      results.sortAsPlanned()
    case .scenarioStarted, .stepStarted, .attemptFailed: break
    }
  }

  package func count(_ verdict: Verdict) -> Int {
    results.count(verdict)
  }
}
