import JSON

/// Decides about one text: a parameter's value, a header's, a body.
package indirect enum ValueMatcher: Sendable {
  case equalTo(String, caseInsensitive: Bool)
  /// What was sent before and isn't UTF-8.
  case equalToBytes([UInt8])
  case contains(String)
  case doesNotContain(String)
  case matches(TextPattern)
  case doesNotMatch(TextPattern)
  case absent
  case equalToJson(WantedJSON, JSONComparison)
  /// A path finds something in JSON; or all that it finds matches.
  case matchesJsonPath(JSONPath, ValueMatcher?)
  case and([ValueMatcher])
  case or([ValueMatcher])
  case not(ValueMatcher)
  /// The values of a name are as many as these matchers, and each matcher has one of its own.
  case hasExactly([ValueMatcher])
  /// Each of these matchers has one of its own among the values of a name.
  case includes([ValueMatcher])
  /// The value that the same place had in a request which another expectation counted, the latest before
  /// this one. Nothing matches as long as that value isn't known.
  case sameAs(String, ValueMatcher? = nil)
}

extension ValueMatcher {
  /// The matchers that it is made of.
  package var parts: [ValueMatcher] {
    switch self {
    case .and(let matchers), .or(let matchers), .hasExactly(let matchers), .includes(let matchers):
      matchers
    case .not(let matcher), .matchesJsonPath(_, let matcher?), .sameAs(_, let matcher?): [matcher]
    default: []
    }
  }
}

extension ValueMatcher {
  /// Whether it, or a part of it, is met by what isn't there.
  package var isNegative: Bool {
    switch self {
    case .doesNotContain, .doesNotMatch, .absent, .not: true
    default: parts.contains(where: \.isNegative)
    }
  }

  /// Whether the body of a request matches.
  ///
  /// One that can't be decoded is tried as it was sent. What its bytes meet, it meets; but nobody knows what
  /// isn't in it.
  func matches(bodyOf request: MatchableRequest) throws(MatchingDoubt) -> Bool {
    let isMatch = try matches(MatchedValue(bodyOf: request))
    guard let problem = request.decodedBody.problem, !isMatch || isNegative else { return isMatch }
    throw .undecodableBody(problem: problem)
  }
}

/// A text that matchers are tried on.
struct MatchedValue {
  /// `nil` where nothing was sent.
  var bytes: [UInt8]?
  /// The request whose body this is; its JSON is read once for all matchers.
  var request: MatchableRequest?
  /// The value as JSON, where it is a part of one.
  private var part: Result<JSONValue, MatchingDoubt>?

  init(_ bytes: [UInt8]?) {
    self.bytes = bytes
  }

  /// A part of a JSON text: a string as what it says, anything else as JSON.
  init(partOfJSON value: JSONValue) {
    guard case .string(let text) = value else {
      bytes = value.bytes(.canonical)
      part = .success(value)
      return
    }
    bytes = Array(text.utf8)
    // A string can hold JSON; but "1" isn't 1.
    guard let first = text.utf8.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{")
        || first == UInt8(ascii: "[")
    else {
      part = .success(value)
      return
    }
    part = Result { () throws(MatchingDoubt) in try JSONValue.sent(text.utf8) ?? value }
  }

  /// A body; one that is empty was not sent.
  init(bodyOf request: MatchableRequest) {
    let body = request.decodedBody.bytes
    bytes = body.isEmpty ? nil : body
    self.request = request
  }

  var isBody: Bool { request != nil }

  /// The value as JSON; `nil` where it isn't any.
  ///
  /// - Throws: where it can't be read.
  func json() throws(MatchingDoubt) -> JSONValue? {
    if let part { return try part.get() }
    if let request { return try request.readBody.get() }
    guard let bytes else { return nil }
    return try JSONValue.sent(bytes)
  }
}

extension ValueMatcher {
  /// Whether all values of a name match: a parameter that occurs twice is right only if both are. One
  /// that doesn't occur is a value that was not sent.
  func matches(allOf values: [[UInt8]]) throws(MatchingDoubt) -> Bool {
    switch self {
    case .hasExactly(let matchers):
      guard values.count == matchers.count else { return false }
      return try Self.areIncluded(matchers, in: values)
    case .includes(let matchers): return try Self.areIncluded(matchers, in: values)
    case .sameAs(_, let known): return try known?.matches(allOf: values) ?? false
    default:
      if values.isEmpty { return try matches(MatchedValue(nil)) }
      for value in values where try !matches(MatchedValue(value)) { return false }
      return true
    }
  }

  private static func areIncluded(
    _ matchers: [ValueMatcher], in values: [[UInt8]]
  ) throws(MatchingDoubt) -> Bool {
    if matchers.count > values.count { return false }
    var edges: [[Int]] = []
    for matcher in matchers {
      var candidates: [Int] = []
      for (index, value) in values.enumerated() where try matcher.matches(MatchedValue(value)) {
        candidates.append(index)
      }
      edges.append(candidates)
    }
    return !BipartiteMatching(edges: edges, rightCount: values.count).partners.contains(nil)
  }

  func matches(_ value: MatchedValue) throws(MatchingDoubt) -> Bool {
    switch self {
    case .and(let matchers):
      for matcher in matchers where try !matcher.matches(value) { return false }
      return true
    case .or(let matchers):
      for matcher in matchers where try matcher.matches(value) { return true }
      return false
    case .not(let matcher): return try !matcher.matches(value)
    case .hasExactly, .includes: return try matches(allOf: value.bytes.map { [$0] } ?? [])
    case .sameAs(_, let known): return try known?.matches(value) ?? false
    case .matchesJsonPath(let path, let matcher):
      if value.bytes == nil { return matcher?.matchesNothingFound ?? false }
      guard let json = try value.json() else { return false }
      return try Self.matches(path.values(in: json), of: path, matcher)
    default:
      guard let bytes = value.bytes else { return matchesAbsence(ofBody: value.isBody) }
      return try matches(bytes, value)
    }
  }

  private func matches(
    _ bytes: [UInt8], _ value: MatchedValue
  ) throws(MatchingDoubt) -> Bool {
    switch self {
    case .equalTo(let text, caseInsensitive: false): text.utf8.elementsEqual(bytes)
    case .equalTo(let text, caseInsensitive: true):
      String(validating: bytes, as: UTF8.self).map {
        text.lowercased().hasSameBytes(as: $0.lowercased())
      } ?? false
    case .equalToBytes(let wanted): wanted == bytes
    case .contains(let text): bytes.contains(bytesOf: text)
    case .doesNotContain(let text): !bytes.contains(bytesOf: text)
    case .matches(let pattern): try pattern.matches(bytes)
    case .doesNotMatch(let pattern): try !pattern.matches(bytes)
    case .equalToJson(let wanted, let comparison):
      if let json = try value.json() { try comparison.matches(wanted, json) } else { false }
    case .absent, .and, .or, .not, .hasExactly, .includes, .matchesJsonPath, .sameAs: false
    }
  }

  /// Whether nothing is right, as in WireMock; an empty body is also the empty text.
  private func matchesAbsence(ofBody isBody: Bool) -> Bool {
    switch self {
    case .absent, .doesNotContain, .doesNotMatch: true
    case .equalTo(let text, _): isBody && text.isEmpty
    case .equalToBytes(let wanted): isBody && wanted.isEmpty
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
