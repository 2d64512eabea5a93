/// Many patterns that are tried on many requests: what can be looked up is not tried one by one.
package struct PatternSet: Sendable {
  private let patterns: [RequestPattern]
  private let volatile: VolatileParameters
  /// Whole URLs, without volatile parameters.
  private var urls = ByteTable()
  /// Path and query, the same.
  private var relativeURLs = ByteTable()
  private var paths = ByteTable()
  /// Everything before the query.
  private var absolutePaths = ByteTable()
  /// What has to be tried on each request.
  private var others: [Int] = []
  /// Whether the target alone decides.
  private let isTargetOnly: [Bool]

  package init(_ patterns: [RequestPattern], ignoring volatile: VolatileParameters) {
    self.patterns = patterns
    self.volatile = volatile
    isTargetOnly = patterns.map(\.isTargetOnly)
    for (index, pattern) in patterns.enumerated() {
      switch pattern.target {
      case .url(let url):
        let url = volatile.removed(from: RequestURL(url))
        if url.bytes.first == UInt8(ascii: "/") {
          relativeURLs.add(index, for: url.bytes)
        } else {
          urls.add(index, for: url.bytes)
        }
      case .urlPath(let path) where path.utf8.first == UInt8(ascii: "/"):
        paths.add(index, for: Array(path.utf8))
      case .urlPath(let path): absolutePaths.add(index, for: Array(path.utf8))
      default: others.append(index)
      }
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
    func tryList(_ table: ByteTable, _ list: Int?) {
      guard let list else { return }
      for index in table.lists[list] {
        if isTargetOnly[index] { match(index, nil) } else { tryPattern(index) }
      }
    }
    lookUp(url, tryList)
    for index in others { tryPattern(index) }
  }

  private func lookUp(
    _ url: UnsafeBufferPointer<UInt8>, _ found: (ByteTable, Int?) -> Void
  ) {
    let hasPaths = !paths.isEmpty || !absolutePaths.isEmpty
    let needsParts = hasPaths || !relativeURLs.isEmpty || !volatile.isEmpty
    guard needsParts else { return found(urls, urls.find(url)) }
    let parts = URLParts(of: url)
    if hasPaths {
      found(paths, paths.find(.init(rebasing: url[parts.path])))
      found(absolutePaths, absolutePaths.find(.init(rebasing: url[..<parts.path.upperBound])))
    }
    if let stripped = volatile.removed(from: url, parts) {
      stripped.bytes.withUnsafeBufferPointer { lookUpURL($0, stripped.parts, found) }
    } else {
      lookUpURL(url, parts, found)
    }
  }

  private func lookUpURL(
    _ url: UnsafeBufferPointer<UInt8>, _ parts: URLParts, _ found: (ByteTable, Int?) -> Void
  ) {
    found(urls, urls.find(url))
    guard !relativeURLs.isEmpty else { return }
    let end = (parts.query ?? parts.path).upperBound
    found(relativeURLs, relativeURLs.find(.init(rebasing: url[parts.path.lowerBound..<end])))
  }
}

extension RequestPattern {
  fileprivate var isTargetOnly: Bool {
    (method == nil || method == "ANY") && scheme == nil && host == nil && port == nil
      && queryParameters.isEmpty && headers.isEmpty && cookies.isEmpty && bodyPatterns.isEmpty
  }
}

extension VolatileParameters {
  /// The URL without its volatile parameters; `nil` where it has none.
  fileprivate func removed(
    from url: UnsafeBufferPointer<UInt8>, _ parts: URLParts
  ) -> RequestURL? {
    guard !isEmpty, parts.query != nil else { return nil }
    let whole = RequestURL(bytes: Array(url))
    let stripped = removed(from: whole)
    return stripped.bytes.count == whole.bytes.count ? nil : stripped
  }
}
