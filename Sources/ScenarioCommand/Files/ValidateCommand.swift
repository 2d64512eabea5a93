import ScenarioCore
import ScenarioRunner

/// Checks files without launching anything.
struct ValidateCommand {
  let project: Project

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.plan()
    project.print(plan.diagnostics)
    if plan.hasInvalidFiles { return .invalidFile }
    guard plan.scenarioCount > 0 else { return .nothingSelected }
    let count = plan.scenarioCount
    try? project.context.standardOutput.write("\(count) scenario\(count == 1 ? "" : "s") valid\n")
    return .passed
  }
}
