import JSON

/// What an event must look like.
package struct EventPattern: Sendable {
  /// A part of the event: its path, as it is written and as it is evaluated, and what all that it finds
  /// must be.
  package struct Condition: Sendable {
    package var key: String
    package var path: JSONPath
    package var matcher: ValueMatcher

    package init(key: String, path: JSONPath, matcher: ValueMatcher) {
      self.key = key
      self.path = path
      self.matcher = matcher
    }
  }

  package var name: String
  /// The decoder; any where absent.
  package var decoder: String?
  package var conditions: [Condition]

  package init(name: String, decoder: String? = nil, conditions: [Condition] = []) {
    self.name = name
    self.decoder = decoder
    self.conditions = conditions
  }

  /// The path of a key of `where`, which is written without `$.`.
  package static func path(_ key: String) throws(JSONPathError) -> JSONPath {
    try JSONPath(key.hasPrefix("[") ? "$" + key : "$." + key)
  }

  package func matches(_ event: AnalyticsEvent) throws(MatchingDoubt) -> Bool {
    guard name.hasSameBytes(as: event.name), decoder?.hasSameBytes(as: event.decoder) ?? true else {
      return false
    }
    for condition in conditions where try !condition.holds(in: event.value) { return false }
    return true
  }

  /// What of the event isn't as it should be; empty where it matches.
  package func differences(from event: AnalyticsEvent) throws(MatchingDoubt) -> [Difference] {
    var differences: [Difference] = []
    if !name.hasSameBytes(as: event.name) {
      differences.append(Difference(part: .eventName, wanted: name, got: event.name))
    }
    for condition in conditions where try !condition.holds(in: event.value) {
      let found = try condition.path.values(in: event.value).map { $0.text() }
      differences.append(
        Difference(
          part: .eventMember(condition.key), wanted: condition.matcher.wantedJSON,
          got: found.isEmpty ? nil : found.joined(separator: ", "),
          isCondition: !condition.matcher.isValue))
    }
    return differences
  }

  /// The pattern in one line.
  package var text: String {
    let place = decoder.map { " in \($0)" } ?? ""
    let conditions = conditions.map { "\($0.key) \($0.matcher.condition)" }
    return "event \"\(name)\"\(place)"
      + (conditions.isEmpty ? "" : " where " + conditions.joined(separator: " and "))
  }
}

extension ValueMatcher {
  /// A value as JSON, since a member of an event has a type; a condition in words.
  fileprivate var wantedJSON: String? {
    if case .equalTo(let text, _) = self { return JSONValue.string(text).text() }
    return description
  }
}

extension EventPattern.Condition {
  fileprivate func holds(in event: JSONValue) throws(MatchingDoubt) -> Bool {
    try ValueMatcher.matches(path.values(in: event), of: path, matcher)
  }
}
