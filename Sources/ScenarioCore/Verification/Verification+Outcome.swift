import HarnessProtocol
import RequestMatching
import SourceText

extension Verification {
  /// Judges what has been observed.
  ///
  /// What is too much is certain, however far the actions came. What is missing is judged only where the
  /// actions that should have sent it have run.
  package func outcome(completedSteps: CompletedSteps) -> VerificationOutcome {
    var verification = self
    return MatchingStop.asking(stop) {
      verification.observePostponed()
      if isDisturbed { verification.addAllowances() }
      if !verification.isStopping() {
        let outcome = verification.judged(completedSteps)
        if !verification.isStopping() { return outcome }
      }
      return VerificationOutcome(
        findings: [], warnings: [], unjudgedExpectations: 0, recordedRequests: recordedRequests,
        hasStopped: true)
    }
  }

  private func judged(_ completedSteps: CompletedSteps) -> VerificationOutcome {
    let judged = tallies.indices.filter { tallies[$0].doubt == nil }
    let short = judged.filter { tallies[$0].shortfall > 0 && !tallies[$0].isDoubtful }
    let missing = short.filter { completedSteps.covers(tallies[$0].actions) }
    let tooMany = judged.filter { tallies[$0].surplus > 0 }
    let keys = short.isEmpty && tooMany.isEmpty ? [] : tallies.map { $0.patternKey(volatile) }
    var shortfalls = Mismatch.folded(missing, tallies, keys) { $0.shortfall }
    var surpluses = Mismatch.folded(tooMany, tallies, keys) { $0.surplus }
    Mismatch.explain(&shortfalls, by: &surpluses, tallies, keys)
    var leftover = strays.told.map(\.count)
    NearMissPairing.pair(&shortfalls, with: strays.told, &leftover, in: self)
    addElsewhere(to: &shortfalls, keys)
    NearMissPairing.addNamed(to: &shortfalls, in: self)
    let rest = Set(short).subtracting(missing).sorted()
    let early = explained(rest, keys, by: &leftover)
    let mismatches = (shortfalls + surpluses + early).sorted { $0.tally < $1.tally }
    let told = early.reduce(missing.count) { $0 + 1 + $1.related.count }
    return VerificationOutcome(
      findings: doubts + mismatches.map { .wrongCount(wrongCount($0)) }
        + tooEarly(completedSteps) + unexpected(leftover, .finding)
        + flaws.findings(isFailure: true),
      warnings: unexpected(leftover, .warning) + flaws.findings(isFailure: false)
        + blindPaths,
      unjudgedExpectations: short.count - told, recordedRequests: recordedRequests)
  }

  /// What the actions came too early to an end for, as far as what was sent is nearly it.
  ///
  /// That something is missing is not certain; that something else came is, and this tells what it was
  /// probably meant to be.
  private func explained(
    _ short: [Int], _ keys: [String], by leftover: inout [Int]
  ) -> [Mismatch] {
    var mismatches = Mismatch.folded(short, tallies, keys) { $0.shortfall }
    let reportable = strays.told.indices.map {
      weight(of: strays.told[$0]) == .nothing ? 0 : leftover[$0]
    }
    var rest = reportable
    NearMissPairing.pair(&mismatches, with: strays.told, &rest, in: self)
    for index in leftover.indices { leftover[index] -= reportable[index] - rest[index] }
    return mismatches.filter { mismatch in
      !mismatch.elsewhere.isEmpty || mismatch.nearMisses.contains { !$0.isTaken }
    }
  }

  private func wrongCount(_ mismatch: Mismatch) -> WrongCount {
    let tally = tallies[mismatch.tally]
    var count = WrongCount(
      scope: tally.scope,
      pattern: tally.expectation.pattern.text(ignoring: volatile),
      wanted: tally.expectation.count, got: tally.count, measure: tally.expectation.measure,
      location: tally.expectation.location, matched: tally.matched,
      nearMisses: mismatch.nearMisses, elsewhere: mismatch.elsewhere,
      nothingWasSent: recordedRequests == 0, related: mismatch.related.map(related),
      objects: tally.expectation.relations.objects)
    count.blindPaths = blindPaths(of: tally)
    return count
  }

  /// Expectations that are met although a path of theirs finds nothing where another would: what they
  /// forbid may have been sent.
  private var blindPaths: [Finding] {
    tallies.flatMap { tally -> [Finding] in
      guard tally.shortfall == 0, tally.surplus == 0 else { return [] }
      return blindPaths(of: tally)
        .filter { !$0.nearest.isEmpty }
        .map { path in
          .fileDoubt(
            FileDoubt(
              .unknownPath,
              Diagnostic(
                .warning, path.text, at: tally.expectation.location, suggestions: path.nearest)))
        }
    }
  }

  private func blindPaths(of tally: Tally) -> [BlindPath] {
    guard let event = tally.expectation.pattern.event else { return [] }
    return pathOccurrences[event.name]?.blindPaths(of: event) ?? []
  }

  private func related(_ index: Int) -> RelatedExpectation {
    let tally = tallies[index]
    return RelatedExpectation(
      scope: tally.scope, wanted: tally.expectation.count, got: tally.count,
      location: tally.expectation.location)
  }

  /// Where nothing else explains what is missing: requests that match, from actions that don't count.
  private func addElsewhere(to shortfalls: inout [Mismatch], _ keys: [String]) {
    if shortfalls.isEmpty { return }
    let ofKey = Dictionary(grouping: tallies.indices.filter { tallies[$0].check != nil }) {
      keys[$0]
    }
    for index in shortfalls.indices where shortfalls[index].elsewhere.isEmpty {
      guard shortfalls[index].nearMisses.isEmpty else { continue }
      let tally = tallies[shortfalls[index].tally]
      let alike = ofKey[keys[shortfalls[index].tally]] ?? []
      shortfalls[index].elsewhere = tally.elsewhere.filter { !isListed($0, tally, alike) }
    }
  }

  /// Whether the action that caused a request lists it in a `sends` of its own.
  ///
  /// - Parameter alike: the tallies of all `sends` with the same pattern.
  private func isListed(
    _ occurrence: RequestOccurrence, _ tally: Tally, _ alike: [Int]
  ) -> Bool {
    let action: Int
    switch occurrence.cause {
    case .launch?: action = 0
    case .step(let step)?: action = step.id
    case .shutdown?, nil: return false
    }
    return alike.contains {
      tallies[$0].check != tally.check && tallies[$0].actions.contains(action)
    }
  }
}

// MARK: - Unexpected requests

extension Verification {
  /// What is left of the stray requests, equal ones from several actions together.
  private func unexpected(_ leftover: [Int], _ weight: Weight) -> [Finding] {
    // A pattern that can't be decided may name any of them.
    guard !tallies.contains(where: { $0.doubt != nil }) else { return [] }
    var order: [StrayKey] = []
    var merged: [StrayKey: UnexpectedRequest] = [:]
    for (index, stray) in strays.told.enumerated()
    where leftover[index] > 0 && self.weight(of: stray) == weight {
      var request = stray.request
      request.action = nil
      let key = StrayKey(
        StrayRequest(
          request: request, event: stray.event, offended: [], isUnnamed: true, isAccounted: true),
        url: Array(volatile.masked(in: request.url).utf8), details: [])
      let new = UnexpectedRequest(
        during: stray.offended.map { checks[$0].step }, count: leftover[index],
        occurrences: remaining(stray, leftover[index]), stubbing: stubbing(of: stray),
        nearestStub: merged[key] == nil && stray.event == nil ? nearestStub(to: stray.request) : nil
      )
      if let found = merged[key] {
        merged[key] = found.merged(with: new)
      } else {
        order.append(key)
        merged[key] = new
      }
    }
    let rest = strays.further[weight].map { [$0] } ?? []
    return (order.compactMap { merged[$0] } + rest).map { .unexpectedRequest($0) }
  }

  /// What is said of a stubbed request, which has to be named only because its host is tracked or a decoder looks at it.
  private func stubbing(of stray: StrayRequest) -> UnexpectedRequest.Stubbing? {
    let request = stray.request
    guard stray.event == nil, isStubbed(request.answer) else { return nil }
    guard trackedHosts.contain(request.url) else { return .isDecoded }
    return scenario.tracking == nil ? .everyHostIsTracked : .hostIsTracked
  }

  /// The occurrences that were not used up as near misses.
  private func remaining(_ stray: StrayRequest, _ count: Int) -> [RequestOccurrence] {
    let rest = stray.occurrences.dropFirst(stray.count - count)
    return rest.isEmpty ? stray.occurrences.suffix(1) : Array(rest)
  }
}

extension UnexpectedRequest {
  fileprivate func merged(with other: Self) -> Self {
    var merged = self
    merged.count += other.count
    merged.occurrences = Array((occurrences + other.occurrences).prefix(FindingLimits.occurrences))
    merged.during += other.during.filter { step in !during.contains { $0.id == step.id } }
    return merged
  }
}

// MARK: - What can't be judged

extension Verification {
  private var doubts: [Finding] {
    (eventErrors + undecided + unattributed).map { .runError($0) }
  }

  /// Each doubt once, however many expectations have it.
  private var undecided: [RunError] {
    var seen: Set<String> = []
    return tallies.compactMap { tally in
      guard let doubt = tally.doubt, let request = tally.doubtfulRequest else { return nil }
      let error = Self.error(doubt, of: request, at: tally.expectation.location)
      return seen.insert(error.message).inserted ? error : nil
    }
  }

  private static func error(
    _ doubt: MatchingDoubt, of request: RequestOccurrence, at location: SourceLocation
  ) -> RunError {
    guard case .undecodableBody(let problem) = doubt else {
      return RunError(.expensivePattern, "\(doubt)", location: location)
    }
    let method = request.method.map { "\($0) " } ?? ""
    return RunError(
      .undecodableBody,
      "The body of \(method)\(request.url), \(words(for: request.cause)), \(problem). "
        + MatchingDoubt.remedyOfUndecodableBody, location: location)
  }

  private static func words(for cause: RequestCause?) -> String {
    switch cause {
    case .launch?: "sent by the launch"
    case .step(let step)?: "sent by action \(step.id), \(step.title)"
    case .shutdown?: "sent after the last action"
    case nil: "which says no action"
    }
  }

  private var unattributed: [RunError] {
    // Of an event without an action its time has been told.
    let count = unattributedRequests - history.unplacedEvents
    guard count > 0,
      let first = tallies.first(where: \.isDoubtful)?.expectation.location ?? offendable
    else { return [] }
    let subject = count == 1 ? "1 recorded request says" : "\(count) recorded requests say"
    return [
      RunError(
        .unattributedRequests,
        "\(subject) no action, so what an action sent can't be judged. Let the app write "
          + "\"action\" into the store, or leave out \"sends\" and \"expectRequests\".",
        location: first)
    ]
  }

  /// The first `sends` that an unattributed request may offend, or what may name one or not.
  private var offendable: SourceLocation? {
    if unattributedAccountedRequests > 0, let check = checks.first { return check.step.location }
    guard hasDoubtfulNaming else { return nil }
    return tallies.first(where: \.dependsOnAction)?.expectation.location
  }
}
