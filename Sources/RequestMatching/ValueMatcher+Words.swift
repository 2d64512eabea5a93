import JSON

extension ValueMatcher {
  /// What a value must be, as findings show it: the value itself, or a condition in words; `nil`:
  /// absent.
  package var description: String? {
    switch self {
    case .equalTo(let text, _): text
    case .equalToBytes(let bytes): URLDifferences.text(bytes[...])
    case .equalToJson(let wanted, _): wanted.text
    case .absent: nil
    default: condition
    }
  }

  /// Whether `description` is the value itself rather than a condition in words.
  package var isValue: Bool {
    switch self {
    case .equalTo, .equalToBytes, .equalToJson: true
    default: false
    }
  }

  /// What a value must be, as words that follow the name of its place: `contains "x"`.
  package var condition: String {
    switch self {
    case .equalTo(let text, let isCaseInsensitive):
      "is \"\(text)\"" + (isCaseInsensitive ? " in capitals or not" : "")
    case .equalToBytes(let bytes): "is \"\(URLDifferences.text(bytes[...]))\""
    case .contains(let text): "contains \"\(text)\""
    case .doesNotContain(let text): "does not contain \"\(text)\""
    case .matches(let pattern): "matches \(pattern.pattern)"
    case .doesNotMatch(let pattern): "does not match \(pattern.pattern)"
    case .absent: "is absent"
    case .equalToJson(let wanted, _) where !wanted.value.isContainer && !wanted.hasPlaceholder:
      "is \(wanted.text)"
    case .equalToJson(let wanted, let comparison): "is the JSON \(wanted.text)\(comparison.words)"
    case .matchesJsonPath(let path, nil): "has \(path.text)"
    case .matchesJsonPath(let path, let matcher?): "at \(path.text) \(matcher.condition)"
    case .and(let matchers): matchers.map(\.operand).joined(separator: " and ")
    case .or(let matchers): matchers.map(\.operand).joined(separator: " or ")
    case .not(let matcher): "not (\(matcher.condition))"
    case .hasExactly(let matchers): "has exactly these values: \(Self.values(matchers))"
    case .includes(let matchers): "has these values, maybe among others: \(Self.values(matchers))"
    case .sameAs(let name, nil): "is the same as in the latest earlier \"\(name)\""
    case .sameAs(let name, let known?): "\(known.condition), as in \"\(name)\""
    }
  }

  private static func values(_ matchers: [ValueMatcher]) -> String {
    matchers.map { matcher in
      if case .equalTo(let text, caseInsensitive: false) = matcher { return "\"\(text)\"" }
      return "one that \(matcher.condition)"
    }.joined(separator: ", ")
  }

  /// The condition as a part of another one, in brackets where it has parts itself.
  private var operand: String {
    switch self {
    case .and, .or: "(\(condition))"
    default: condition
    }
  }
}

extension JSONComparison {
  /// ` in any order`, where lists are compared so; and that more may be there.
  fileprivate var words: String {
    (ignoresArrayOrder ? " in any order" : "") + (ignoresExtraElements ? ", maybe with more" : "")
  }
}

extension ValueMatcher {
  /// Whether all that a path found is right.
  ///
  /// As in WireMock, `null` counts as nothing, and `equalToJson` gets what a path that isn't singular
  /// finds as a list.
  static func matches(
    _ values: [JSONValue], of path: JSONPath, _ matcher: ValueMatcher?
  ) throws(MatchingDoubt) -> Bool {
    let isNothing = values.allSatisfy(\.isNull)
    guard let matcher else { return !isNothing }
    if case .sameAs(_, let known) = matcher {
      return try known.map { matcher throws(MatchingDoubt) in try matches(values, of: path, matcher)
      }
        ?? false
    }
    if case .equalToJson = matcher, !path.isSingular {
      return try matcher.matches(MatchedValue(partOfJSON: .array(values)))
    }
    if isNothing, matcher.matchesNothingFound { return true }
    for value in values where try !matcher.matches(MatchedValue(partOfJSON: value)) { return false }
    return !values.isEmpty
  }

  /// Whether it is right that a path finds nothing, which other conditions don't speak of: what
  /// mustn't contain a text must be there.
  var matchesNothingFound: Bool {
    switch self {
    case .absent: true
    case .or(let matchers): matchers.contains(where: \.matchesNothingFound)
    case .and(let matchers): matchers.allSatisfy(\.matchesNothingFound)
    default: false
    }
  }
}

extension MatchedValue {
  /// As differences show it.
  var text: String { bytes.map { URLDifferences.text($0[...]) } ?? "" }
}

extension JSONValue {
  package var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
