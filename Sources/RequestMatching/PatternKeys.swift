import JSON

/// A place in a request or an event, in which patterns that ask for it are looked up.
///
/// A class because each of very many keys has one.
final class RequestPlace: Sendable {
  indirect enum Kind: Sendable {
    case url
    case queryParameter([UInt8])
    case queryParameterNames
    case header(String)
    case headerNames
    case cookie(String)
    case body
    /// What a path finds in the body or in the event, as text.
    case texts(JSONPath)
    /// The same as `JSONHash`.
    case identities(JSONPath)
    /// The names of the members of the objects that a path finds.
    case memberNames(JSONPath)
    /// The texts in another place, in small letters.
    case lowercased(Kind)
    /// The same where all of them are ASCII; nobody can tell where they aren't, since other letters are
    /// equal to those of ASCII where an expression ignores case.
    case lowercasedASCII(Kind)

    /// Whether it is text that a path finds.
    var isOfPath: Bool {
      switch self {
      case .texts: true
      case .lowercased(let kind), .lowercasedASCII(let kind): kind.isOfPath
      default: false
      }
    }
  }

  let kind: Kind
  /// Equal for equal places.
  let identity: [UInt8]

  init(_ kind: Kind) {
    self.kind = kind
    identity = Self.identity(of: kind)
  }

  private static func identity(of kind: Kind) -> [UInt8] {
    switch kind {
    case .url: [0]
    case .queryParameter(let name): [1] + name
    case .queryParameterNames: [2]
    case .header(let name): [3] + Array(name.utf8)
    case .headerNames: [4]
    case .cookie(let name): [5] + Array(name.utf8)
    case .body: [6]
    case .texts(let path): [7] + path.identity
    case .identities(let path): [8] + path.identity
    case .memberNames(let path): [9] + path.identity
    case .lowercased(let kind): [10] + identity(of: kind)
    case .lowercasedASCII(let kind): [11] + identity(of: kind)
    }
  }
}

/// What a pattern expects in one place.
///
/// Hashes are enough: who looks a pattern up tries it as well.
struct PatternKey: Hashable, Sendable {
  let place: RequestPlace
  /// How many bytes the text has that must be a part of what is there; 0: it is all of it.
  let partLength: Int
  let hash: UInt64

  init(_ place: RequestPlace.Kind, _ text: some Collection<UInt8>) {
    self.init(place, hash: Self.hash(of: Array(text)))
  }

  init(_ place: RequestPlace.Kind, hash: UInt64) {
    self.place = RequestPlace(place)
    partLength = 0
    self.hash = hash
  }

  private init(_ place: RequestPlace, part: ArraySlice<UInt8>) {
    self.place = place
    partLength = part.count
    hash = part.reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.hash == right.hash && left.partLength == right.partLength
      && left.place.identity == right.place.identity
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  static func hash(of text: [UInt8]) -> UInt64 { text.withUnsafeBufferPointer(ByteTable.hash) }

  static let longestPart = 8
  /// Of a longer text so many parts are looked at.
  private static let partLimit = 500

  /// The keys of a text that must be a part of what is there.
  static func parts(of text: [UInt8], in kind: RequestPlace.Kind) -> [PatternKey] {
    let length = min(longestPart, text.count)
    guard length > 0 else { return [] }
    let place = RequestPlace(kind)
    let step = max(1, text.count / partLimit)
    return stride(from: 0, through: text.count - length, by: step).map {
      PatternKey(place, part: text[$0..<$0 + length])
    }
  }
}

/// What everything has that a pattern matches.
enum PatternNeed: Sendable {
  case key(PatternKey)
  /// Alternatives, each with all that is needed by it; none of them is without a need.
  case any([[PatternNeed]])

  /// - Parameter sides: what is needed by each alternative; nothing is by all, where one needs nothing.
  static func alternatives(_ sides: [[PatternNeed]]) -> [PatternNeed] {
    sides.isEmpty || sides.contains { $0.isEmpty } ? [] : [.any(sides)]
  }

  var keys: [PatternKey] {
    switch self {
    case .key(let key): [key]
    case .any(let sides): sides.flatMap { $0.flatMap(\.keys) }
    }
  }

  /// The keys of the need that is met by fewest others: one key, or one for each alternative.
  static func rarest(
    of needs: [PatternNeed], by rank: (PatternKey) -> (Int, Int)
  ) -> (keys: [PatternKey], rank: (Int, Int)) {
    var rarest = (keys: [PatternKey](), rank: (Int.max, 0))
    for need in needs {
      var found: (keys: [PatternKey], rank: (Int, Int))
      switch need {
      case .key(let key): found = ([key], rank(key))
      case .any(let sides):
        found = ([], (0, 0))
        for side in sides.map({ Self.rarest(of: $0, by: rank) }) {
          found.keys += side.keys
          found.rank = (found.rank.0 + side.rank.0, found.rank.1 + side.rank.1)
        }
      }
      if found.rank < rarest.rank { rarest = found }
    }
    return rarest
  }
}

extension RequestPattern {
  /// What everything has that the pattern matches, besides the place that its target says.
  var needs: [PatternNeed] {
    if let event {
      return event.conditions.flatMap { $0.matcher.needs(ofAllAt: $0.path) }
    }
    var needs: [PatternNeed] = []
    switch target {
    case .urlPattern(let pattern)?, .urlPathPattern(let pattern)?:
      needs += ValueMatcher.matches(pattern).needs(at: .url)
    case .url?, .urlPath?, nil: break
    }
    for parameter in queryParameters {
      let name = Array(parameter.name.utf8)
      needs += parameter.matcher.needs(
        named: name, at: .queryParameter(name), .queryParameterNames)
    }
    for header in headers {
      let name = header.name.lowercased()
      needs += header.matcher.needs(named: Array(name.utf8), at: .header(name), .headerNames)
    }
    for cookie in cookies { needs += cookie.matcher.needs(at: .cookie(cookie.name)) }
    return needs + bodyPatterns.flatMap(\.needsOfBody)
  }
}

extension RequestPattern {
  /// What everything has that the pattern doesn't match though its target and its method are right, or in
  /// which one of its paths finds nothing.
  ///
  /// - Returns: nothing where that can't be told.
  var needsToFail: [PatternNeed] {
    if let event {
      return PatternNeed.alternatives(
        event.conditions.map { condition in
          guard condition.path.hasIdentity else { return [] }
          let place = RequestPlace.Kind.texts(condition.path)
          return condition.matcher.needsToFail(MatchedValue(nil)) { $0.needs(at: place) }
        })
    }
    guard scheme == nil, host == nil, port == nil, allowsOtherParameters else { return [] }
    func needs(_ matcher: NamedMatcher, _ place: RequestPlace.Kind) -> [PatternNeed] {
      matcher.matcher.needsToFail(MatchedValue(nil)) { $0.needs(at: place) }
    }
    let noBody = MatchedValue(bodyOf: MatchableRequest(method: nil, url: ""))
    return PatternNeed.alternatives(
      queryParameters.map { needs($0, .queryParameter(Array($0.name.utf8))) }
        + headers.map { needs($0, .header($0.name.lowercased())) }
        + cookies.map { needs($0, .cookie($0.name)) }
        + bodyPatterns.map { $0.needsToFail(noBody) { $0.needsOfBody } })
  }
}

extension ValueMatcher {
  /// What at least one text has where not all texts match.
  ///
  /// - Parameters:
  ///   - absence: what is tried where nothing was sent.
  ///   - needs: what at least one text has where it matches.
  fileprivate func needsToFail(
    _ absence: MatchedValue, _ needs: (ValueMatcher) -> [PatternNeed]
  ) -> [PatternNeed] {
    switch self {
    case .doesNotContain(let text): needs(.contains(text))
    case .doesNotMatch(let pattern): needs(.matches(pattern))
    case .not(let matcher): (try? matcher.matches(absence)) == false ? needs(matcher) : []
    case .and(let matchers):
      PatternNeed.alternatives(matchers.map { $0.needsToFail(absence, needs) })
    default: []
    }
  }

  /// Of a matcher for the values of a name.
  fileprivate func needs(
    named name: [UInt8], at place: RequestPlace.Kind, _ names: RequestPlace.Kind
  ) -> [PatternNeed] {
    // The lowercased bytes of other names needn't be those that were sent.
    let wantsOne = (try? matches(allOf: [])) == false && name.allSatisfy { $0 < 0x80 }
    return needs(at: place) + (wantsOne ? [.key(PatternKey(names, name))] : [])
  }

  /// What at least one text has, where texts match.
  fileprivate func needs(at place: RequestPlace.Kind) -> [PatternNeed] {
    func parts(of text: [UInt8]) -> [PatternNeed] {
      PatternKey.parts(of: text, in: place).map { .key($0) }
    }
    return switch self {
    case .equalTo(let text, caseInsensitive: false): [.key(PatternKey(place, Array(text.utf8)))]
    case .equalTo(let text, caseInsensitive: true):
      [.key(PatternKey(.lowercased(place), Array(text.lowercased().utf8)))]
    case .contains(let text): parts(of: Array(text.utf8))
    case .matches(let pattern): Self.needs(ofExpression: pattern.pattern, at: place)
    case .and(let matchers), .hasExactly(let matchers), .includes(let matchers):
      matchers.flatMap { $0.needs(at: place) }
    case .or(let matchers): PatternNeed.alternatives(matchers.map { $0.needs(at: place) })
    default: []
    }
  }

  private static func needs(
    ofExpression pattern: String, at place: RequestPlace.Kind
  ) -> [PatternNeed] {
    let ignoresCase = pattern.hasPrefix("(?i)")
    func needs(of part: RequiredTexts.Part) -> [PatternNeed] {
      switch part {
      case .any(let sides): return PatternNeed.alternatives(sides.map { $0.flatMap(needs) })
      case .text(let text) where !ignoresCase:
        return PatternKey.parts(of: text, in: place).map { .key($0) }
      case .text(let text):
        guard text.allSatisfy({ $0 < 0x80 }) else { return [] }
        let lowercased = Array(String(decoding: text, as: UTF8.self).lowercased().utf8)
        return PatternKey.parts(of: lowercased, in: .lowercasedASCII(place)).map { .key($0) }
      }
    }
    return RequiredTexts(of: String(pattern.dropFirst(ignoresCase ? 4 : 0))).parts
      .flatMap(needs)
  }

  fileprivate var needsOfBody: [PatternNeed] {
    switch self {
    // An empty body is one that wasn't sent.
    case .equalTo(let text, _) where text.isEmpty: []
    case .equalToJson(let wanted, let comparison):
      comparison.keys(of: wanted, at: .root).map { .key($0) }
    case .matchesJsonPath(let path, let matcher?): matcher.needs(ofAllAt: path)
    case .matchesJsonPath(let path, nil): path.keys.map { .key($0) }
    case .and(let matchers): matchers.flatMap(\.needsOfBody)
    case .or(let matchers): PatternNeed.alternatives(matchers.map(\.needsOfBody))
    default: needs(at: .body)
    }
  }

  /// Where all that a path finds matches.
  fileprivate func needs(ofAllAt path: JSONPath) -> [PatternNeed] {
    if matchesNothingFound { return [] }
    let way = path.keys.map { PatternNeed.key($0) }
    switch self {
    case .sameAs: return []
    case .equalToJson where !path.isSingular: return []
    case .equalToJson(let wanted, let comparison):
      return way + comparison.wholeKey(of: wanted, at: path).map { .key($0) }
    case .or(let matchers) where path.isSingular:
      return PatternNeed.alternatives(matchers.map { $0.needs(ofAllAt: path) })
    default: return way + (path.hasIdentity ? needs(at: .texts(path)) : [])
    }
  }
}

extension JSONComparison {
  /// What everything has that is equal to a value at a path: first what is less work to look up.
  fileprivate func keys(of wanted: WantedJSON, at path: JSONPath) -> [PatternKey] {
    var keys: [PatternKey] = []
    addParts(of: wanted, at: path, to: &keys)
    return keys + wholeKey(of: wanted, at: path)
  }

  /// Of large values the first parts are enough.
  private static let partLimit = 100

  private func addParts(of wanted: WantedJSON, at path: JSONPath, to keys: inout [PatternKey]) {
    switch wanted.value {
    case .object(let object):
      for member in object.members where keys.count < Self.partLimit {
        add(wanted.part(member.value), at: path.appending(.name(member.key)), to: &keys)
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() where keys.count < Self.partLimit {
        add(
          wanted.part(element),
          at: path.appending(ignoresArrayOrder ? .wildcard : .index(index)), to: &keys)
      }
    default: break
    }
  }

  private func add(_ wanted: WantedJSON, at path: JSONPath, to keys: inout [PatternKey]) {
    addParts(of: wanted, at: path, to: &keys)
    keys += wholeKey(of: wanted, at: path)
  }

  /// Of a value that can only be equal to one; the order of lists makes no difference to the key.
  fileprivate func wholeKey(of wanted: WantedJSON, at path: JSONPath) -> [PatternKey] {
    if wanted.hasPlaceholder || wanted.value.isContainer && ignoresExtraElements { return [] }
    return [PatternKey(.identities(path), hash: JSONHash.hash(wanted.value))]
  }
}

extension JSONPath {
  fileprivate static let root = JSONPath(segments: [])

  fileprivate func appending(_ selector: Selector) -> JSONPath {
    JSONPath(segments: segments + [Segment(isDescendant: false, selectors: [selector])])
  }

  /// What everything has in which the path finds something: the names that it leads through, and the values
  /// that its filters want.
  fileprivate var keys: [PatternKey] {
    var keys: [PatternKey] = []
    for (index, segment) in segments.enumerated() where segment.selectors.count == 1 {
      let before = JSONPath(segments: Array(segments[..<index]))
      guard before.hasIdentity else { break }
      switch segment.selectors[0] {
      case .name(let name) where !segment.isDescendant:
        keys.append(PatternKey(.memberNames(before), Array(name.utf8)))
      case .filter(.compare(.query(let query), .equal, .literal(let value))) where query.isRelative,
        .filter(.compare(.literal(let value), .equal, .query(let query))) where query.isRelative:
        let all = Segment(isDescendant: segment.isDescendant, selectors: [.wildcard])
        let path = JSONPath(segments: before.segments + [all] + query.segments)
        guard path.hasIdentity else { continue }
        keys.append(PatternKey(.identities(path), hash: JSONHash.hash(value)))
      default: break
      }
    }
    return keys
  }

  /// Whether it is told from others without a look at its filters.
  fileprivate var hasIdentity: Bool {
    segments.allSatisfy { segment in
      segment.selectors.allSatisfy { if case .filter = $0 { false } else { true } }
    }
  }

  /// The bytes of paths without filters are different.
  fileprivate var identity: [UInt8] {
    segments.flatMap { segment -> [UInt8] in
      let selectors = segment.selectors.flatMap { selector -> [UInt8] in
        switch selector {
        case .name(let name): Array("n\(name.utf8.count):\(name)".utf8)
        default: Array("\(selector);".utf8)
        }
      }
      return Array((segment.isDescendant ? ".." : ".").utf8) + selectors
    }
  }
}
