import ScenarioCore

/// How many scenarios ended in which way; each is counted once.
struct RunCounts {
  /// Without the flaky ones.
  let passed: Int
  let flaky: Int
  let failed: Int
  let errored: Int
  let skipped: Int
  /// The run ended before they started.
  let notRun: Int
  /// Files with faults, where no result is errored by them: nothing of theirs was selected.
  let invalidFiles: Int
  /// Nothing was selected, which in a shard is none the worse.
  let hasNothingToRun: Bool
  /// Whether a flaky one makes the run fail.
  let failsOnFlaky: Bool

  init(_ result: RunResult) {
    flaky = result.results.flakyCount
    passed = result.count(.passed) - flaky
    failed = result.count(.failed)
    errored = result.count(.errored)
    skipped = result.count(.skipped)
    notRun = max(0, (result.header?.scenarioCount ?? 0) - result.results.count)
    failsOnFlaky = result.header?.failsOnFlaky ?? false
    let faulty = result.diagnostics.filter { $0.severity == .error }.map(\.path)
    invalidFiles = errored == 0 ? Set(faulty).count : 0
    hasNothingToRun = result.header?.scenarioCount == 0 && result.header?.shard == nil
  }

  var isSuccessful: Bool {
    failed == 0 && errored == 0 && notRun == 0 && invalidFiles == 0 && !hasNothingToRun
      && !(failsOnFlaky && flaky > 0)
  }

  /// The counts that are not 0, each with its word.
  var told: [(count: Int, word: String)] {
    [
      (passed, "passed"), (flaky, "flaky"), (failed, "failed"), (errored, "errored"),
      (skipped, "skipped"), (notRun, "not run"),
      (invalidFiles, invalidFiles == 1 ? "invalid file" : "invalid files"),
    ].filter { $0.0 > 0 }
  }

  /// In one line.
  var text: String {
    told.isEmpty ? "nothing ran" : told.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
  }
}
