import JSON

/// What `equalToJson` compares with: JSON in which a string may be a placeholder of JsonUnit.
package indirect enum WantedJSON: Sendable {
  /// No list, and no object.
  case scalar(JSONValue)
  case placeholder(JSONPlaceholder)
  case array([WantedJSON])
  /// No key is there twice.
  case object([(key: String, value: WantedJSON)])
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

  var text: String {
    switch self {
    case .ignore: "#{json-unit.ignore}"
    case .anyString: "#{json-unit.any-string}"
    case .anyNumber: "#{json-unit.any-number}"
    case .anyBoolean: "#{json-unit.any-boolean}"
    case .regex(let pattern): "#{json-unit.regex}\(pattern.pattern)"
    }
  }
}

extension WantedJSON {
  /// A value that was captured, without placeholders.
  ///
  /// An object that has a key twice is compared by its last value, which a request with two can't equal.
  package init(exactly value: JSONValue) {
    switch value {
    case .array(let elements): self = .array(elements.map { WantedJSON(exactly: $0) })
    case .object(let object):
      let members = object.sortedMembers
      self = .object(
        members.indices.filter { index in
          index + 1 == members.count || !members[index].key.hasSameBytes(as: members[index + 1].key)
        }.map { (members[$0].key, WantedJSON(exactly: members[$0].value)) })
    default: self = .scalar(value)
    }
  }

  /// Compact JSON, keys as they are written.
  package var text: String { json.text() }

  /// The value, placeholders as they are written.
  private var json: JSONValue {
    switch self {
    case .scalar(let value): value
    case .placeholder(let placeholder): .string(placeholder.text)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.json) }))
    }
  }

  var hasPlaceholder: Bool {
    switch self {
    case .scalar: false
    case .placeholder: true
    case .array(let elements): elements.contains(where: \.hasPlaceholder)
    case .object(let members): members.contains(where: \.value.hasPlaceholder)
    }
  }

  /// Whether it is this value, its lists in their order, and has no placeholder.
  func isSame(as value: JSONValue) -> Bool {
    switch (self, value) {
    case (.scalar(let wanted), _): wanted == value
    case (.array(let wanted), .array(let got)):
      wanted.count == got.count && zip(wanted, got).allSatisfy { $0.isSame(as: $1) }
    case (.object(let wanted), .object(let got)):
      wanted.count == got.count
        && wanted.allSatisfy { key, wanted in got[key].map { wanted.isSame(as: $0) } ?? false }
    default: false
    }
  }

  var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .scalar, .placeholder: false
    }
  }
}
