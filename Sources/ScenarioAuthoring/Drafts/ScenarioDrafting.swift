import JSON
import RequestMatching
import ScenarioCore
import SourceText

/// Drafts what a scenario file should expect from what its scenarios sent.
///
/// Expectations that are met stay as they are written. A list of `sends` is drafted only where one can be
/// that holds for all cases.
package struct ScenarioDrafting {
  /// A request of a case that no draft names, since it isn't sent in each case.
  package struct Unshared: Sendable {
    package var scenario: ScenarioReference
    package var place: DraftPlace
    package var expectation: JSONValue
  }

  private let recordings: [Recording]
  /// As it is written.
  private let original: ScenarioEdit
  private var edit: ScenarioEdit
  private let volatileNames: [String]
  /// What can't be said for all cases.
  package private(set) var unshared: [Unshared] = []
  /// What drafts don't say of their requests.
  package private(set) var omissions: [(place: DraftPlace, omission: ExpectationDraft.Omission)] =
    []

  /// - Parameter recordings: one for each case; at least one.
  /// - Returns: `nil` where the file isn't a scenario.
  package init?(_ file: SourceFile, _ recordings: [Recording]) {
    guard let edit = ScenarioEdit(file), !recordings.isEmpty else { return nil }
    (original, self.edit) = (edit, edit)
    self.recordings = recordings
    volatileNames = recordings.reduce(into: Set<String>()) { $0.formUnion($1.volatileParameters) }
      .sorted()
    draft()
  }

  /// The scenario with what is drafted.
  package var file: SourceFile { edit.file }

  private mutating func draft() {
    if recordings.allSatisfy(\.isAttributed) {
      let actions = original.root["actions"]?.arrayValue ?? []
      for index in actions.indices { draftSends(ofActionAt: [index]) }
      // Last, since it moves the others.
      if !edit.hasLaunch { draftLaunch() }
    }
    draftExpected()
    edit.addVolatileParameters(volatileNames)
  }

  // MARK: - Actions

  private mutating func draftSends(ofActionAt path: ScenarioEdit.ActionPath) {
    guard let node = original.action(at: path), node["expectRequests"] == nil else { return }
    let place = DraftPlace.action(path: path, title: DraftPlace.title(of: node))
    if path.count == 1 || node["sends"] != nil {
      let instances = recordings.flatMap { self.instances(of: node, in: $0) }
      let isWritten = node["sends"] != nil
      if let change = change(of: instances, existing: node["sends"], isPartial: false, place),
        isWritten ? !change.isEmpty : !(change.added.isEmpty && Self.onlyLooks(node))
      {
        edit.setSends(change, ofActionAt: path)
      }
    }
    for index in (node["actions"]?.arrayValue ?? []).indices {
      draftSends(ofActionAt: path + [index])
    }
  }

  /// Whether an action causes nothing of its own: that it sends nothing needs no words.
  private static func onlyLooks(_ node: JSONNode) -> Bool {
    ["assertExists", "assertNotExists", "assertText", "terminate"].contains { node[$0] != nil }
  }

  private mutating func draftLaunch() {
    let instances = recordings.map { Instance($0, actions: 0..<1, existing: []) }
    guard let change = change(of: instances, existing: nil, isPartial: false, .launch) else {
      return
    }
    edit.setLaunchSends(change)
  }

  private mutating func draftExpected() {
    let instances = recordings.map {
      Instance($0, actions: nil, existing: $0.scenario.expected)
    }
    let existing = original.root["expected"]
    guard let change = change(of: instances, existing: existing, isPartial: true, .expected),
      !change.isEmpty
    else { return }
    edit.setExpected(change)
  }

  // MARK: - Lists

  /// A list of expectations with the requests that it speaks of, in one case and one repetition.
  private struct Instance {
    var scenario: Scenario
    var requests: [MatchableRequest]
    var accounted: [AccountedRequest]
    var events: [RecordedEvent]
    var existing: [Expectation]

    /// - Parameter actions: whose requests; those of all where `nil`.
    init(_ recording: Recording, actions: Range<Int>?, existing: [Expectation]) {
      func isMeant(_ action: Int?) -> Bool {
        actions.map { range in action.map(range.contains) ?? false } ?? true
      }
      scenario = recording.scenario
      self.existing = existing
      requests = recording.requests.filter { isMeant($0.action) }.map { MatchableRequest($0) }
      accounted = recording.accounted.filter { isMeant($0.request.action) }
      events = recording.events.filter { isMeant($0.action) }
    }
  }

  /// Where an action of the file runs: more than once in a `repeat`.
  private func instances(of node: JSONNode, in recording: Recording) -> [Instance] {
    let scenario = recording.scenario
    func isHere(_ location: SourceLocation) -> Bool {
      location.range == node.location.range && location.path == node.location.path
    }
    if let launch = scenario.launch, isHere(launch.location) {
      return [Instance(recording, actions: 0..<1, existing: launch.sends ?? [])]
    }
    let groups = scenario.groups.filter { isHere($0.location) }
    if !groups.isEmpty {
      return groups.map { Instance(recording, actions: $0.stepIDs, existing: $0.sends) }
    }
    let steps = scenario.steps.filter { isHere($0.location) }
    if !steps.isEmpty {
      return steps.map { Instance(recording, actions: $0.id..<$0.id + 1, existing: $0.sends ?? []) }
    }
    return scenario.spans.filter { isHere($0.location) }.map {
      Instance(recording, actions: $0.stepIDs, existing: [])
    }
  }

  /// What is to be done to a list; `nil` where it is left as it is.
  ///
  /// - Parameter isPartial: whether a list that names some of the requests is of use.
  private mutating func change(
    of instances: [Instance], existing: JSONNode?, isPartial: Bool, _ place: DraftPlace
  ) -> ListChange? {
    guard !instances.isEmpty else { return nil }
    let written = existing?.arrayValue ?? []
    // Whether one with relations is met can't be told by its pattern alone.
    guard
      instances.allSatisfy({ instance in
        instance.existing.count == written.count
          && !instance.existing.contains { $0.relations.isRelated || !$0.relations.objects.isEmpty }
      })
    else { return nil }
    var entries: [Int: ListChange.Entry] = [:]
    for index in written.indices { entries[index] = entry(index, instances, written[index]) }
    let kept = written.indices.filter { if case .removed = entries[$0] { false } else { true } }
    let drafts = instances.map { self.drafts(in: $0, besides: kept) }
    let (common, rest) = CaseUnification(instances.map(\.scenario.caseValues)).common(drafts)
    for draft in drafts[0] { draft.omission.map { omissions.append((place, $0)) } }
    for (instance, drafts) in zip(instances, rest) {
      unshared += drafts.map {
        Unshared(scenario: instance.scenario.reference, place: place, expectation: $0.json)
      }
    }
    if !isPartial, rest.contains(where: { !$0.isEmpty }) { return nil }
    return ListChange(entries: entries, added: common)
  }

  /// - Returns: `nil` where it is kept.
  private func entry(
    _ index: Int, _ instances: [Instance], _ node: JSONNode
  ) -> ListChange.Entry? {
    let counts = instances.map { instance in
      count(instance.existing[index].pattern, in: instance)
    }
    let isMet = zip(instances, counts).allSatisfy { $0.existing[index].count.accepts($1) }
    if isMet { return nil }
    guard let count = counts.first, count > 0, counts.allSatisfy({ $0 == count }),
      // Without a method, 0 asks for any, another count for GET.
      instances.allSatisfy({ $0.existing[index].count.least > 0 }),
      node["count"]?.variable == nil, node["count"]?.numberText != nil
    else { return .removed }
    return .counted(count)
  }

  private func count(_ pattern: RequestPattern, in instance: Instance) -> Int {
    let volatile = self.volatile(of: instance)
    if let event = pattern.event {
      return instance.events.count { (try? event.matches($0.event)) ?? false }
    }
    return instance.requests.filter { (try? pattern.matches($0, ignoring: volatile)) ?? false }
      .count
  }

  private func volatile(of instance: Instance) -> VolatileParameters {
    VolatileParameters(instance.scenario.volatileParameters + volatileNames)
  }

  /// Drafts of the requests that no expectation which stays names.
  private func drafts(in instance: Instance, besides kept: [Int]) -> [ExpectationDraft] {
    let volatile = self.volatile(of: instance)
    let patterns = kept.map { instance.existing[$0].pattern }
    let unnamed = instance.accounted.filter { accounted in
      let request = MatchableRequest(accounted.request)
      return !patterns.contains { (try? $0.matches(request, ignoring: volatile)) ?? false }
    }
    let events = instance.events.filter { recorded in
      !patterns.contains { (try? $0.event?.matches(recorded.event)) ?? false }
    }
    let drafts = ExpectationDraft.drafts(
      of: unnamed.map(\.outline),
      ignoring: VolatileParameters(instance.scenario.volatileParameters),
      inferred: VolatileParameters(volatileNames))
    return drafts.map { draft in
      var draft = draft
      // Each request that it matches counts, also one that needs no name.
      if let pattern = draft.decodedPattern { draft.count = count(pattern, in: instance) }
      return draft
    }
      + ExpectationDraft.drafts(of: events.map(\.outline), among: instance.events.map(\.event))
  }
}
