import ScenarioCore
import ScenarioReporting
import ScenarioRunner
import SourceText

/// Checks files without launching anything.
struct ValidateCommand {
  let project: Project

  func run() throws(CommandFailure) -> ExitCode {
    let plan = try project.plan()
    project.print(plan.diagnostics + malformedFixtures(plan) + unusedFixtures(plan))
    if plan.hasInvalidFiles { return .invalidFile }
    guard plan.scenarioCount > 0 else { return .nothingSelected }
    let count = plan.scenarioCount
    return project.context.answer("\(count) scenario\(count == 1 ? "" : "s") valid\n")
  }

  /// Fixtures that are data for the app's own fake objects; stub files are checked with the plan.
  private func malformedFixtures(_ plan: Plan) -> [Diagnostic] {
    let reported = Set(plan.diagnostics.map(\.path))
    let folder = FixturesFolder(path: project.fixturesDirectory, files: project.files)
    return FixtureAudit(folder, used: plan.usedFixtures).malformedFiles().filter {
      !reported.contains($0.path)
    }
  }

  /// Only where whole folders were named: a few files need not use all fixtures.
  private func unusedFixtures(_ plan: Plan) -> [Diagnostic] {
    let paths = project.options.words.map { ScenarioPath($0, among: project.files).path }
    guard paths.allSatisfy({ project.files.kind(of: $0) == .folder }), !plan.hasInvalidFiles,
      project.files.kind(of: project.fixturesDirectory) == .folder
    else { return [] }
    let folder = FixturesFolder(path: project.fixturesDirectory, files: project.files)
    return FixtureAudit(folder, used: plan.usedFixtures).unusedFiles()
  }
}
