import JSON
import RequestMatching
import ScenarioCore
import SourceText

/// A draft of a scenario that waits for review, beside the scenario: its text under a line that says of what
/// it was made.
package struct PendingDraft: Sendable {
  package static let suffix = ScenarioDecoder.draftSuffix

  /// The scenario as it would be.
  package var file: SourceFile
  /// Of the scenario that it was made from; `nil` where the first line doesn't say.
  package var scenarioHash: UInt64?
  /// Whether it is as it was drafted.
  package var isUnchanged: Bool

  private static let opening = "// A draft: look at it with scenario-run review."

  /// The bytes of a draft.
  ///
  /// - Parameter scenario: what it was made from.
  package static func bytes(of draft: SourceFile, madeFrom scenario: SourceFile) -> [UInt8] {
    Array("\(opening) (\(hash(scenario.bytes)) \(hash(draft.bytes)))\n".utf8) + draft.bytes
  }

  /// Reads what is in a draft's file.
  package init(_ whole: SourceFile) {
    let end = whole.bytes.firstIndex(of: UInt8(ascii: "\n")) ?? whole.bytes.count
    let line = String(decoding: whole.bytes[..<end], as: UTF8.self)
    guard line.hasPrefix(Self.opening) else {
      (file, scenarioHash, isUnchanged) = (whole, nil, false)
      return
    }
    let words = line.dropFirst(Self.opening.count).split { " ()\r".contains($0) }
    let bytes = Array(whole.bytes[min(end + 1, whole.bytes.count)...])
    file = SourceFile(path: whole.path, bytes: bytes)
    scenarioHash = words.first.flatMap { UInt64($0, radix: 16) }
    isUnchanged = words.count == 2 && String(words[1]) == Self.hash(bytes)
  }

  /// Whether a scenario is still what the draft was made from.
  package func isMade(from scenario: SourceFile) -> Bool {
    scenarioHash == StableHash.of(scenario.bytes)
  }

  /// The same draft for a scenario to which something was added since: what `play` saves.
  ///
  /// - Returns: the bytes, empty where nothing is left to decide; `nil` where the draft doesn't only add
  ///   expectations of the whole scenario.
  package func moved(from old: SourceFile, to new: SourceFile) -> [UInt8]? {
    guard isUnchanged, let edit = ScenarioEdit(new),
      let review = try? DraftReview(of: self, for: old, secrets: SecretFinder()),
      review.differences.allSatisfy(\.isOfWhole)
    else { return nil }
    let known = (edit.root["expected"]?.arrayValue ?? []).map { JSONValue($0) }
    let left = review.differences.filter { difference in
      if case .added(let value) = difference.change { !known.contains(value) } else { true }
    }
    return left.isEmpty ? [] : Self.bytes(of: DraftReview.applying(left, to: edit), madeFrom: new)
  }

  private static func hash(_ bytes: [UInt8]) -> String {
    var hash = StableHash()
    hash.add(bytes)
    return hash.text
  }
}

/// Where in a scenario something is drafted.
package enum DraftPlace: Sendable, Equatable {
  case launch
  /// With the verb and its value, or the action's name.
  case action(path: ScenarioEdit.ActionPath, title: String)
  case expected
  case volatileParameters

  static func title(of action: JSONNode) -> String {
    if let name = action["name"]?.stringValue { return name }
    guard let verb = action.objectValue?.first else { return "action" }
    let value = verb.value
    return [verb.key, value.stringValue ?? value.numberText].compactMap(\.self)
      .joined(separator: " ")
  }
}

/// One difference between a scenario and its draft, which can be decided on by itself.
package struct DraftDifference: Sendable {
  package enum Change: Sendable, Equatable {
    /// An entry of a list, or a name.
    case added(JSONValue)
    case removed(JSONValue)
    case changed(from: JSONValue, to: JSONValue)
    /// An empty `sends` where there was none.
    case sendsNothing
  }

  /// What should be looked at before it is accepted.
  package enum Concern: Sendable, Equatable {
    /// One action sends the same request more than once.
    case sentTwice(count: Int)
    /// The names of what holds a secret.
    case secrets([String])
    /// What no tracker should get.
    case lint([LintHit])
  }

  /// From 1, in the order of the file.
  package var number = 0
  package var place: DraftPlace
  package var change: Change
  /// The entry's index in the list that is there; `nil` for what is added.
  var index: Int?
  package var concerns: [Concern] = []
  /// What is decided; `nil` where nobody has.
  package internal(set) var decision: DraftReview.Decision?
  /// Whether it is there because somebody has marked a parameter as volatile.
  var isMarked = false
}

/// A draft with what is decided on its differences.
package struct DraftReview: Sendable {
  package enum Decision: String, Sendable, CaseIterable {
    case accept, reject, skip
  }

  /// Why a draft can't be reviewed.
  package enum Problem: Error, Sendable {
    /// The scenario isn't what the draft was made from.
    case scenarioChanged
    /// The draft differs in more than expectations, or can't be read.
    case otherChanges
  }

  private let scenario: ScenarioEdit
  package private(set) var differences: [DraftDifference] = []

  /// - Parameters:
  ///   - secrets: what should not be in a scenario.
  ///   - lint: which rules are looked at.
  package init(
    of draft: PendingDraft, for scenario: SourceFile, secrets: SecretFinder,
    lint: LintPolicy = LintPolicy()
  ) throws(Problem) {
    guard draft.isMade(from: scenario) else { throw .scenarioChanged }
    try self.init(of: draft.file, for: scenario, secrets: secrets, lint: lint)
  }

  /// - Parameter draft: the scenario as it would be.
  package init(
    of draft: SourceFile, for scenario: SourceFile, secrets: SecretFinder,
    lint: LintPolicy = LintPolicy()
  ) throws(Problem) {
    guard let old = ScenarioEdit(scenario), let new = ScenarioEdit(draft) else {
      throw .otherChanges
    }
    self.scenario = old
    let finder = DifferenceFinder(old: old.root, new: new.root, secrets: secrets, lint: lint)
    differences = finder.differences
    for index in differences.indices { differences[index].number = index + 1 }
    // All of them together must be all there is.
    guard let whole = ScenarioEdit(applying(differences)), whole.root.isSame(as: new.root) else {
      throw .otherChanges
    }
  }

  /// - Parameter number: a difference's; nothing happens where it is none.
  package mutating func decide(_ decision: Decision, on number: Int) {
    let place = differences.firstIndex { $0.number == number }
    if let place { differences[place].decision = decision }
  }

  /// The differences with this decision. An undecided one counts as skipped; but a parameter that was marked
  /// as volatile is set aside as soon as any difference is accepted.
  package func differences(_ decision: Decision) -> [DraftDifference] {
    let isAnyAccepted = differences.contains { $0.decision == .accept }
    return differences.filter {
      ($0.decision ?? ($0.isMarked && isAnyAccepted ? .accept : .skip)) == decision
    }
  }

  /// Changes what is drafted, so that something varies.
  ///
  /// - Parameter name: a query parameter, which is then set aside in all differences; or the place of a
  ///   body's member, as `$.events[0].id`, in the difference of that number.
  package mutating func markVolatile(_ name: String, in number: Int) {
    let isParameter = !name.hasPrefix("$")
    for place in differences.indices where isParameter || differences[place].number == number {
      switch differences[place].change {
      case .added(let value):
        differences[place].change = .added(VolatileMarking.without(name, in: value))
      case .changed(let old, let new):
        differences[place].change = .changed(from: old, to: VolatileMarking.without(name, in: new))
      case .removed, .sendsNothing: break
      }
    }
    let addition = DraftDifference.Change.added(.string(name))
    let isKnown = differences.contains {
      $0.place == .volatileParameters && $0.change == addition
    }
    guard isParameter, !isKnown else { return }
    let number = (differences.map(\.number).max() ?? 0) + 1
    differences.append(
      DraftDifference(number: number, place: .volatileParameters, change: addition, isMarked: true))
  }

  /// The scenario with some of the differences.
  package func applying(_ chosen: [DraftDifference]) -> SourceFile {
    Self.applying(chosen, to: scenario)
  }

  fileprivate static func applying(
    _ chosen: [DraftDifference], to scenario: ScenarioEdit
  ) -> SourceFile {
    var edit = scenario
    var places: [DraftPlace] = []
    for place in chosen.map(\.place) where !places.contains(place) { places.append(place) }
    // Last, since it moves the other actions.
    if let launch = places.firstIndex(of: .launch) { places.append(places.remove(at: launch)) }
    for place in places {
      let change = Self.change(chosen.filter { $0.place == place })
      switch place {
      case .action(let path, _): edit.setSends(change, ofActionAt: path)
      case .expected: edit.setExpected(change)
      case .launch: edit.setLaunchSends(change)
      case .volatileParameters: edit.addVolatileParameters(change.added.compactMap(\.string))
      }
    }
    return edit.file
  }

  private static func change(_ differences: [DraftDifference]) -> ListChange {
    var change = ListChange()
    for difference in differences {
      switch (difference.change, difference.index) {
      case (.added(let value), _): change.added.append(value)
      case (.removed, let index?): change.entries[index] = .removed
      case (.changed(let old, let new), let index?): change.entries[index] = entry(old, new)
      default: break
      }
    }
    return change
  }

  private static func entry(_ old: JSONValue, _ new: JSONValue) -> ListChange.Entry {
    guard let count = new["count"]?.int, var rest = old.object, rest["count"] != nil else {
      return .replaced(new)
    }
    rest["count"] = .integer(count)
    return .object(rest) == new ? .counted(count) : .replaced(new)
  }
}

extension DraftDifference {
  /// Whether it adds to what is expected of the scenario as a whole.
  fileprivate var isOfWhole: Bool {
    guard case .added = change else { return false }
    return place == .expected || place == .volatileParameters
  }
}

extension JSONNode {
  /// Whether both say the same, their entries of lists of expectations in whatever order.
  fileprivate func isSame(as other: JSONNode) -> Bool {
    JSONValue(self).withSortedExpectations("") == JSONValue(other).withSortedExpectations("")
  }
}

extension JSONValue {
  /// - Parameter key: of the member that the value is of.
  fileprivate func withSortedExpectations(_ key: String) -> JSONValue {
    switch self {
    case .array(let elements) where ["expected", "sends", "volatileParameters"].contains(key):
      .array(elements.sorted { $0.text(.canonical) < $1.text(.canonical) })
    case .array(let elements): .array(elements.map { $0.withSortedExpectations("") })
    case .object: mapMembers { $1.withSortedExpectations($0) }
    case .null, .bool, .number, .string: self
    }
  }
}
