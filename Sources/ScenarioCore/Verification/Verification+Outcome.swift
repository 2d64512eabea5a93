import RequestMatching
import SourceText

extension Verification {
  /// Judges what has been observed.
  ///
  /// What is too much is certain, however far the actions came. What is missing is judged only where the
  /// actions that should have sent it have run.
  package func outcome(completedSteps: CompletedSteps) -> VerificationOutcome {
    let judged = ledgers.indices.filter { ledgers[$0].expense == nil }
    let short = judged.filter { ledgers[$0].shortfall > 0 && !ledgers[$0].isDoubtful }
    let missing = short.filter { completedSteps.covers(judgedActions(ledgers[$0])) }
    let tooMany = judged.filter { ledgers[$0].surplus > 0 }
    var shortfalls = Mismatch.folded(missing, ledgers, volatile) { $0.shortfall }
    var surpluses = Mismatch.folded(tooMany, ledgers, volatile) { $0.surplus }
    Misattribution.explain(&shortfalls, by: &surpluses, ledgers, volatile)
    let leftover = NearMissPairing.pair(&shortfalls, with: strays, in: self)
    addElsewhere(to: &shortfalls)
    let mismatches = (shortfalls + surpluses).sorted { $0.ledger < $1.ledger }
    return VerificationOutcome(
      findings: doubts(completedSteps) + mismatches.map { .wrongCount(wrongCount($0)) }
        + unexpected(leftover),
      unjudgedExpectations: short.count - missing.count, recordedRequests: recordedRequests)
  }

  /// The actions that must have run before something can be said to be missing.
  private func judgedActions(_ ledger: Ledger) -> Range<Int> { ledger.actions }

  private func wrongCount(_ mismatch: Mismatch) -> WrongCount {
    let ledger = ledgers[mismatch.ledger]
    return WrongCount(
      scope: ledger.scope,
      pattern: ledger.expectation.pattern.text(ignoring: volatile),
      wanted: ledger.expectation.count, got: ledger.count,
      location: ledger.expectation.location, matched: ledger.matched,
      nearMisses: mismatch.nearMisses, elsewhere: mismatch.elsewhere,
      nothingWasSent: recordedRequests == 0, related: mismatch.related.map(related))
  }

  private func related(_ index: Int) -> RelatedExpectation {
    let ledger = ledgers[index]
    return RelatedExpectation(
      scope: ledger.scope, wanted: ledger.expectation.count, got: ledger.count,
      location: ledger.expectation.location)
  }

  /// Where nothing else explains what is missing: requests that match, from actions that don't count.
  private func addElsewhere(to shortfalls: inout [Mismatch]) {
    for index in shortfalls.indices where shortfalls[index].elsewhere.isEmpty {
      guard shortfalls[index].nearMisses.isEmpty else { continue }
      let ledger = ledgers[shortfalls[index].ledger]
      shortfalls[index].elsewhere = ledger.elsewhere.filter { !isListed($0, like: ledger) }
    }
  }

  /// Whether the action that caused a request lists it in a `sends` of its own.
  private func isListed(_ sighting: RequestSighting, like ledger: Ledger) -> Bool {
    guard case .step(let step)? = sighting.cause else { return false }
    let text = ledger.expectation.pattern.text(ignoring: volatile)
    return ledgers.contains {
      $0.check != nil && $0.check != ledger.check && $0.actions.contains(step.id)
        && $0.expectation.pattern.text(ignoring: volatile) == text
    }
  }
}

// MARK: - Unexpected requests

extension Verification {
  /// What is left of the stray requests, equal ones from several actions together.
  private func unexpected(_ leftover: [Int]) -> [Finding] {
    // A pattern that can't be decided may name any of them.
    guard !ledgers.contains(where: { $0.expense != nil }) else { return [] }
    var order: [StrayKey] = []
    var merged: [StrayKey: UnexpectedRequest] = [:]
    for (index, stray) in strays.enumerated() where leftover[index] > 0 && isReportable(stray) {
      var request = stray.request
      request.action = nil
      let key = StrayKey(request, url: Array(masked(request.url).utf8), details: [])
      let new = UnexpectedRequest(
        during: stray.offended.map { checks[$0].step }, count: leftover[index],
        sightings: remaining(stray, leftover[index]))
      if let found = merged[key] {
        merged[key] = found.merged(with: new)
      } else {
        order.append(key)
        merged[key] = new
      }
    }
    return order.compactMap { merged[$0] }.map { .unexpectedRequest($0) } + furtherUnexpected
  }

  private func masked(_ url: String) -> String { volatile.masked(in: url) }

  /// The sightings that were not used up as near misses.
  private func remaining(_ stray: StrayRequest, _ count: Int) -> [RequestSighting] {
    let rest = stray.sightings.dropFirst(stray.count - count)
    return rest.isEmpty ? stray.sightings.suffix(1) : Array(rest)
  }

  private var furtherUnexpected: [Finding] {
    guard furtherStrays > 0 else { return [] }
    return [
      .unexpectedRequest(
        UnexpectedRequest(
          count: furtherStrays, sightings: furtherSightings, distinctCount: furtherStrays))
    ]
  }
}

extension UnexpectedRequest {
  fileprivate func merged(with other: Self) -> Self {
    var merged = self
    merged.count += other.count
    merged.sightings = Array((sightings + other.sightings).prefix(sightingLimit))
    merged.during += other.during.filter { step in !during.contains { $0.id == step.id } }
    return merged
  }
}

// MARK: - What can't be judged

extension Verification {
  private func doubts(_ completedSteps: CompletedSteps) -> [Finding] {
    (expensive + unattributed).map { .runError($0) }
  }

  private var expensive: [RunError] {
    var seen: Set<String> = []
    return ledgers.compactMap { ledger in
      guard let expense = ledger.expense, seen.insert(expense.pattern).inserted else { return nil }
      return RunError(
        .expensivePattern,
        "The expression \"\(expense.pattern)\" takes too many steps on a text of "
          + "\(expense.textLength) characters that the app sent. Write it without a repetition "
          + "in a repetition, as in (a+)+.", location: ledger.expectation.location)
    }
  }

  private var unattributed: [RunError] {
    let doubtful = ledgers.filter(\.isDoubtful)
    guard let first = doubtful.first?.expectation.location ?? offendable else { return [] }
    let count = unattributedRequests
    let subject = count == 1 ? "1 recorded request says" : "\(count) recorded requests say"
    return [
      RunError(
        .unattributedRequests,
        "\(subject) no action, so what an action sent can't be judged. Let the app write "
          + "\"action\" into the store, or leave out \"sends\" and \"expectRequests\".",
        location: first)
    ]
  }

  /// The first `sends` that an unattributed request may offend.
  private var offendable: SourceLocation? {
    unattributedRequests > 0 ? checks.first?.step.location : nil
  }
}
