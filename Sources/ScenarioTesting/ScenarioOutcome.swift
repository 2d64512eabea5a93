/// How a scenario did not fail.
public enum ScenarioOutcome: Sendable, Equatable {
  /// The app did exactly what was expected.
  case passed
  /// It passed after so many attempts; the text says what was wrong with the first.
  case flaky(attempts: Int, firstFailure: String)
  /// The scenario says that it is not to be run, and why.
  case skipped(reason: String)
}
