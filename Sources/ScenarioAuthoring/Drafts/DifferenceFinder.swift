import JSON
import RequestMatching
import SourceText

/// Finds in which expectations a draft differs from its scenario.
struct DifferenceFinder {
  let old: JSONNode
  let new: JSONNode
  let secrets: SecretFinder
  let lint: LintPolicy

  var differences: [DraftDifference] {
    let (oldActions, newActions) = (actions(old), actions(new))
    let isLaunchNew = newActions.first?["launch"] != nil && oldActions.first?["launch"] == nil
    let launch =
      isLaunchNew
      ? sends(nil, newActions.first.flatMap { $0["sends"] }, at: .launch, causesOne: true) : []
    let rest = isLaunchNew ? Array(newActions.dropFirst()) : newActions
    return volatileParameters + launch + ofActions(oldActions, rest, [])
      + ofList(old["expected"], new["expected"], at: .expected, causesOne: false)
  }

  private func actions(_ node: JSONNode) -> [JSONNode] { node["actions"]?.arrayValue ?? [] }

  private func ofActions(
    _ old: [JSONNode], _ new: [JSONNode], _ path: ScenarioEdit.ActionPath
  ) -> [DraftDifference] {
    zip(old, new).enumerated().flatMap { index, pair -> [DraftDifference] in
      let (path, old, new) = (path + [index], pair.0, pair.1)
      let place = DraftPlace.action(path: path, title: DraftPlace.title(of: old))
      let causesOne = old["repeat"] == nil && old["use"] == nil
      return ofActions(actions(old), actions(new), path)
        + sends(old["sends"], new["sends"], at: place, causesOne: causesOne)
    }
  }

  private var volatileParameters: [DraftDifference] {
    let known = old["volatileParameters"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let names = new["volatileParameters"]?.arrayValue?.compactMap(\.stringValue) ?? []
    return names.filter { !known.contains($0) }.map {
      DraftDifference(place: .volatileParameters, change: .added(.string($0)))
    }
  }

  private func sends(
    _ old: JSONNode?, _ new: JSONNode?, at place: DraftPlace, causesOne: Bool
  ) -> [DraftDifference] {
    guard old == nil, new?.arrayValue?.isEmpty == true else {
      return ofList(old, new, at: place, causesOne: causesOne)
    }
    return [DraftDifference(place: place, change: .sendsNothing)]
  }

  /// - Parameter causesOne: whether one action of a user has sent what the list names.
  private func ofList(
    _ old: JSONNode?, _ new: JSONNode?, at place: DraftPlace, causesOne: Bool
  ) -> [DraftDifference] {
    let lists = [old, new].map { ($0?.arrayValue ?? []).map { JSONValue($0) } }
    return Self.changes(from: lists[0], to: lists[1]).map { change, index in
      DraftDifference(
        place: place, change: change, index: index, concerns: concerns(change, causesOne))
    }
  }

  /// What differs between two lists of expectations, whatever their order: what is gone or changed with its
  /// index in the old one, then what is added.
  static func changes(
    from old: [JSONValue], to new: [JSONValue]
  ) -> [(change: DraftDifference.Change, index: Int?)] {
    let pairs = Pairing(old, new, by: [differInCount, haveSameAddress])
    let changes = old.indices.filter { pairs.partners[$0] != old[$0] }.map {
      index -> (change: DraftDifference.Change, index: Int?) in
      let partner = pairs.partners[index]
      return (partner.map { .changed(from: old[index], to: $0) } ?? .removed(old[index]), index)
    }
    return changes + pairs.rest.map { (.added($0), nil) }
  }

  private static func differInCount(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard var left = left.object, var right = right.object else { return false }
    (left["count"], right["count"]) = (nil, nil)
    return left == right
  }

  /// Whether both ask for the same method and the same URL up to its query, or for the same event.
  private static func haveSameAddress(_ left: JSONValue, _ right: JSONValue) -> Bool {
    if let event = left["event"] { return event == right["event"] }
    guard let leftURL = left["url"]?.string, let rightURL = right["url"]?.string else {
      return false
    }
    return left["method"]?.string ?? "GET" == right["method"]?.string ?? "GET"
      && RequestURL(leftURL).upToPath == RequestURL(rightURL).upToPath
  }

  private func concerns(
    _ change: DraftDifference.Change, _ causesOne: Bool
  ) -> [DraftDifference.Concern] {
    let value: JSONValue
    switch change {
    case .added(let added): value = added
    case .changed(_, let changed): value = changed
    case .removed, .sendsNothing: return []
    }
    var concerns: [DraftDifference.Concern] = []
    if causesOne, let count = value["count"]?.int, count > 1 {
      concerns.append(.sentTwice(count: count))
    }
    let names = secrets.names(in: value)
    if !names.isEmpty { concerns.append(.secrets(names)) }
    let hits = Self.lint(value).filter { lint[$0.rule] != .off }
    return concerns + (hits.isEmpty ? [] : [.lint(hits)])
  }

  /// What is wrong with a URL or an event, whatever is expected.
  private static func lint(_ expectation: JSONValue) -> [LintHit] {
    var hits: [LintHit] = []
    if let url = expectation["url"]?.string, !url.hasPrefix("/") {
      hits += Lint().hits(in: RequestURL(unescaped(url)))
    }
    for condition in expectation["where"]?.object?.members ?? [] {
      // An object is a matcher.
      guard let text = condition.value.string else { continue }
      hits += Lint().hits(inEvent: .object([condition.key: .string(unescaped(text))]))
    }
    return hits
  }

  /// `$${` stands for `${`; what is a variable has a value of its own in each case.
  private static func unescaped(_ text: String) -> String {
    text.replacing(/(\$?)\$\{[^}]*\}/) { match in
      match.1.isEmpty ? "x" : String(match.0.dropFirst())
    }
  }
}

/// Takes what varies out of an expectation.
enum VolatileMarking {
  /// - Parameter name: of a query parameter; or the place of a member of a body or an event, as
  ///   `$.events[0].id`.
  static func without(_ name: String, in expectation: JSONValue) -> JSONValue {
    guard var object = expectation.object else { return expectation }
    if name.hasPrefix("$"), let members = object["where"]?.object {
      let path = String(name.drop { "$.".contains($0) })
      let kept = JSONObject(members.members.filter { $0.key != path })
      object["where"] = kept.isEmpty ? nil : .object(kept)
    } else if name.hasPrefix("$") {
      object["bodyPatterns"] = object["bodyPatterns"]?.array.map {
        .array(
          $0.map { matcher in
            matcher.mapMembers { $0 == "equalToJson" ? replaced($1, at: "$", name) : $1 }
          })
      }
    } else if let url = object["url"]?.string {
      let stripped = VolatileParameters([name]).removed(from: RequestURL(url))
      object["url"] = .string(stripped.text)
    }
    return .object(object)
  }

  /// The value with a placeholder in place of what has the name.
  private static func replaced(_ value: JSONValue, at path: String, _ name: String) -> JSONValue {
    if path == name { return JSONPlaceholders.kind(of: value) }
    guard let elements = value.array else {
      return value.mapMembers { replaced($1, at: "\(path).\($0)", name) }
    }
    return .array(elements.enumerated().map { replaced($1, at: "\(path)[\($0)]", name) })
  }
}
