import HarnessProtocol
import JSON
import ScenarioCore

extension FindingText {
  func title(_ failure: ActionFailure) -> String {
    "\(name(of: failure.step)): \(outlet.line(failure.error.message))"
  }

  func details(_ failure: ActionFailure) -> [String] {
    section("on screen:", failure.error.data?["onScreen"])
      + section("matches:", failure.error.data?["matches"])
  }

  func details(_ error: RunError) -> [String] {
    let step = error.step.map { ["in \(name(of: $0))"] } ?? []
    let faults = error.diagnostics.map { diagnostic in
      let place = diagnostic.location?.description ?? diagnostic.path
      return outlet.line("\(place): \(diagnostic.severity): \(diagnostic.message)")
    }
    let attempts = error.attempts.count > 1 ? error.attempts.map(line) : []
    let tail = error.standardErrorTail.map { "  " + outlet.line($0) }
    return step + attempts + faults + (tail.isEmpty ? [] : ["the end of its stderr:"] + tail)
  }

  private func line(_ attempt: NetworkAttempt) -> String {
    let count = attempt.count > 1 ? ", \(attempt.count) times" : ""
    let text = "\(attempt.program): \(attempt.target)\(words(for: attempt.cause))\(count)"
    return outlet.line(text)
  }

  private func section(_ title: String, _ value: JSONValue?) -> [String] {
    let lines = value?.array?.compactMap(\.string) ?? []
    guard !lines.isEmpty else { return [] }
    return [style.paint(title, .dim)] + lines.map { "  " + outlet.line($0) }
  }
}
