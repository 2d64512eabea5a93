/// Finds patterns by their path, and where many share one, by a parameter that each wants.
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

  /// - Parameter query: of the URL with this path, as sent.
  func find(
    _ path: UnsafeBufferPointer<UInt8>, _ query: UnsafeBufferPointer<UInt8>?,
    _ found: (Int) -> Void
  ) {
    plain.find(path, found)
    guard !namesOfPath.isEmpty, let query else { return }
    namesOfPath.find(path) { findValues(path, query, names[$0], found) }
  }

  private func findValues(
    _ path: UnsafeBufferPointer<UInt8>, _ query: UnsafeBufferPointer<UInt8>, _ name: [UInt8],
    _ found: (Int) -> Void
  ) {
    var seen: [[UInt8]] = []
    for item in query.split(separator: UInt8(ascii: "&")) {
      guard let value = Self.value(of: item, name), !seen.contains(value) else { continue }
      seen.append(value)
      let key = Self.key(Array(path), name, value)
      key.withUnsafeBufferPointer { valued.find($0, found) }
    }
  }

  /// The decoded value of a parameter, if that is its name.
  private static func value(
    of item: Slice<UnsafeBufferPointer<UInt8>>, _ name: [UInt8]
  ) -> [UInt8]? {
    if item.starts(with: name), item.count >= name.count {
      let rest = item.dropFirst(name.count)
      if rest.isEmpty { return [] }
      if rest.first == UInt8(ascii: "=") { return QueryItem.decoded(Array(rest.dropFirst())[...]) }
    }
    let isEscaped = item.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    guard isEscaped else { return nil }
    let decoded = QueryItem(raw: Array(item)[...])
    return decoded.name == name ? decoded.value : nil
  }

  private static func key(_ path: [UInt8], _ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
    path + [0xFF] + name + [0xFF] + value
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

  func find(_ text: UnsafeBufferPointer<UInt8>, _ found: (Int) -> Void) {
    for length in lengths where length <= text.count {
      patterns.find(.init(rebasing: text[..<length]), found)
    }
  }
}
