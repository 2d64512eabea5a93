import Synchronization

/// Many patterns that are tried on many requests: what can be looked up is not tried one by one.
///
/// A class because its many tables would be retained and released for each request.
package final class PatternSet: Sendable {
  private let patterns: [RequestPattern]
  private let volatile: VolatileParameters
  private let tables: PatternTables
  /// By the numbers that the tables have.
  private let groups: [PatternGroup]
  /// Those that have to be looked at for each request.
  private let others: PatternGroup
  /// By the name of their event.
  private let ofEvents: [String: PatternGroup]

  package init(_ patterns: [RequestPattern], ignoring volatile: VolatileParameters) {
    self.patterns = patterns
    self.volatile = volatile
    var groups: [PatternGroup] = []
    tables = PatternTables(patterns, volatile) { indices, isDecided in
      groups.append(PatternGroup(indices, of: patterns, isDecided: isDecided))
      return groups.count - 1
    }
    self.groups = groups
    others = PatternGroup(tables.others, of: patterns, isDecided: false)
    let events = patterns.indices.filter { patterns[$0].event != nil }
    ofEvents = Dictionary(grouping: events) { patterns[$0].event?.name ?? "" }
      .mapValues { PatternGroup($0, of: patterns, isDecided: false) }
  }

  /// Calls with the index of each pattern that matches.
  ///
  /// - Parameters:
  ///   - url: the bytes of the request's URL.
  ///   - isGet: whether the request's method is `GET`, which can be told without making the request.
  ///   - request: makes the request for patterns that ask for more than the URL; called once at most.
  ///   - match: gets the index, and `nil` or why it can't be told whether the pattern matches.
  package func forEachMatch(
    url: UnsafeBufferPointer<UInt8>, isGet: Bool, request: () -> MatchableRequest,
    _ match: (Int, MatchingDoubt?) -> Void
  ) {
    var made: MatchableRequest?
    func visit(_ group: PatternGroup) {
      for index in group.decided { match(index, nil) }
      if isGet { for index in group.decidedForGet { match(index, nil) } }
      if group.others.isEmpty { return }
      let candidate = made ?? request()
      made = candidate
      tryPatterns(of: group, candidate, match)
    }
    lookUp(url) { visit(groups[$0]) }
    visit(others)
  }

  /// Calls with the index of each pattern that matches an event.
  ///
  /// - Parameter request: stands for the event.
  package func forEachMatch(
    ofEvent request: MatchableRequest, _ match: (Int, MatchingDoubt?) -> Void
  ) {
    guard let name = request.event?.name, let group = ofEvents[name] else { return }
    tryPatterns(of: group, request, match)
  }

  private func tryPatterns(
    of group: PatternGroup, _ request: MatchableRequest, _ match: (Int, MatchingDoubt?) -> Void
  ) {
    let candidates =
      group.lookup?.candidates(for: request, of: patterns, ignoring: volatile) ?? group.others
    for index in candidates {
      do throws(MatchingDoubt) {
        try MatchingStop.check()
        if try patterns[index].matches(request, ignoring: volatile) { match(index, nil) }
      } catch {
        match(index, error)
      }
    }
  }

  /// Calls with each group that can match by its target.
  private func lookUp(_ url: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Void) {
    if tables.hasOnlyURLs { return tables.urls.find(url, found) }
    let parts = URLParts(of: url)
    let relative = relativeBytes(url, parts)
    let query = parts.query.map { UnsafeBufferPointer(rebasing: url[$0]) }
    tables.paths.find(.init(rebasing: url[parts.path]), query, found)
    tables.absolutePaths.find(.init(rebasing: url[..<parts.path.upperBound]), query, found)
    var tried: [Int] = []
    findExpressions(url, relative) { group in
      tried.append(group)
      found(group)
    }
    let hasStripped = volatile.withRemoved(from: url, parts) { stripped in
      let parts = URLParts(of: stripped)
      lookUpURL(stripped, parts, found)
      // An expression may match with the volatile parameters or without.
      findExpressions(stripped, relativeBytes(stripped, parts)) { group in
        if !tried.contains(group) { found(group) }
      }
    }
    if !hasStripped { lookUpURL(url, parts, found) }
  }

  private func findExpressions(
    _ url: UnsafeBufferPointer<UInt8>, _ relative: UnsafeBufferPointer<UInt8>,
    _ found: (Int) -> Void
  ) {
    tables.expressions.find(url, found)
    tables.relativeExpressions.find(relative, found)
  }

  /// Path and query.
  private func relativeBytes(
    _ url: UnsafeBufferPointer<UInt8>, _ parts: URLParts
  ) -> UnsafeBufferPointer<UInt8> {
    .init(rebasing: url[parts.path.lowerBound..<(parts.query ?? parts.path).upperBound])
  }

  private func lookUpURL(
    _ url: UnsafeBufferPointer<UInt8>, _ parts: URLParts, _ found: (Int) -> Void
  ) {
    tables.urls.find(url, found)
    tables.relativeURLs.find(relativeBytes(url, parts), found)
  }
}

/// Patterns that are found together.
private struct PatternGroup: Sendable {
  /// Those that match whatever is found by their target.
  private(set) var decided: [Int] = []
  /// Those that do where the method is `GET`.
  private(set) var decidedForGet: [Int] = []
  /// Those that ask for more.
  private(set) var others: [Int] = []
  /// Where they are many.
  let lookup: PatternLookup?

  /// - Parameter isDecided: whether what is found has their target.
  init(_ indices: [Int], of patterns: [RequestPattern], isDecided: Bool) {
    for index in indices {
      switch patterns[index].conditions {
      case .none where isDecided: decided.append(index)
      case .isGet where isDecided: decidedForGet.append(index)
      case .none, .isGet, .others: others.append(index)
      }
    }
    lookup = others.count > PatternLookup.threshold ? PatternLookup(others) : nil
  }
}

/// Many patterns, indexed once it pays: an index costs as much as some requests that are tried on all.
private final class PatternLookup: Sendable {
  static let threshold = 16
  private let indices: [Int]
  private let state = Mutex<(visits: Int, index: PatternIndex?)>((0, nil))

  init(_ indices: [Int]) {
    self.indices = indices
  }

  func candidates(
    for request: MatchableRequest, of patterns: [RequestPattern],
    ignoring volatile: VolatileParameters
  ) -> [Int] {
    let index = state.withLock { state in
      state.visits += 1
      if state.index == nil, state.visits > Self.threshold {
        state.index = PatternIndex(indices, of: patterns)
      }
      return state.index
    }
    return index?.candidates(for: request, ignoring: volatile) ?? indices
  }
}

/// What a pattern asks for besides its target.
private enum Conditions {
  case none
  case isGet
  case others
}

extension RequestPattern {
  fileprivate var conditions: Conditions {
    guard
      scheme == nil && host == nil && port == nil && queryParameters.isEmpty
        && allowsOtherParameters && headers.isEmpty && cookies.isEmpty && bodyPatterns.isEmpty
    else { return .others }
    switch method {
    case nil, "ANY": return .none
    case "GET": return .isGet
    default: return .others
    }
  }
}
