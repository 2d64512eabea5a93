import JSON

extension ValueMatcher {
  /// Whether all that a path found is right.
  ///
  /// As in WireMock, `null` counts as nothing, and `equalToJson` gets what a path that isn't singular
  /// finds as a list.
  static func matches(
    _ values: [JSONValue], of path: JSONPath, _ matcher: ValueMatcher?
  ) throws(ExpensivePattern) -> Bool {
    let isNothing = values.allSatisfy(\.isNull)
    guard let matcher else { return !isNothing }
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
  var text: String { bytes.map { URLComparison.text($0[...]) } ?? "" }
}

extension JSONValue {
  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
