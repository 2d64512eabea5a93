import ScenarioCore
import ScenarioReporting

#if canImport(Testing)
  import Testing
#endif

/// The test that runs now, where it is one of Swift Testing.
enum RunningTest {
  /// Attaches what happened in each attempt that is neither a plain pass nor skipped.
  static func attachTraces(of result: ScenarioResult) {
    #if canImport(Testing) && compiler(>=6.2)
      guard let test = Test.current else { return }
      for attempt in result.earlierAttempts + [result] where !attempt.trace.actions.isEmpty {
        guard attempt.verdict.isUnsuccessful || !attempt.warnings.isEmpty else { continue }
        let outlet = Outlet().hiding(credentialsOf: attempt)
        let document = TraceVersion1.document(attempt.trace, of: attempt.scenario, outlet)
        let name = outlet.line(attempt.scenario.name).replacing("/", with: "-")
        Attachment.record(
          document, named: name + ".trace.json", sourceLocation: test.sourceLocation)
      }
    #endif
  }

  /// Shows what is neither a plain pass nor a failure.
  ///
  /// - Throws: what cancels the case of the test, where the scenario is skipped.
  static func tell(_ outcome: ScenarioOutcome) throws {
    #if canImport(Testing)
      guard let test = Test.current else { return }
      switch outcome {
      case .passed: return
      case .warned(let warnings): warn(warnings, test)
      case .knownIssue(let reason, let failure):
        withKnownIssue(Comment(rawValue: reason), sourceLocation: test.sourceLocation) {
          _ = Issue.record(Comment(rawValue: failure), sourceLocation: test.sourceLocation)
        }
      case .flaky(let attempts, let failure):
        warn("flaky: passed at attempt \(attempts). The first failed:\n\(failure)", test)
      case .skipped(let reason): try skip(reason, test)
      }
    #endif
  }

  #if canImport(Testing)
    /// Nothing before Swift 6.3, where every issue is a failure.
    private static func warn(_ text: String, _ test: Test) {
      #if compiler(>=6.3)
        Issue.record(
          Comment(rawValue: text), severity: .warning, sourceLocation: test.sourceLocation)
      #endif
    }

    private static func skip(_ reason: String, _ test: Test) throws {
      #if compiler(>=6.3)
        // The reason of a cancelled case is shown nowhere but in the event stream.
        warn("skipped: \(reason)", test)
        // Where a test runs several scenarios by itself, one of them must not end it.
        guard Test.Case.current?.isParameterized == true else { return }
        try Test.cancel(Comment(rawValue: reason), sourceLocation: test.sourceLocation)
      #endif
    }
  #endif
}
