/// Groups of patterns by what their target says.
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

  /// - Parameter group: gets the patterns of one target, and whether they match by it where they ask for
  ///   nothing else; gives the number by which they are found.
  init(
    _ patterns: [RequestPattern], _ volatile: VolatileParameters,
    group: (_ patterns: [Int], _ isDecided: Bool) -> Int
  ) {
    for (index, pattern) in patterns.enumerated() { add(pattern, index, volatile) }
    urls.replaceLists { group($0, true) }
    relativeURLs.replaceLists { group($0, true) }
    paths.replaceLists { group($0, true) }
    absolutePaths.replaceLists { group($0, true) }
    expressions.replaceLists { group($0, false) }
    relativeExpressions.replaceLists { group($0, false) }
    hasOnlyURLs =
      volatile.isEmpty && relativeURLs.isEmpty && paths.isEmpty && absolutePaths.isEmpty
      && expressions.isEmpty && relativeExpressions.isEmpty
  }

  /// Whether the bytes of the URL are all that is looked up.
  private(set) var hasOnlyURLs = false

  private mutating func add(
    _ pattern: RequestPattern, _ index: Int, _ volatile: VolatileParameters
  ) {
    // They are tried on events, each of which says its name.
    if pattern.event != nil { return }
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

/// Finds patterns by their path, and where many share one, by a parameter that each expects.
struct PathTable: Sendable {
  /// Patterns that want nothing more that could be looked up.
  private var plain = ByteTable()
  /// For a path the indices of the parameter names by which its other patterns are told apart.
  private var namesOfPath = ByteTable()
  private var names: [[UInt8]] = []
  /// Patterns by path, name and decoded value.
  private var valued = ByteTable()

  var isEmpty: Bool { plain.isEmpty && namesOfPath.isEmpty }

  mutating func add(
    _ pattern: Int, path: [UInt8], _ parameters: [RequestPattern.NamedMatcher]
  ) {
    for parameter in parameters {
      guard case .equalTo(let value, caseInsensitive: false) = parameter.matcher else { continue }
      let name = Array(parameter.name.utf8)
      if !namesOfPath.values(of: path).contains(where: { names[$0] == name }) {
        namesOfPath.add(names.count, for: path)
        names.append(name)
      }
      return valued.add(pattern, for: Self.key(path, name, Array(value.utf8)))
    }
    plain.add(pattern, for: path)
  }

  mutating func replaceLists(_ value: ([Int]) -> Int) {
    plain.replaceLists(value)
    valued.replaceLists(value)
  }

  /// - Parameter query: of the URL with this path, as sent.
  func find(
    _ path: UnsafeBufferPointer<UInt8>, _ query: UnsafeBufferPointer<UInt8>?,
    _ found: (Int) -> Void
  ) {
    if !plain.isEmpty { plain.find(path, found) }
    guard !namesOfPath.isEmpty, let query else { return }
    namesOfPath.find(path) { findValues(path, query, names[$0], found) }
  }

  private func findValues(
    _ path: UnsafeBufferPointer<UInt8>, _ query: UnsafeBufferPointer<UInt8>, _ name: [UInt8],
    _ found: (Int) -> Void
  ) {
    var seen: [[UInt8]] = []
    var start = 0
    while start < query.count {
      var end = start
      while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
      let item = UnsafeBufferPointer(rebasing: query[start..<end])
      start = end + 1
      guard let value = Self.value(of: item, name), !seen.contains(value) else { continue }
      seen.append(value)
      let key = Self.key(path, name, value)
      key.withUnsafeBufferPointer { valued.find($0, found) }
    }
  }

  /// The decoded value of a parameter, if that is its name.
  private static func value(of item: UnsafeBufferPointer<UInt8>, _ name: [UInt8]) -> [UInt8]? {
    var equals = 0
    var isEscaped = false
    while equals < item.count, item[equals] != UInt8(ascii: "=") {
      if item[equals] == UInt8(ascii: "%") || item[equals] == UInt8(ascii: "+") { isEscaped = true }
      equals += 1
    }
    if isEscaped {
      let decoded = QueryItem(raw: Array(item)[...])
      return decoded.name == name ? decoded.value : nil
    }
    guard equals == name.count else { return nil }
    for index in 0..<equals where item[index] != name[index] { return nil }
    return equals < item.count ? QueryItem.decoded(Array(item[(equals + 1)...])[...]) : []
  }

  private static func key(
    _ path: some Collection<UInt8>, _ name: [UInt8], _ value: [UInt8]
  ) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(path.count + name.count + value.count + 2)
    key.append(contentsOf: path)
    // No UTF-8 has this byte, so nothing runs into the next part.
    key.append(0xFF)
    key.append(contentsOf: name)
    key.append(0xFF)
    key.append(contentsOf: value)
    return key
  }
}

/// Finds patterns by what every text that they match begins with.
struct PrefixTable: Sendable {
  private var patterns = ByteTable()
  private var lengths: [Int] = []

  var isEmpty: Bool { patterns.isEmpty }

  mutating func add(_ pattern: Int, for prefix: [UInt8]) {
    patterns.add(pattern, for: prefix)
    if !lengths.contains(prefix.count) { lengths.append(prefix.count) }
  }

  mutating func replaceLists(_ value: ([Int]) -> Int) { patterns.replaceLists(value) }

  func find(_ text: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Void) {
    for length in lengths where length <= text.count {
      patterns.find(.init(rebasing: text[..<length]), found)
    }
  }
}
