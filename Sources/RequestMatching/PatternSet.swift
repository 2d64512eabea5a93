/// Many patterns that are tried on many requests: what can be looked up is not tried one by one.
package struct PatternSet: Sendable {
  private let patterns: [RequestPattern]
  private let volatile: VolatileParameters
  /// Whole URLs, without volatile parameters.
  private var urls = ByteTable()
  /// Path and query, the same.
  private var relativeURLs = ByteTable()
  private var paths = PathTable()
  /// Everything before the query.
  private var absolutePaths = PathTable()
  private var expressions = PrefixTable()
  private var relativeExpressions = PrefixTable()
  /// What has to be tried on each request.
  private var others: [Int] = []
  /// Whether the target alone decides.
  private let isTargetOnly: [Bool]

  package init(_ patterns: [RequestPattern], ignoring volatile: VolatileParameters) {
    self.patterns = patterns
    self.volatile = volatile
    isTargetOnly = patterns.map(\.isTargetOnly)
    for (index, pattern) in patterns.enumerated() { add(pattern, index) }
  }

  /// Whether the bytes of the URL are all that is looked up.
  private var hasOnlyURLs: Bool {
    volatile.isEmpty && relativeURLs.isEmpty && paths.isEmpty && absolutePaths.isEmpty
      && expressions.isEmpty && relativeExpressions.isEmpty
  }

  private mutating func add(_ pattern: RequestPattern, _ index: Int) {
    switch pattern.target {
    case .url(let url):
      let url = volatile.removed(from: RequestURL(url))
      if url.bytes.first == UInt8(ascii: "/") {
        relativeURLs.add(index, for: url.bytes)
      } else {
        urls.add(index, for: url.bytes)
      }
    case .urlPath(let path) where path.utf8.first == UInt8(ascii: "/"):
      paths.add(index, path: Array(path.utf8), pattern.queryParameters)
    case .urlPath(let path):
      absolutePaths.add(index, path: Array(path.utf8), pattern.queryParameters)
    case .urlPattern(let text):
      if RegularExpressionSyntax.beginsWithSlash(text.pattern) {
        relativeExpressions.add(index, for: text.literalPrefix)
      } else {
        expressions.add(index, for: text.literalPrefix)
      }
    default: others.append(index)
    }
  }

  /// Calls with the index of each pattern that matches.
  ///
  /// - Parameters:
  ///   - url: the bytes of the request's URL.
  ///   - request: makes the request for patterns that ask for more than the URL; called once at most.
  ///   - match: gets the index, and `nil` or why it can't be told whether the pattern matches.
  package func forEachMatch(
    url: UnsafeBufferPointer<UInt8>, request: () -> MatchableRequest,
    _ match: (Int, ExpensivePattern?) -> Void
  ) {
    var made: MatchableRequest?
    func tryPattern(_ index: Int) {
      let candidate = made ?? request()
      made = candidate
      do throws(ExpensivePattern) {
        if try patterns[index].matches(candidate, ignoring: volatile) { match(index, nil) }
      } catch {
        match(index, error)
      }
    }
    lookUp(url) { index, isDecided in
      if isDecided, isTargetOnly[index] { match(index, nil) } else { tryPattern(index) }
    }
    for index in others { tryPattern(index) }
  }

  /// Calls with each pattern that can match, and whether its target does.
  private func lookUp(_ url: UnsafeBufferPointer<UInt8>, _ found: (Int, Bool) -> Void) {
    if hasOnlyURLs { return urls.find(url) { found($0, true) } }
    let parts = URLParts(of: url)
    let relative = relativeBytes(url, parts)
    let query = parts.query.map { UnsafeBufferPointer(rebasing: url[$0]) }
    paths.find(.init(rebasing: url[parts.path]), query) { found($0, true) }
    absolutePaths.find(.init(rebasing: url[..<parts.path.upperBound]), query) { found($0, true) }
    findExpressions(url, relative, except: [], found)
    let hasStripped = volatile.withRemoved(from: url, parts) { stripped in
      let parts = URLParts(of: stripped)
      lookUpURL(stripped, parts, found)
      // An expression may match with the volatile parameters or without.
      findExpressions(stripped, relativeBytes(stripped, parts), except: tried(url, relative), found)
    }
    if !hasStripped { lookUpURL(url, parts, found) }
  }

  private func findExpressions(
    _ url: UnsafeBufferPointer<UInt8>, _ relative: UnsafeBufferPointer<UInt8>,
    except tried: [Int], _ found: (Int, Bool) -> Void
  ) {
    expressions.find(url) { if !tried.contains($0) { found($0, false) } }
    relativeExpressions.find(relative) { if !tried.contains($0) { found($0, false) } }
  }

  private func tried(
    _ url: UnsafeBufferPointer<UInt8>, _ relative: UnsafeBufferPointer<UInt8>
  ) -> [Int] {
    var tried: [Int] = []
    findExpressions(url, relative, except: []) { index, _ in tried.append(index) }
    return tried
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
    urls.find(url) { found($0, true) }
    relativeURLs.find(relativeBytes(url, parts)) { found($0, true) }
  }
}

extension RequestPattern {
  fileprivate var isTargetOnly: Bool {
    (method == nil || method == "ANY") && scheme == nil && host == nil && port == nil
      && queryParameters.isEmpty && headers.isEmpty && cookies.isEmpty && bodyPatterns.isEmpty
  }
}
