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

/// A text that matchers are tried on.
struct MatchedValue {
  /// `nil` where nothing was sent.
  var bytes: [UInt8]?
  /// The request whose body this is; its JSON is read once for all matchers.
  var request: MatchableRequest?

  init(_ bytes: [UInt8]?) {
    self.bytes = bytes
  }

  /// A body; one that is empty was not sent.
  init(bodyOf request: MatchableRequest) {
    bytes = request.body.flatMap { $0.isEmpty ? nil : $0 }
    self.request = request
  }

  var isBody: Bool { request != nil }

  var json: JSONBody? {
    if let request { return request.bodyJSON }
    return bytes.flatMap { JSONBody(parsing: $0) }
  }
}

extension ValueMatcher {
  /// Whether all values of a name match: a parameter that occurs twice is right only if both are. One
  /// that doesn't occur is a value that was not sent.
  func matches(allOf values: [[UInt8]]) throws(ExpensivePattern) -> Bool {
    if values.isEmpty { return try matches(MatchedValue(nil)) }
    for value in values where try !matches(MatchedValue(value)) { return false }
    return true
  }

  func matches(_ value: MatchedValue) throws(ExpensivePattern) -> Bool {
    guard let bytes = value.bytes else { return matchesAbsence(ofBody: value.isBody) }
    switch self {
    case .equalTo(let text, caseInsensitive: false): return text.utf8.elementsEqual(bytes)
    case .equalTo(let text, caseInsensitive: true):
      return text.lowercased().hasSameBytes(
        as: String(decoding: bytes, as: UTF8.self).lowercased())
    case .contains(let text): return bytes.contains(bytesOf: text)
    case .doesNotContain(let text): return !bytes.contains(bytesOf: text)
    case .matches(let pattern): return try pattern.matches(bytes)
    case .doesNotMatch(let pattern): return try !pattern.matches(bytes)
    case .absent: return false
    case .equalToJson(let wanted, let comparison):
      return value.json.map { comparison.matches(wanted, $0) } ?? false
    }
  }

  /// Whether nothing is right, as in WireMock; an empty body is also the empty text.
  private func matchesAbsence(ofBody isBody: Bool) -> Bool {
    switch self {
    case .absent, .doesNotContain, .doesNotMatch: true
    case .equalTo(let text, _): isBody && text.isEmpty
    case .contains, .matches, .equalToJson: false
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

  /// Whether `description` is the value itself rather than a condition in words.
  package var isValue: Bool {
    switch self {
    case .equalTo, .equalToJson: true
    default: false
    }
  }
}

extension [UInt8] {
  /// Knuth, Morris and Pratt: each byte is looked at twice at most, whatever the text is.
  fileprivate func contains(bytesOf text: String) -> Bool {
    let wanted = Array(text.utf8)
    if wanted.isEmpty { return true }
    var borders = [0]
    borders.reserveCapacity(wanted.count)
    var length = 0
    for byte in wanted.dropFirst() {
      while length > 0, wanted[length] != byte { length = borders[length - 1] }
      if wanted[length] == byte { length += 1 }
      borders.append(length)
    }
    length = 0
    for byte in self {
      while length > 0, wanted[length] != byte { length = borders[length - 1] }
      if wanted[length] == byte { length += 1 }
      if length == wanted.count { return true }
    }
    return false
  }
}
