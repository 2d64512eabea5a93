import JSON

/// Patterns whose `sameAs` matchers refer to what other expectations counted.
extension RequestPattern {
  /// The names of the expectations that it refers to.
  package var sameAsNames: Set<String> {
    let named = (queryParameters + headers + cookies).map(\.matcher)
    return Set((named + bodyPatterns + (event?.conditions ?? []).map(\.matcher)).flatMap(\.names))
  }

  /// The pattern without the matchers that refer to others: all that they match, this matches.
  package var withoutSameAs: RequestPattern {
    var pattern = self
    pattern.queryParameters.removeAll { !$0.matcher.names.isEmpty }
    pattern.headers.removeAll { !$0.matcher.names.isEmpty }
    pattern.cookies.removeAll { !$0.matcher.names.isEmpty }
    pattern.bodyPatterns.removeAll { !$0.names.isEmpty }
    pattern.event?.conditions.removeAll { !$0.matcher.names.isEmpty }
    // What is allowed besides is told by all names that are written.
    if !queryParameters.allSatisfy(\.matcher.names.isEmpty) { pattern.allowsOtherParameters = true }
    return pattern
  }

  /// The pattern with the values that the others had; a matcher that refers to one without a value matches
  /// nothing.
  ///
  /// - Parameter earlier: the latest request that an expectation counted before; `nil` where none came.
  package func resolved(by earlier: (String) -> MatchableRequest?) -> RequestPattern {
    func resolve(
      _ matchers: [NamedMatcher], _ values: (MatchableRequest, String) -> [[UInt8]]
    ) -> [NamedMatcher] {
      matchers.map { named in
        let matcher = named.matcher.resolved { name in
          earlier(name).map { .texts(values($0, named.name)) }
        }
        return NamedMatcher(name: named.name, matcher: matcher)
      }
    }
    var pattern = self
    pattern.queryParameters = resolve(queryParameters) { $0.values(ofParameter: Array($1.utf8)) }
    pattern.headers = resolve(headers) { $0.values(ofHeader: $1) }
    pattern.cookies = resolve(cookies) { $0.values(ofCookie: $1) }
    pattern.bodyPatterns = bodyPatterns.map { matcher in
      matcher.resolved { name in earlier(name).map { .texts([$0.decodedBody.bytes]) } }
    }
    for (index, condition) in (event?.conditions ?? []).enumerated() {
      pattern.event?.conditions[index].matcher = condition.matcher.resolved { name in
        let values = earlier(name)?.event.map { try? condition.path.values(in: $0.value) }
        return values.flatMap { $0 }.map { .json($0) }
      }
    }
    return pattern
  }
}

/// What stood at the place of a matcher in an earlier request.
private enum EarlierValues {
  case texts([[UInt8]])
  case json([JSONValue])

  /// What a path finds in it.
  func values(at path: JSONPath) -> EarlierValues? {
    let roots: [JSONValue] =
      switch self {
      case .texts(let texts): texts.compactMap { JSONValue(body: $0) }
      case .json(let values): values.map(\.meant)
      }
    var found: [JSONValue] = []
    for root in roots {
      guard let values = try? path.values(in: root) else { return nil }
      found += values
    }
    return .json(found)
  }

  /// What matches just these values; `nil` where there are none.
  func matcher(isSingular: Bool) -> ValueMatcher? {
    switch self {
    case .texts(let texts):
      let matchers = texts.map { bytes -> ValueMatcher in
        let text = String(validating: bytes, as: UTF8.self)
        return text.map { .equalTo($0, caseInsensitive: false) } ?? .equalToBytes(bytes)
      }
      return matchers.count > 1 ? .hasExactly(matchers) : matchers.first
    case .json(let values) where values.allSatisfy(\.isNull): return nil
    case .json(let values):
      let parts = values.map(\.meant)
      return .equalToJson(
        WantedJSON(exactly: isSingular && parts.count == 1 ? parts[0] : .array(parts)),
        JSONComparison(ignoreArrayOrder: false, ignoreExtraElements: false))
    }
  }
}

extension ValueMatcher {
  /// The names that `sameAs` has in it.
  fileprivate var names: [String] {
    if case .sameAs(let name, _) = self { return [name] }
    return parts.flatMap(\.names)
  }

  /// - Parameters:
  ///   - isSingular: whether its place is one at which there is one value at most.
  ///   - place: what stood at its place in what an expectation counted.
  fileprivate func resolved(
    isSingular: Bool = true, _ place: (String) -> EarlierValues?
  ) -> ValueMatcher {
    // Not even a negation may hold of what isn't known.
    let replaced = replaced(isSingular, place)
    return replaced.unknown.map { .sameAs($0) } ?? replaced
  }

  private var unknown: String? {
    if case .sameAs(let name, nil) = self { return name }
    return parts.lazy.compactMap(\.unknown).first
  }

  private func replaced(
    _ isSingular: Bool, _ place: (String) -> EarlierValues?
  ) -> ValueMatcher {
    func replaced(_ matchers: [ValueMatcher]) -> [ValueMatcher] {
      matchers.map { $0.replaced(isSingular, place) }
    }
    switch self {
    case .sameAs(let name, _):
      return .sameAs(name, place(name)?.matcher(isSingular: isSingular))
    case .matchesJsonPath(let path, let matcher?):
      return .matchesJsonPath(
        path, matcher.replaced(path.isSingular) { place($0)?.values(at: path) })
    case .and(let matchers): return .and(replaced(matchers))
    case .or(let matchers): return .or(replaced(matchers))
    case .not(let matcher): return .not(matcher.replaced(isSingular, place))
    case .hasExactly(let matchers): return .hasExactly(replaced(matchers))
    case .includes(let matchers): return .includes(replaced(matchers))
    default: return self
    }
  }
}

extension JSONValue {
  /// The JSON that it holds where it is a string that holds some; itself otherwise.
  var meant: JSONValue { (try? MatchedValue(partOfJSON: self).json()) ?? self }
}
