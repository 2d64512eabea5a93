import Foundation
import ScenarioCore

/// Decides what is started, with what environment.
struct LaunchPlanner {
  let execution: ScenarioExecution
  let folders: ScenarioFolders

  func plan() throws(RunError) -> LaunchPlan {
    let settings = execution.settings
    let scenario = execution.scenario
    guard let app = scenario.app ?? settings.app, let program = app.first else {
      throw RunError(
        .cannotLaunch,
        "No app is named. Name it with \"app\" in the scenario or in .scenario-run.json, or with "
          + "--app.", location: scenario.location)
    }
    let builder = LaunchEnvironmentBuilder(
      inherited: settings.inheritedEnvironment, passed: settings.passedEnvironment,
      configured: settings.configuredEnvironment)
    let environment = builder.environment(
      for: scenario, folders: folders, fixturesDirectory: settings.fixturesDirectory)
    return LaunchPlan(
      program: try locate(program), arguments: app.dropFirst() + scenario.arguments,
      environment: environment, workingDirectory: settings.workingDirectory,
      marker: folders.shared, hasOwnGroup: settings.makesProcessGroups)
  }

  private func locate(_ program: String) throws(RunError) -> String {
    switch execution.settings.locator.locate(program) {
    case .found(let path): return path
    case .missing(let message): throw RunError(.cannotLaunch, message)
    }
  }
}
