import JSON
import Synchronization

/// Many patterns that are tried on many requests: what can be looked up is not tried one by one.
///
/// A class because its many tables would be retained and released for each request.
package final class PatternSet: Sendable {
  private let patterns: [PreparedPattern]
  private let volatile: VolatileParameters
  private let tables: PatternTables
  /// By the numbers that the tables have.
  private let groups: [PatternGroup]
  /// Those that have to be looked at for each request.
  private let others: PatternGroup
  /// By their event.
  private let ofEvents: [EventKey: PatternGroup]

  private struct EventKey: Hashable {
    var name: ByteText
    /// Any where absent.
    var decoder: ByteText?
  }

  package init(_ patterns: [RequestPattern], ignoring volatile: VolatileParameters) {
    self.patterns = patterns.map(PreparedPattern.init)
    self.volatile = volatile
    var groups: [PatternGroup] = []
    tables = PatternTables(patterns, volatile) { indices, isDecided in
      groups.append(PatternGroup(indices, of: patterns, isDecided: isDecided))
      return groups.count - 1
    }
    self.groups = groups
    others = PatternGroup(tables.others, of: patterns, isDecided: false)
    let events = patterns.indices.filter { patterns[$0].event != nil }
    ofEvents = Dictionary(grouping: events) { index in
      let event = patterns[index].event
      return EventKey(name: ByteText(event?.name ?? ""), decoder: event?.decoder.map(ByteText.init))
    }.mapValues { PatternGroup($0, of: patterns, isDecided: false) }
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
    guard let event = request.event else { return }
    for decoder in [nil, ByteText(event.decoder)] {
      guard let group = ofEvents[EventKey(name: ByteText(event.name), decoder: decoder)] else {
        continue
      }
      tryPatterns(of: group, request, match)
    }
  }

  private func tryPatterns(
    of group: PatternGroup, _ request: MatchableRequest, _ match: (Int, MatchingDoubt?) -> Void
  ) {
    func tryPattern(_ index: Int) {
      do throws(MatchingDoubt) {
        try MatchingStop.check()
        if try patterns[index].pattern.matches(request, ignoring: volatile) { match(index, nil) }
      } catch {
        match(index, error)
      }
    }
    guard let index = group.lookup?.index(of: patterns) else {
      for index in group.others { tryPattern(index) }
      return
    }
    index.forEachCandidate(for: request, ignoring: volatile) { index, isCertain in
      if isCertain { match(index, nil) } else { tryPattern(index) }
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

/// A pattern that isn't copied for each request that it is tried on.
final class PreparedPattern: Sendable {
  let pattern: RequestPattern

  init(_ pattern: RequestPattern) { self.pattern = pattern }
}

/// Patterns that are found together; a class for the same reason.
private final class PatternGroup: Sendable {
  /// Those that match whatever is found by their target.
  let decided: [Int]
  /// Those that do where the method is `GET`.
  let decidedForGet: [Int]
  /// Those that ask for more.
  let others: [Int]
  /// Where they are many.
  let lookup: PatternLookup?

  /// - Parameter isDecided: whether what is found has their target.
  init(_ indices: [Int], of patterns: [RequestPattern], isDecided: Bool) {
    let ofConditions = Dictionary(grouping: indices) {
      isDecided ? patterns[$0].conditions : .others
    }
    decided = ofConditions[.none] ?? []
    decidedForGet = ofConditions[.isGet] ?? []
    others = ofConditions[.others] ?? []
    lookup =
      others.count > PatternLookup.threshold ? PatternLookup(others, isDecided: isDecided) : nil
  }
}

/// Many patterns, indexed once it pays: an index costs as much as some requests that are tried on all.
private final class PatternLookup: Sendable {
  static let threshold = 16
  private let indices: [Int]
  private let isDecided: Bool
  private let state = Mutex<(visits: Int, index: PatternIndex?)>((0, nil))

  init(_ indices: [Int], isDecided: Bool) {
    self.indices = indices
    self.isDecided = isDecided
  }

  /// - Returns: `nil` as long as it isn't worth it.
  func index(of patterns: [PreparedPattern]) -> PatternIndex? {
    state.withLock { state in
      state.visits += 1
      if state.index == nil, state.visits > Self.threshold {
        state.index = PatternIndex(indices, of: patterns, isDecided: isDecided)
      }
      return state.index
    }
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
