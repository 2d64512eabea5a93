import RequestMatching
import ScenarioCore

/// What two apps send otherwise in the same scenarios, action by action.
package struct AppComparison: Sendable {
  /// One change, and where it was seen.
  package struct Difference: Sendable {
    /// The action's title, or `nil` for requests that say no action.
    package var action: String?
    package var change: DraftDifference.Change
    /// In the order in which they ran, each once.
    package var scenarios: [ScenarioReference]
  }

  package private(set) var scenarioCount = 0
  private var found: [Difference] = []

  package init() {}

  /// Adds a scenario that both apps ran.
  package mutating func add(base: Recording, head: Recording) {
    scenarioCount += 1
    let names = base.volatileParameters.union(head.volatileParameters).sorted()
    let headers = base.volatileHeaders.union(head.volatileHeaders).union(Self.derivedHeaders)
    let old = base.drafts(inferred: names, headers: headers)
    let new = head.drafts(inferred: names, headers: headers)
    for action in Set(old.keys).union(new.keys).sorted() {
      let changes = DifferenceFinder.changes(
        from: (old[action] ?? []).map(\.json), to: (new[action] ?? []).map(\.json))
      for (change, _) in changes { note(change, base.title(of: action), base.scenario.reference) }
    }
  }

  /// What follows from the rest of a request.
  private static let derivedHeaders: Set<String> = ["content-length", "host"]

  private mutating func note(
    _ change: DraftDifference.Change, _ action: String?, _ scenario: ScenarioReference
  ) {
    let place = found.firstIndex { $0.action == action && $0.change == change }
    guard let place else {
      return found.append(Difference(action: action, change: change, scenarios: [scenario]))
    }
    if found[place].scenarios.last != scenario { found[place].scenarios.append(scenario) }
  }

  /// Those that are in most scenarios first.
  package var differences: [Difference] {
    found.enumerated().sorted { left, right in
      (-left.element.scenarios.count, left.offset) < (-right.element.scenarios.count, right.offset)
    }.map(\.element)
  }
}

extension Recording {
  /// Of requests and of events, by the action that caused them; -1 stands for those that say none.
  ///
  /// - Parameters:
  ///   - inferred: the query parameters that vary.
  ///   - headers: those that aren't compared.
  fileprivate func drafts(
    inferred: [String], headers ignored: Set<String>
  ) -> [Int: [ExpectationDraft]] {
    let requests = Dictionary(grouping: accounted, by: { $0.request.action ?? -1 }).mapValues {
      ExpectationDraft.drafts(
        of: $0.map { accounted in
          var outline = accounted.outline
          outline.headers = self.headers(of: accounted.request, ignoring: ignored)
          outline.tellsOmitted = true
          return outline
        },
        ignoring: VolatileParameters(scenario.volatileParameters),
        inferred: VolatileParameters(inferred))
    }
    let events = Dictionary(grouping: events, by: { $0.action ?? -1 }).mapValues {
      ExpectationDraft.drafts(of: $0.map(\.outline), among: $0.map(\.event))
    }
    return requests.merging(events, uniquingKeysWith: +)
  }

  fileprivate func title(of action: Int) -> String? {
    if action == 0 { return "launch" }
    if action < 0 { return nil }
    return action <= scenario.steps.count ? scenario.steps[action - 1].title : "the end of the app"
  }
}
