import RequestMatching

extension Verification {
  /// Everything that counts requests, in the order in which findings are read: `sends` and
  /// `expectRequests` by their actions, then `expected`.
  static func tallies(of scenario: Scenario) -> (checks: [SendsCheck], tallies: [Tally]) {
    var checks: [SendsCheck] = []
    var tallies: [Tally] = []
    func addSends(_ sends: [Expectation], _ step: StepReference, _ actions: Range<Int>) {
      tallies += sends.map {
        Tally(scope: .sends(step), expectation: $0, actions: actions, check: checks.count)
      }
      checks.append(SendsCheck(actions: actions, step: step))
    }
    for step in scenario.steps {
      let reference = StepReference(step)
      if let sends = step.sends { addSends(sends, reference, step.id..<step.id + 1) }
      if case .expectRequests(let expectations) = step.action {
        tallies += expectations.map {
          Tally(scope: .expectRequests(reference), expectation: $0, actions: 0..<step.id)
        }
      }
    }
    for group in scenario.groups {
      let reference = StepReference(
        id: group.stepIDs.lowerBound, title: group.title, location: group.location)
      addSends(group.sends, reference, group.stepIDs)
    }
    tallies += scenario.expected.map {
      Tally(scope: .expected, expectation: $0, actions: 0..<Int.max)
    }
    return (checks, tallies)
  }

  /// The lowercased names of the headers that any pattern looks at.
  static func details(_ patterns: [RequestPattern]) -> [String] {
    let headers = patterns.flatMap { $0.headers.map { $0.name.lowercased() } }
    let cookies = patterns.contains { !$0.cookies.isEmpty } ? ["cookie"] : []
    return Set(headers + cookies).sorted()
  }
}
