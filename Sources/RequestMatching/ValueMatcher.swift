/// Decides about one text: a parameter's value, a header's, a body.
package enum ValueMatcher: Sendable {
  case equalTo(String, caseInsensitive: Bool)
  case contains(String)
  case doesNotContain(String)
  case matches(TextPattern)
  case doesNotMatch(TextPattern)
  case absent
  case equalToJson(JSONBody, JSONComparison)
}

extension ValueMatcher {
  /// Whether a value matches; `nil` is one that was not sent.
  package func matches(_ value: [UInt8]?) throws(ExpensivePattern) -> Bool {
    try matches(value, json: { value.flatMap { JSONBody(parsing: $0) } })
  }

  /// Whether any of the values matches; a value that was not sent matches nothing but `absent`.
  func matches(anyOf values: [[UInt8]]) throws(ExpensivePattern) -> Bool {
    if values.isEmpty { return try matches(nil) }
    for value in values where try matches(value) { return true }
    return false
  }

  /// - Parameter json: the value read as JSON, for who has it already.
  func matches(
    _ value: [UInt8]?, json: () -> JSONBody?
  ) throws(ExpensivePattern) -> Bool {
    guard let value else {
      if case .absent = self { return true }
      return false
    }
    switch self {
    case .equalTo(let text, caseInsensitive: false): return text.utf8.elementsEqual(value)
    case .equalTo(let text, caseInsensitive: true):
      return text.lowercased().hasSameBytes(
        as: String(decoding: value, as: UTF8.self).lowercased())
    case .contains(let text): return value.contains(bytesOf: text)
    case .doesNotContain(let text): return !value.contains(bytesOf: text)
    case .matches(let pattern): return try pattern.matches(value)
    case .doesNotMatch(let pattern): return try !pattern.matches(value)
    case .absent: return false
    case .equalToJson(let wanted, let comparison):
      return json().map { comparison.matches(wanted, $0) } ?? false
    }
  }

  /// What a value must be, as findings show it; `nil`: absent.
  package var description: String? {
    switch self {
    case .equalTo(let text, _): text
    case .contains(let text): "contains \"\(text)\""
    case .doesNotContain(let text): "does not contain \"\(text)\""
    case .matches(let pattern): "matches \(pattern.pattern)"
    case .doesNotMatch(let pattern): "does not match \(pattern.pattern)"
    case .absent: nil
    case .equalToJson(let wanted, _): wanted.text
    }
  }

  /// What a value must be, without the value.
  package var hiddenDescription: String {
    switch self {
    case .equalTo(let text, _): "is \(Credentials.masked(text))"
    case .contains(let text): "contains \(Credentials.masked(text))"
    case .doesNotContain(let text): "does not contain \(Credentials.masked(text))"
    case .matches(let pattern): "matches \(Credentials.masked(pattern.pattern))"
    case .doesNotMatch(let pattern): "does not match \(Credentials.masked(pattern.pattern))"
    case .absent: "is absent"
    case .equalToJson: "is a JSON text"
    }
  }

  /// Whether `description` is the value itself rather than a condition in words.
  package var isValue: Bool {
    switch self {
    case .equalTo, .equalToJson: true
    default: false
    }
  }
}

extension [UInt8] {
  fileprivate func contains(bytesOf text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    var rest = self[...]
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: wanted) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
