import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// How a scenario did not fail.
public enum ScenarioOutcome: Sendable, Equatable {
  /// The app did exactly what was expected.
  case passed
  /// The same, but something is doubtful; the text says what.
  case warned(String)
  /// It failed, as the scenario says that it does, for this reason; the text says what was wrong.
  case knownIssue(reason: String, failure: String)
  /// It passed after so many attempts; the text says what was wrong with the first.
  case flaky(attempts: Int, firstFailure: String)
  /// The scenario says that it is not to be run, and why.
  case skipped(reason: String)
}

/// A scenario that did not pass: the app did something else than expected, or nothing can be said of
/// it.
public struct ScenarioFailure: Error, CustomStringConvertible {
  /// Every finding as the command `scenario-run` words it, `file:line:column` first; at the end the
  /// scenario's name and the command that runs it again.
  public let description: String

  /// What runs a scenario again, with the app as its sources are now.
  private static let rerunCommand = "swift build && swift run scenario-run"

  init(_ result: ScenarioResult) {
    let outlet = Outlet().hiding(credentialsOf: result)
    let text = FindingText(outlet)
    var parts = [Self.findings(of: result, text, outlet)] + text.notes(on: result)
    if !result.earlierAttempts.isEmpty {
      parts.append("none of \(result.earlierAttempts.count + 1) attempts passed; this is the last")
    }
    // Reports of parameterised tests do not all name the case.
    parts.append("scenario: \(outlet.line(result.scenario.name))")
    parts.append(text.rerun(result, with: Self.rerunCommand))
    description = parts.joined(separator: "\n")
  }

  private static func findings(
    of result: ScenarioResult, _ text: FindingText, _ outlet: Outlet
  ) -> String {
    let faults = result.findings.flatMap { finding in
      if case .runError(let error) = finding { error.diagnostics } else { [Diagnostic]() }
    }
    guard !faults.isEmpty else { return text.text(of: result) }
    // With the lines of the file, as they are shown before a run.
    return String(DiagnosticRenderer(outlet).render(faults).dropLast())
  }
}

/// Why a suite has no cases, or why a case can't start.
public struct ScenarioSuiteError: Error, CustomStringConvertible {
  /// What is wrong, where, and what to do.
  public let description: String

  init(_ description: String) {
    self.description = description
  }

  init(_ fault: ProjectFault) {
    let shown = DiagnosticRenderer().render(fault.diagnostics)
    description = fault.message + (shown.isEmpty ? "" : "\n" + shown)
  }
}
