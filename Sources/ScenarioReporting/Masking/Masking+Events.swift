import HarnessWire
import ScenarioCore

extension Masking {
  /// The event as reporters get it.
  package func masked(_ event: RunEvent) -> RunEvent {
    switch event {
    case .diagnosed(let diagnostic): .diagnosed(masked(diagnostic))
    case .attemptFailed(let result): .attemptFailed(masked(result))
    case .scenarioFinished(let result): .scenarioFinished(masked(result))
    case .scenarioStarted(let scenario, let attempt):
      .scenarioStarted(masked(scenario), attempt: attempt)
    case .stepStarted(let scenario, let step): .stepStarted(masked(scenario), masked(step))
    case .runStarted, .interrupted, .runFinished: event
    }
  }

  /// Costs nothing where a scenario passed and said nothing.
  package func masked(_ result: ScenarioResult) -> ScenarioResult {
    let isSilent = result.output.standardOutput.isEmpty && result.output.standardError.isEmpty
    if !hasSecrets, isSilent, result.findings.isEmpty, result.earlierAttempts.isEmpty {
      return result
    }
    var masked = result
    masked.scenario = self.masked(result.scenario)
    masked.findings = result.findings.map {
      self.masked($0, isErrorCut: result.output.standardError.omittedBytes > 0)
    }
    masked.skipReason = result.skipReason.map(self.masked)
    masked.output.standardOutput = self.masked(result.output.standardOutput)
    masked.output.standardError = self.masked(result.output.standardError)
    masked.keptFolder = result.keptFolder.map(self.masked)
    masked.keepFailure = result.keepFailure.map(self.masked)
    masked.earlierAttempts = result.earlierAttempts.map(self.masked)
    return masked
  }

  /// Always the same for the same scenario, so that reporters can still tell scenarios apart.
  func masked(_ scenario: ScenarioReference) -> ScenarioReference {
    guard hasSecrets else { return scenario }
    var masked = scenario
    masked.path = self.masked(scenario.path)
    masked.caseFile = scenario.caseFile.map(self.masked)
    masked.scenarioName = self.masked(scenario.scenarioName)
    masked.caseName = scenario.caseName.map(self.masked)
    masked.tags = scenario.tags.map(self.masked)
    return masked
  }

  func masked(_ step: StepReference) -> StepReference {
    guard hasSecrets else { return step }
    return StepReference(
      id: step.id, title: masked(step.title), location: masked(step.location))
  }

  /// Beginning and end of a stream; what stands on both sides of the cut is masked too.
  package func masked(_ text: CapturedText) -> CapturedText {
    if text.isEmpty { return text }
    if text.omittedBytes == 0 { return CapturedText(head: masked(text.head + text.tail)) }
    // The rest of a line that was cut can be that of a header.
    let rest = text.tail.prefix(Self.cutLineLimitBytes).firstIndex(of: UInt8(ascii: "\n"))
    let tail = rest.map { Array(text.tail[($0 + 1)...]) } ?? text.tail
    return CapturedText(
      head: masked(text.head, cut: .after),
      omittedBytes: text.omittedBytes + text.tail.count - tail.count,
      tail: masked(tail, cut: rest == nil ? .before : []))
  }

  private static let cutLineLimitBytes = 8 * 1024
}
