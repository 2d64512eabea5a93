/// Patterns by what their target says.
struct PatternTables: Sendable {
  /// Whole URLs, without volatile parameters.
  private(set) var urls = ByteTable()
  /// Path and query, the same.
  private(set) var relativeURLs = ByteTable()
  private(set) var paths = PathTable()
  /// Everything before the query.
  private(set) var absolutePaths = PathTable()
  private(set) var expressions = PrefixTable()
  private(set) var relativeExpressions = PrefixTable()
  /// What has to be tried on each request.
  private(set) var others: [Int] = []

  init(_ patterns: [RequestPattern], _ volatile: VolatileParameters) {
    for (index, pattern) in patterns.enumerated() { add(pattern, index, volatile) }
    hasOnlyURLs =
      volatile.isEmpty && relativeURLs.isEmpty && paths.isEmpty && absolutePaths.isEmpty
      && expressions.isEmpty && relativeExpressions.isEmpty
  }

  /// Whether the bytes of the URL are all that is looked up.
  private(set) var hasOnlyURLs = false

  private mutating func add(
    _ pattern: RequestPattern, _ index: Int, _ volatile: VolatileParameters
  ) {
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
}
