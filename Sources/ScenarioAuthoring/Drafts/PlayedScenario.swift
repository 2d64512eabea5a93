import HarnessProtocol
import JSON
import RequestMatching
import ScenarioCore
import SourceText

/// The text of a scenario to which actions were added that somebody played, with what they sent.
///
/// What the file says already stays as it is: its comments, its layout, its expectations.
package struct PlayedScenario {
  private let edit: ScenarioEdit
  private let kept: Int
  private let added: [JSONValue]

  /// - Parameters:
  ///   - kept: how many of the file's own actions were played; the others are removed.
  ///   - added: the actions that were played after them.
  /// - Returns: `nil` where the file isn't a JSON object without mistakes.
  package init?(_ file: SourceFile, keeping kept: Int, adding added: [JSONValue]) {
    guard let edit = ScenarioEdit(file) else { return nil }
    self.edit = edit
    self.kept = kept
    self.added = added
  }

  /// With the actions alone: what is run to see what they send.
  package var actionsOnly: SourceFile { edited(added).file }

  /// With what each action sent.
  ///
  /// - Parameters:
  ///   - scenario: what `actionsOnly` says.
  ///   - trace: of a whole run of it.
  package func withExpectations(_ scenario: Scenario, _ trace: Trace) -> SourceFile {
    let sent = SentRequests(scenario, trace)
    let hadActions = edit.root["actions"]?.arrayValue?.isEmpty == false
    let spans = scenario.spans.dropFirst(kept)
    var edited = edited(zip(added, spans).map { Self.action($0, sent.drafts($1.stepIDs)) })
    if !hadActions, !edited.hasLaunch {
      edited.setLaunchSends(ListChange(added: sent.drafts(0..<1).map(\.json)))
    }
    let expected = sent.draftsAfterTheEnd.map(\.json).filter { !isExpected($0) }
    if !expected.isEmpty { edited.setExpected(ListChange(added: expected)) }
    return edited.file
  }

  private func edited(_ actions: [JSONValue]) -> ScenarioEdit {
    var edited = edit
    let count = edit.root["actions"]?.arrayValue?.count ?? 0
    let entries = (min(kept, count)..<count).map { ($0, ListChange.Entry.removed) }
    edited.setActions(
      ListChange(entries: Dictionary(uniqueKeysWithValues: entries), added: actions))
    return edited
  }

  /// What can't send anything, or says itself what it sends, stays as it is.
  private static func action(_ action: JSONValue, _ drafts: [ExpectationDraft]) -> JSONValue {
    guard var members = action.object, members["sends"] == nil,
      !silent.contains(where: { members[$0] != nil })
    else { return action }
    members["sends"] = .array(drafts.map(\.json))
    return .object(members)
  }

  private static let silent = ["assertExists", "assertNotExists", "assertText", "expectRequests"]

  /// Whether `expected` has this pattern already, whatever its count.
  private func isExpected(_ draft: JSONValue) -> Bool {
    func pattern(_ value: JSONValue) -> JSONObject? {
      var members = value.object
      members?["count"] = nil
      return members
    }
    return edit.root["expected"]?.arrayValue?.contains { pattern(JSONValue($0)) == pattern(draft) }
      ?? false
  }
}

/// What a run sent that has to be named, by the actions that caused it.
private struct SentRequests {
  private let volatile: VolatileParameters
  private let requests: [RecordedRequest]
  private let events: [RecordedEvent]
  /// The ids of the launch and of the actions; the end of the app has another.
  private let actions: Range<Int>

  init(_ scenario: Scenario, _ trace: Trace) {
    volatile = VolatileParameters(scenario.volatileParameters)
    requests = Verification(scenario: scenario).accounted(in: trace)
    events = Verification.events(of: scenario, in: trace).map { tracked in
      let layout = scenario.layout(of: tracked.event)
      // One run doesn't tell what varies.
      let outline = EventOutline(tracked.event, layout) { name, value in
        let text = value.string ?? value.number?.text ?? ""
        return !VolatileLook.isVolatile(name: name, value: text, sentAt: trace.startDate)
      }
      return RecordedEvent(tracked, outline)
    }
    actions = 0..<scenario.steps.count + 1
  }

  func drafts(_ ids: Range<Int>) -> [ExpectationDraft] {
    let events = events.filter { $0.action.map(ids.contains) ?? false }
    let sent = ids.flatMap { id in requests.filter { $0.action == id } }
    return ExpectationDraft.drafts(of: sent, ignoring: volatile)
      + ExpectationDraft.drafts(of: events.map(\.outline), among: events.map(\.event))
  }

  /// With the counts of the whole run, since `expected` counts everything.
  var draftsAfterTheEnd: [ExpectationDraft] {
    func isLate(_ action: Int?) -> Bool { !(action.map(actions.contains) ?? false) }
    let late = requests.filter { isLate($0.action) }
    let patterns = ExpectationDraft.drafts(of: late, ignoring: volatile).map(\.pattern)
    return ExpectationDraft.drafts(of: requests, ignoring: volatile).filter {
      patterns.contains($0.pattern)
    }
      + ExpectationDraft.drafts(
        of: events.filter { isLate($0.action) }.map(\.outline), among: events.map(\.event))
  }
}
