import ScenarioCore

/// How a plan is run.
package struct SuiteOptions: Sendable {
  /// How many scenarios at a time.
  package var jobs: Int
  /// After so many failed or errored scenarios no further one is started.
  package var maximumFailures: Int?
  /// How often a scenario that did not pass is tried again.
  package var retries: Int
  /// Whether a pass after a failure counts among the failures.
  package var failsOnFlaky: Bool
  /// What may keep the apps from the network; the strongest that the system allows does.
  package var seals: Set<NetworkSeal>

  package init(
    jobs: Int, maximumFailures: Int? = nil, retries: Int = 0, failsOnFlaky: Bool = false,
    seals: Set<NetworkSeal> = Set(NetworkSeal.allCases)
  ) {
    self.jobs = jobs
    self.maximumFailures = maximumFailures
    self.retries = retries
    self.failsOnFlaky = failsOnFlaky
    self.seals = seals
  }
}
