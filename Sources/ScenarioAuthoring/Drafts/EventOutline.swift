import JSON
import RequestMatching
import ScenarioCore

/// What of an event an expectation says, member by member.
struct EventOutline: Sendable, Equatable {
  let decoder: String
  let name: String
  /// By their JSONPaths without `$.`.
  private(set) var members: JSONObject = [:]

  /// - Parameters:
  ///   - layout: of its decoder. What makes no difference, and what is the event's id, time or name, isn't
  ///     said; nor is an empty object, which `where` has no word for.
  ///   - isSaid: whether a member with this name and this value is said.
  init(
    _ event: AnalyticsEvent, _ layout: EventLayout?,
    where isSaid: (_ name: String, _ value: JSONValue) -> Bool = { _, _ in true }
  ) {
    decoder = event.decoder
    name = event.name
    let known = (layout?.name ?? []) + (layout?.time ?? []) + [layout?.id].compactMap(\.self)
    let unsaid = Set(known.compactMap(\.names))
    func add(_ value: JSONValue, _ names: [String]?, _ path: String, _ name: String) {
      if let names, unsaid.contains(names) { return }
      switch value {
      case .object(let object):
        for member in object.members {
          let inner = names.map { $0 + [member.key] }
          add(
            member.value, inner, path + Self.segment(member.key, isFirst: path.isEmpty), member.key)
        }
      case .array(let elements) where elements.contains { $0.array != nil || $0.object != nil }:
        for (index, element) in elements.enumerated() {
          add(element, nil, path + "[\(index)]", name)
        }
      default: if isSaid(name, value) { members.append(path, value) }
      }
    }
    add(Self.content(of: event, layout), [], "", "")
  }

  /// Where a request is one event, its URL says the same as its query, and headers say nothing of it.
  private static func content(of event: AnalyticsEvent, _ layout: EventLayout?) -> JSONValue {
    guard case .request? = layout?.events else { return event.essence }
    return [
      "query": event.essence["query"],
      "body": event.essence["body"].flatMap { $0.isNull ? nil : $0 },
    ]
  }

  /// A name as JSONPath has it (RFC 9535, 2.5.1): in quotes where it isn't a word.
  private static func segment(_ name: String, isFirst: Bool) -> String {
    let isWord =
      name.first.map { $0.isLetter || $0 == "_" } == true
      && name.allSatisfy { $0.isLetter || $0 == "_" || $0.isASCII && $0.isNumber }
    if isWord { return isFirst ? name : "." + name }
    let escaped = name.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "['\(escaped)']"
  }

  /// What both say.
  func common(_ other: EventOutline) -> EventOutline {
    var common = self
    common.members = JSONObject(members.members.filter { other.members[$0.key] == $0.value })
    return common
  }

  /// Those of a first run with what the second has in common with them, in their order.
  ///
  /// - Returns: `nil` where the second tracked other events.
  static func common(_ first: [EventOutline], _ second: [EventOutline]) -> [EventOutline]? {
    let pairs = Pairing(first, second, by: [{ $0.name == $1.name && $0.decoder == $1.decoder }])
    guard pairs.rest.isEmpty, !pairs.partners.contains(nil) else { return nil }
    return zip(first, pairs.partners).map { outline, other in
      other.map(outline.common) ?? outline
    }
  }

  // MARK: - As a pattern

  /// As an expectation says it; of its strings `${` is written as `$${`.
  var json: JSONObject {
    var pattern: JSONObject = [
      "event": .string(RequestOutline.escaped(name)),
      "in": .string(RequestOutline.escaped(decoder)),
    ]
    if !members.isEmpty { pattern["where"] = RequestOutline.escaped(.object(members)) }
    return pattern
  }

  /// The same as it is read from a scenario.
  var pattern: EventPattern {
    let exactly = JSONComparison(ignoreArrayOrder: false, ignoreExtraElements: false)
    let conditions = members.members.compactMap { member in
      (try? EventPattern.path(member.key)).map { path in
        EventPattern.Condition(
          key: member.key, path: path,
          matcher: .equalToJson(WantedJSON(exactly: member.value), exactly))
      }
    }
    return EventPattern(name: name, decoder: decoder, conditions: conditions)
  }
}

extension ExpectationDraft {
  /// Equal events are one draft, which counts all that it matches.
  ///
  /// - Parameter all: what may count.
  static func drafts(
    of outlines: [EventOutline], among all: [AnalyticsEvent]
  ) -> [ExpectationDraft] {
    var drafts: [ExpectationDraft] = []
    for outline in outlines where !drafts.contains(where: { $0.pattern == outline.json }) {
      let pattern = outline.pattern
      let count = all.count { (try? pattern.matches($0)) ?? false }
      drafts.append(ExpectationDraft(pattern: outline.json, count: count))
    }
    return drafts
  }
}

extension Scenario {
  func layout(of event: AnalyticsEvent) -> EventLayout? {
    decoders.first { $0.name == event.decoder }?.layout
  }
}
