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
      return Sanitizer.lines(ScenarioExplanation.text(of: scenario)).joined(separator: "\n")
    }
    try? project.context.standardOutput.write(texts.joined(separator: "\n"))
    if plan.hasInvalidFiles { return .invalidFile }
    return texts.isEmpty ? .nothingSelected : .passed
  }
}
