import HarnessWire
import RequestMatching
import ScenarioCore

extension Masking {
  /// - Parameter isErrorCut: whether the beginning of the app's stderr is missing.
  func masked(_ finding: Finding, isErrorCut: Bool = false) -> Finding {
    switch finding {
    case .wrongCount(let count): .wrongCount(masked(count))
    case .unexpectedRequest(let request): .unexpectedRequest(masked(request))
    case .actionFailed(let failure): .actionFailed(masked(failure))
    case .runError(let error): .runError(masked(error, isErrorCut: isErrorCut))
    }
  }

  private func masked(_ finding: WrongCount) -> WrongCount {
    var masked = finding
    masked.scope = self.masked(finding.scope)
    masked.pattern = self.masked(finding.pattern)
    masked.location = self.masked(finding.location)
    masked.matched = finding.matched.map(self.masked)
    masked.elsewhere = finding.elsewhere.map(self.masked)
    masked.nearMisses = finding.nearMisses.map { miss in
      NearMiss(
        request: self.masked(miss.request), count: miss.count,
        differences: miss.differences.map(self.masked))
    }
    masked.related = finding.related.map { related in
      var masked = related
      masked.scope = self.masked(related.scope)
      masked.location = self.masked(related.location)
      return masked
    }
    return masked
  }

  private func masked(_ scope: WrongCount.Scope) -> WrongCount.Scope {
    switch scope {
    case .expected: .expected
    case .sends(let step): .sends(masked(step))
    case .expectRequests(let step): .expectRequests(masked(step))
    }
  }

  private func masked(_ finding: UnexpectedRequest) -> UnexpectedRequest {
    var masked = finding
    masked.during = finding.during.map(self.masked)
    masked.sightings = finding.sightings.map(self.masked)
    return masked
  }

  private func masked(_ sighting: RequestSighting) -> RequestSighting {
    var masked = sighting
    masked.method = sighting.method.map(self.masked)
    masked.url = self.masked(sighting.url)
    if case .step(let step)? = sighting.cause { masked.cause = .step(self.masked(step)) }
    return masked
  }

  private func masked(_ failure: ActionFailure) -> ActionFailure {
    var masked = failure
    masked.step = self.masked(failure.step)
    masked.error.message = maskedWords(failure.error.message)
    masked.error.data = failure.error.data.map(self.masked)
    return masked
  }

  private func masked(_ error: RunError, isErrorCut: Bool) -> RunError {
    var masked = error
    masked.message = maskedWords(error.message)
    masked.step = error.step.map(self.masked)
    masked.location = error.location.map(self.masked)
    masked.diagnostics = error.diagnostics.map(self.masked)
    if !error.standardErrorTail.isEmpty {
      // As a whole: a value can go on in the next line.
      let tail = error.standardErrorTail.joined(separator: "\n")
      masked.standardErrorTail = maskedWords(tail, cut: isErrorCut ? .before : [])
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    return masked
  }

  /// A value of JSON, keys and all; what belongs to a credential's key is masked whole.
  private func masked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .null, .bool: value
    case .integer(let number): masked(value, as: String(number))
    case .number(let number): masked(value, as: String(number))
    case .string(let text): .string(maskedWords(text))
    case .array(let values): .array(values.map(self.masked))
    case .object(let members):
      .object(
        Dictionary(
          members.map { name, value in
            let isCredential = Credentials.isCredential(header: name)
            return (masked(name), isCredential ? .string(SecretMask.text) : masked(value))
          }, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// A number can be a secret, too.
  private func masked(_ number: JSONValue, as text: String) -> JSONValue {
    let shown = masked(text)
    return shown == text ? number : .string(shown)
  }
}
