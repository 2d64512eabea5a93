import ScenarioCore
import ScenarioReporting
import ScenarioRunner

/// Tells scenarios in plain sentences.
struct ExplainCommand {
  let project: Project

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.plan()
    project.print(plan.diagnostics)
    let texts = plan.entries.compactMap { entry -> String? in
      guard case .scenario(let scenario) = plan.content(of: entry) else { return nil }
      var credentials = Credentials()
      credentials.add(scenario)
      let outlet = project.context.outlet.hiding(credentials.values)
      return ScenarioExplanation.lines(of: scenario).map { outlet.line($0) + "\n" }.joined()
    }
    let empty: ExitCode = texts.isEmpty ? .nothingSelected : .passed
    return project.context.answer(
      texts.joined(separator: "\n"), plan.hasInvalidFiles ? .invalidFile : empty)
  }
}
