import Foundation

extension ScenarioResult {
  /// Whether a record says all of it.
  var isPlain: Bool {
    findings.isEmpty && earlierAttempts.isEmpty && keptFolder == nil && unjudgedExpectations == 0
  }
}

extension RecordWriter {
  mutating func add(plain result: ScenarioResult) {
    add(result.index)
    add(result.scenario)
    add(result.verdict.rawValue)
    add(result.startedAt.timeIntervalSinceReferenceDate)
    add(Int(result.duration.components.seconds))
    add(Int(result.duration.components.attoseconds))
    add(result.skipReason)
    add(result.recordedRequests)
    add(result.repetition)
    add(result.output)
  }

  mutating func add(_ output: AppOutput) {
    for text in [output.standardOutput, output.standardError] {
      add(text.head)
      add(text.omittedBytes)
      add(text.tail)
    }
  }
}

extension RecordReader {
  mutating func plainResult() -> ScenarioResult {
    let (index, scenario, verdict) = (int(), reference(), string())
    let startedAt = Date(timeIntervalSinceReferenceDate: double())
    let duration = Duration(
      secondsComponent: Int64(int()), attosecondsComponent: Int64(int()))
    var result = ScenarioResult(
      // A name that is none would be a record that is not whole.
      index: index, scenario: scenario, verdict: Verdict(rawValue: verdict) ?? .errored,
      startedAt: startedAt, duration: duration)
    result.skipReason = optionalString()
    result.recordedRequests = int()
    result.repetition = optionalInt()
    result.output = output()
    return result
  }

  mutating func output() -> AppOutput {
    AppOutput(standardOutput: capturedText(), standardError: capturedText())
  }

  private mutating func capturedText() -> CapturedText {
    CapturedText(head: array(), omittedBytes: int(), tail: array())
  }
}
