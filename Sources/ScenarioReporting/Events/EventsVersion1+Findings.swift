import HarnessProtocol
import JSON
import ScenarioCore

extension EventsVersion1 {
  /// What it says is masked with everything else, where the line is written.
  private static let words = FindingText(Outlet())

  /// - Parameter outlet: masks what an app said; all else is masked where the line is written.
  static func finding(
    _ finding: Finding, in scenario: ScenarioReference, _ outlet: Outlet
  ) -> JSONValue {
    let common: JSONObject = [
      "kind": .string(finding.kindName), "isError": .bool(finding.isError),
      "message": .string(words.headline(finding)),
      "location": finding.location.map(location) ?? place(of: scenario),
    ]
    return .object(common + details(of: finding, outlet))
  }

  private static func details(of finding: Finding, _ outlet: Outlet) -> JSONObject {
    switch finding {
    case .wrongCount(let count): details(count)
    case .tooEarly(let early): details(early)
    case .unexpectedRequest(let request): details(request)
    case .flaw(let flaw): details(flaw)
    case .actionFailed(let failure):
      [
        "action": action(failure.step),
        "code": .integer(failure.error.code.rawValue),
        "data": failure.error.data?.masked(by: outlet),
      ]
    case .fileDoubt(let doubt):
      [
        "diagnostic": diagnostic(doubt.diagnostic),
        "excerpt": .strings(words.lines(doubt)),
        "action": doubt.cause?.step.map(action),
      ]
    case .sweep(let counts):
      [
        "kind": .string(counts.kind.rawValue), "judged": .integer(counts.judged),
        "failed": .integer(counts.failed), "isComplete": .bool(counts.isComplete),
      ]
    case .fixedIssue(let reason): ["reason": .string(reason)]
    case .unseen(let parts): ["unseen": .strings(parts.map(outlet.masked))]
    case .fileWarning(let fault): ["diagnostic": diagnostic(fault)]
    case .runError(let error):
      [
        "action": error.step.map(action),
        "diagnostics": .array(error.diagnostics.map(diagnostic)),
        "standardErrorTail": .strings(error.standardErrorTail),
        "networkAttempts": error.attempts.isEmpty ? nil : .array(error.attempts.map(attempt)),
      ]
    }
  }

  private static func details(_ finding: WrongCount) -> JSONObject {
    [
      "scope": .string(finding.scope.name), "action": finding.scope.step.map(action),
      "url": .string(finding.pattern),
      "wanted": bounds(finding.wanted), "got": .integer(finding.got),
      "requests": .array(finding.matched.map(request)),
      "nearMisses": .array(finding.nearMisses.map(nearMiss)),
      "elsewhere": .array(finding.elsewhere.map(request)),
      "nothingWasSent": .bool(finding.nothingWasSent),
      "blindPaths": finding.blindPaths.isEmpty
        ? nil
        : .array(
          finding.blindPaths.map { path in
            [
              "path": .string(path.key), "events": .integer(path.eventCount),
              "suggestions": .strings(path.nearest),
            ]
          }),
      "related": .array(
        finding.related.map {
          [
            "location": location($0.location), "scope": .string($0.scope.name),
            "action": $0.scope.step.map(action), "wanted": bounds($0.wanted),
            "got": .integer($0.got),
          ]
        }),
      "objects": objects(finding.objects),
    ]
  }

  private static func details(_ finding: EarlyRequests) -> JSONObject {
    [
      "scope": .string(finding.scope.name), "action": finding.scope.step.map(action),
      "url": .string(finding.pattern), "count": .integer(finding.count),
      "requests": .array(finding.occurrences.map(request)),
      "after": .string(finding.after), "afterLocation": location(finding.afterLocation),
      "first": finding.first.map(request), "objects": objects(finding.objects),
    ]
  }

  /// `nil` where the expectation has no `forEach`.
  private static func objects(_ objects: [FixtureObject]) -> JSONValue? {
    objects.isEmpty
      ? nil
      : .array(objects.map { ["location": location($0.location), "path": .string($0.path)] })
  }

  private static func details(_ finding: UnexpectedRequest) -> JSONObject {
    [
      "url": finding.occurrences.first.map { .string($0.url) },
      "wanted": ["atMost": 0], "got": .integer(finding.count),
      "distinctCount": .integer(finding.distinctCount),
      "requests": .array(finding.occurrences.map(request)),
      "actions": .array(finding.during.map(action)),
      "nearestStub": finding.nearestStub.map(nearestStub),
    ]
  }

  private static func details(_ flaw: DataFlaw) -> JSONObject {
    let (part, name) = words(for: flaw.part)
    var details: JSONObject = [
      "rule": .string(flaw.name), "part": .string(part), "name": name.map(JSONValue.string),
      "value": flaw.value.map(JSONValue.string) ?? .null,
      "event": flaw.occurrences.first?.event.map { event in
        [
          "name": .string(event.name), "decoder": .string(event.decoder),
          "number": .integer(event.number), "count": .integer(event.count),
        ]
      },
      "got": .integer(flaw.count), "requests": .array(flaw.occurrences.map(request)),
      "furtherCount": flaw.furtherCount == 0 ? nil : .integer(flaw.furtherCount),
      "suggestions": .strings(flaw.suggestions),
    ]
    if case .plan(let violation) = flaw.rule {
      details["keyword"] = .string(violation.keyword)
      details["wanted"] = .string(violation.wanted)
      details["ruleLocation"] = location(violation.location)
    }
    return details
  }

  /// Both bounds, whichever way the scenario says them.
  private static func bounds(_ count: ExpectedCount) -> JSONValue {
    [
      "atLeast": count.least == 0 && count.most > 0 ? nil : .integer(count.least),
      "atMost": count.most == .max ? nil : .integer(count.most),
    ]
  }
}

extension WrongCount.Scope {
  fileprivate var name: String {
    switch self {
    case .expected: "expected"
    case .sends: "sends"
    case .expectRequests: "expectRequests"
    }
  }

  fileprivate var step: StepReference? {
    switch self {
    case .expected: nil
    case .sends(let step), .expectRequests(let step): step
    }
  }
}
