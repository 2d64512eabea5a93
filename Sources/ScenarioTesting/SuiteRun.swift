import ScenarioRunner

/// What all cases of a suite share.
final class SuiteRun: Sendable {
  let plan: Plan
  let settings: RunSettings
  let retries: Int
  /// How many of its apps may run at a time.
  let appLimit: Int

  init(plan: Plan, settings: RunSettings, retries: Int, appLimit: Int) {
    self.plan = plan
    self.settings = settings
    self.retries = retries
    self.appLimit = appLimit
  }
}
