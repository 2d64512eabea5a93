import JSON

/// What `equalToJson` compares with: JSON in which a string may be a placeholder of JsonUnit.
package struct WantedJSON: Sendable {
  /// Placeholders begin with `#`; no object has a key twice.
  let value: JSONValue
  /// The strings in it that are placeholders.
  private let placeholders: [ByteText: JSONPlaceholder]

  init(_ value: JSONValue, placeholders: [ByteText: JSONPlaceholder]) {
    self.value = value
    self.placeholders = placeholders
  }

  /// A value that was captured, without placeholders.
  ///
  /// An object that has a key twice is compared by its last value, which a request with two can't equal.
  package init(exactly value: JSONValue) {
    self.init(value.withLastOfEachKey, placeholders: [:])
  }

  /// A value in it.
  func part(_ value: JSONValue) -> WantedJSON { WantedJSON(value, placeholders: placeholders) }

  /// Compact JSON, keys as they are written.
  package var text: String { value.text() }

  /// What it is itself, if it is one.
  var placeholder: JSONPlaceholder? {
    guard !placeholders.isEmpty, case .string(let text) = value else { return nil }
    return placeholders[ByteText(text)]
  }

  var hasPlaceholder: Bool {
    if placeholders.isEmpty { return false }
    return switch value {
    case .array(let elements): elements.contains { part($0).hasPlaceholder }
    case .object(let object): object.members.contains { part($0.value).hasPlaceholder }
    default: placeholder != nil
    }
  }

  /// Whether it is this value, its lists in their order, and has no placeholder.
  func isSame(as other: JSONValue) -> Bool { value == other && !hasPlaceholder }
}

extension JSONValue {
  /// The same with sorted keys, each once.
  fileprivate var withLastOfEachKey: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.withLastOfEachKey))
    case .object(let object):
      var members = JSONObject()
      for member in object.sortedMembers { members[member.key] = member.value.withLastOfEachKey }
      return .object(members)
    default: return self
    }
  }
}

/// Any value of a kind. A member that a placeholder stands for must be there.
package enum JSONPlaceholder: Sendable {
  case ignore, anyString, anyNumber, anyBoolean
  case regex(TextPattern)

  /// By what stands between `#{json-unit.` and `}`; a regular expression follows `regex`.
  static let plain: KeyValuePairs<String, JSONPlaceholder> = [
    "ignore": .ignore, "any-string": .anyString, "any-number": .anyNumber,
    "any-boolean": .anyBoolean,
  ]
  static let names = plain.map(\.key) + ["regex"]

  func matches(_ value: JSONValue) throws(MatchingDoubt) -> Bool {
    switch (self, value) {
    case (.ignore, _), (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .bool): true
    case (.regex(let pattern), .string(let text)): try pattern.matches(text.utf8)
    default: false
    }
  }
}
