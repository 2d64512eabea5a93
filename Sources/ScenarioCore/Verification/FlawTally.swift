import HarnessProtocol
import JSON
import RequestMatching
import SourceText

/// Looks through what was sent for what is wrong whatever was expected: by the rules of lint, and by the
/// tracking plan.
struct FlawTally: Sendable {
  private let lint: Lint
  private let policy: LintPolicy
  private let isLinting: Bool
  private let plan: TrackingPlan?
  private var flaws: [DataFlaw] = []
  /// The places of those that are told apart.
  private var places: [[String]: Int] = [:]
  /// By rule: the last that is told apart, and how many there are.
  private var ofRule: [String: (last: Int, count: Int)] = [:]

  /// Something that was found, and what makes it the same as another.
  struct Hit {
    var flaw: DataFlaw
    var key: [String]

    init(flaw: DataFlaw, key: [String]) {
      self.flaw = flaw
      self.key = key
    }

    init(_ hit: LintHit, of subject: String) {
      flaw = DataFlaw(rule: .lint(hit.rule), part: hit.part, value: hit.value)
      key = [flaw.name, flaw.place, hit.value, subject]
    }
  }

  init(_ scenario: Scenario) {
    policy = scenario.lint
    plan = scenario.trackingPlan
    isLinting = !policy.isOff
    lint = isLinting ? Lint(typed: scenario.typedValues) : Lint()
  }

  func isSuspicious(_ url: UnsafeBufferPointer<UInt8>) -> Bool {
    isLinting && Lint.isSuspicious(url)
  }

  /// - Parameter events: those of the request: what they say again of its query is told of them.
  func hits(inURLOf request: RecordedRequest, _ events: [AnalyticsEvent]) -> [Hit] {
    let url = RequestURL(request.url)
    let subject = String(decoding: url.upToPath, as: UTF8.self)
    return lint.hits(in: url).filter { hit in
      guard policy[hit.rule] != .off else { return false }
      guard case .queryParameter(let name) = hit.part else { return true }
      return !events.contains { event in
        guard let value = event.value[name] else { return false }
        return value.string == hit.value || name == hit.value
      }
    }.map { Hit($0, of: subject) }
  }

  /// - Throws: where nobody can tell in reasonable time.
  func hits(
    in event: AnalyticsEvent, of request: RecordedRequest
  ) throws(MatchingDoubt) -> [Hit] {
    let subject = "\(event.decoder) \(event.name)"
    var hits: [Hit] = []
    if isLinting {
      hits += lint.hits(inEvent: Self.content(of: event, request))
        .filter { policy[$0.rule] != .off }.map { Hit($0, of: subject) }
    }
    for flaw in try plan?.flaws(of: event) ?? [] {
      hits.append(Hit(flaw: flaw, key: [flaw.name, flaw.place, subject]))
    }
    return hits
  }

  /// Where the whole request is the event, its URL and its headers are looked at by themselves.
  private static func content(of event: AnalyticsEvent, _ request: RecordedRequest) -> JSONValue {
    guard event.isWhole(request) else { return event.essence }
    return event.essence["body"].map { ["body": $0] } ?? [:]
  }

  /// Keeps what was found in one request or event.
  mutating func add(_ hits: [Hit], _ occurrence: RequestOccurrence) {
    for hit in hits {
      guard let place = place(of: hit) else { continue }
      flaws[place].count += 1
      if flaws[place].occurrences.count < FindingLimits.occurrences {
        flaws[place].occurrences.append(occurrence)
      }
    }
  }

  /// - Returns: `nil` where there are too many of the rule.
  private mutating func place(of hit: Hit) -> Int? {
    if let known = places[hit.key] { return known }
    let name = hit.flaw.name
    let (last, count) = ofRule[name] ?? (0, 0)
    guard count < FindingLimits.flaws else {
      flaws[last].furtherCount += 1
      return nil
    }
    ofRule[name] = (flaws.count, count + 1)
    places[hit.key] = flaws.count
    flaws.append(hit.flaw)
    return flaws.count - 1
  }

  /// - Parameter isFailure: those that make the scenario fail, or those that it is warned of.
  func findings(isFailure: Bool) -> [Finding] {
    flaws.filter { flaw in
      guard case .lint(let rule) = flaw.rule else { return isFailure }
      return (policy[rule] == .fail) == isFailure
    }.map { .flaw($0) }
  }
}

extension AnalyticsEvent {
  /// Whether the event is the request itself.
  func isWhole(_ request: RecordedRequest) -> Bool {
    value["headers"] != nil && value["url"]?.string == request.url
  }
}

extension DataFlaw {
  /// The rule's name.
  package var name: String {
    switch rule {
    case .lint(let rule): rule.rawValue
    case .unplannedEvent: "unplannedEvent"
    case .plan(let violation): violation.kind.rawValue
    }
  }

  /// What is equal for flaws of the same place.
  fileprivate var place: String {
    guard case .plan(let violation) = rule else { return "\(part)" }
    // Events differ in how many elements a list has, and mean the same by them.
    return violation.path.replacing(/\[[0-9]+\]/, with: "[*]") + violation.keyword
  }
}

extension TrackingPlan {
  /// What of an event isn't as it was planned.
  func flaws(of event: AnalyticsEvent) throws(MatchingDoubt) -> [DataFlaw] {
    guard let schema = events[ByteText(event.name)] else {
      return [
        DataFlaw(
          rule: .unplannedEvent, part: .eventName, value: event.name,
          suggestions: Suggestions.closest(to: event.name, among: events.keys.map(\.text)))
      ]
    }
    return try schema.violations(of: event.value).map {
      DataFlaw(rule: .plan($0), part: .eventMember($0.path), value: $0.got)
    }
  }
}

extension Scenario {
  /// What the scenario itself puts into the app: texts that are typed, links and their parameters.
  fileprivate var typedValues: Set<String> {
    var values: Set<String> = []
    for step in steps {
      switch step.action {
      case .app(.typeText(let text, _)): values.insert(text)
      case .app(.openURL(let url)):
        values.insert(url)
        for item in RequestURL(url).queryItems {
          values.insert(String(decoding: item.value, as: UTF8.self))
        }
      default: break
      }
    }
    return values
  }
}
