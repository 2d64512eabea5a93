/// Many patterns that are tried on many requests: what can be looked up is not tried one by one.
///
/// A class because its many tables would be retained and released for each request.
package final class PatternSet: Sendable {
  private let patterns: [RequestPattern]
  private let volatile: VolatileParameters
  private let tables: PatternTables
  /// What each pattern asks for besides its target.
  private let conditions: [Conditions]

  package init(_ patterns: [RequestPattern], ignoring volatile: VolatileParameters) {
    self.patterns = patterns
    self.volatile = volatile
    conditions = patterns.map(\.conditions)
    tables = PatternTables(patterns, volatile)
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
    func tryPattern(_ index: Int) {
      let candidate = made ?? request()
      made = candidate
      do throws(MatchingDoubt) {
        if try patterns[index].matches(candidate, ignoring: volatile) { match(index, nil) }
      } catch {
        match(index, error)
      }
    }
    lookUp(url) { index, isDecided in
      switch conditions[index] {
      case .none where isDecided: match(index, nil)
      case .isGet where isDecided: if isGet { match(index, nil) }
      case .none, .isGet, .others: tryPattern(index)
      }
    }
    for index in tables.others { tryPattern(index) }
  }

  /// Calls with each pattern that can match, and whether its target does.
  private func lookUp(_ url: UnsafeBufferPointer<UInt8>, _ found: (Int, Bool) -> Void) {
    if tables.hasOnlyURLs { return tables.urls.find(url) { found($0, true) } }
    let parts = URLParts(of: url)
    let relative = relativeBytes(url, parts)
    let query = parts.query.map { UnsafeBufferPointer(rebasing: url[$0]) }
    tables.paths.find(.init(rebasing: url[parts.path]), query) { found($0, true) }
    tables.absolutePaths.find(.init(rebasing: url[..<parts.path.upperBound]), query) {
      found($0, true)
    }
    var tried: [Int] = []
    findExpressions(url, relative) { index in
      tried.append(index)
      found(index, false)
    }
    let hasStripped = volatile.withRemoved(from: url, parts) { stripped in
      let parts = URLParts(of: stripped)
      lookUpURL(stripped, parts, found)
      // An expression may match with the volatile parameters or without.
      findExpressions(stripped, relativeBytes(stripped, parts)) { index in
        if !tried.contains(index) { found(index, false) }
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
    _ url: UnsafeBufferPointer<UInt8>, _ parts: URLParts, _ found: (Int, Bool) -> Void
  ) {
    tables.urls.find(url) { found($0, true) }
    tables.relativeURLs.find(relativeBytes(url, parts)) { found($0, true) }
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
