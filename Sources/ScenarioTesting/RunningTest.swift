#if canImport(Testing)
  import Testing
#endif

/// The test that runs now, where it is one of Swift Testing.
enum RunningTest {
  /// Shows what is neither a plain pass nor a failure.
  ///
  /// - Throws: what cancels the case of the test, where the scenario is skipped.
  static func tell(_ outcome: ScenarioOutcome) throws {
    #if canImport(Testing) && compiler(>=6.3)
      guard let test = Test.current else { return }
      switch outcome {
      case .passed: return
      case .flaky(let attempts, let failure):
        warn("flaky: passed at attempt \(attempts). The first failed:\n\(failure)", test)
      case .skipped(let reason):
        // The reason of a cancelled case is shown nowhere but in the event stream.
        warn("skipped: \(reason)", test)
        // Where a test runs several scenarios by itself, one of them must not end it.
        guard Test.Case.current?.isParameterized == true else { return }
        try Test.cancel(Comment(rawValue: reason), sourceLocation: test.sourceLocation)
      }
    #endif
  }

  #if canImport(Testing) && compiler(>=6.3)
    private static func warn(_ text: String, _ test: Test) {
      Issue.record(
        Comment(rawValue: text), severity: .warning, sourceLocation: test.sourceLocation)
    }
  #endif
}
