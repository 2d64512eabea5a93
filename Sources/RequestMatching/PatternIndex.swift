import JSON

/// Finds those of many patterns that may match a request, by a key of each that few others have.
struct PatternIndex: Sendable {
  /// Without a key: to be tried on each request.
  private var unkeyed: [Int] = []
  private var tables: [PlaceTable] = []

  private struct Numbered: Hashable {
    var place: Int
    var partLength: Int
    var hash: UInt64
  }

  /// - Parameter indices: of the patterns that are looked up.
  init(_ indices: [Int], of patterns: [RequestPattern]) {
    var numbers: [[UInt8]: Int] = [:]
    var keysOfPattern: [[Numbered]] = []
    var sharing: [Numbered: Int] = [:]
    for index in indices {
      let keys = patterns[index].keys.map { key in
        if numbers[key.place.identity] == nil {
          numbers[key.place.identity] = tables.count
          tables.append(PlaceTable(key.place))
        }
        return Numbered(
          place: numbers[key.place.identity] ?? 0, partLength: key.partLength, hash: key.hash)
      }
      for key in Set(keys) { sharing[key, default: 0] += 1 }
      keysOfPattern.append(keys)
    }
    let popularity = keysOfPattern.reduce(into: Array(repeating: 0, count: tables.count)) {
      for place in Set($1.map(\.place)) { $0[place] += 1 }
    }
    // Of keys that as few others have, one in a place where most are looked up.
    func rank(_ key: Numbered) -> (Int, Int) { (sharing[key] ?? 0, -popularity[key.place]) }
    for (index, keys) in zip(indices, keysOfPattern) {
      if let key = keys.min(by: { rank($0) < rank($1) }) {
        tables[key.place].add(index, partLength: key.partLength, hash: key.hash)
      } else {
        unkeyed.append(index)
      }
    }
    tables.removeAll { $0.patterns.isEmpty }
  }

  /// All patterns that can match, each once, in their order.
  func candidates(
    for request: MatchableRequest, ignoring volatile: VolatileParameters
  ) -> [Int] {
    var found: [Int] = []
    for table in tables { table.find(request, volatile, &found) }
    if found.count > 1 { found = Set(found).sorted() }
    return unkeyed + found
  }
}

/// The patterns that are looked up in one place.
private struct PlaceTable: Sendable {
  let place: RequestPlace
  private(set) var patterns: [Int] = []
  private var wholes: [UInt64: [Int]] = [:]
  private var parts: [PartTable] = []

  /// By the hash of parts of one length.
  private struct PartTable {
    let length: Int
    var patterns: [UInt64: [Int]] = [:]
    /// A bit for each hash: most of what is looked up isn't there.
    var bits = [UInt64](repeating: 0, count: 1 << 10)

    static func bit(_ hash: UInt64) -> Int {
      Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) >> 48)
    }
  }

  init(_ place: RequestPlace) { self.place = place }

  mutating func add(_ pattern: Int, partLength: Int, hash: UInt64) {
    patterns.append(pattern)
    if partLength == 0 {
      wholes[hash, default: []].append(pattern)
      return
    }
    if !parts.contains(where: { $0.length == partLength }) {
      parts.append(PartTable(length: partLength))
    }
    for index in parts.indices where parts[index].length == partLength {
      parts[index].patterns[hash, default: []].append(pattern)
      let bit = PartTable.bit(hash)
      parts[index].bits[bit / 64] |= 1 << UInt64(bit % 64)
    }
  }

  func find(
    _ request: MatchableRequest, _ volatile: VolatileParameters, _ found: inout [Int]
  ) {
    guard let texts = request.texts(at: place.kind, ignoring: volatile) else {
      found += patterns
      return
    }
    for text in texts {
      if !wholes.isEmpty { found += wholes[PatternKey.hash(of: text)] ?? [] }
      for table in parts { Self.find(table, in: text, &found) }
    }
  }

  private static func find(_ table: PartTable, in text: [UInt8], _ found: inout [Int]) {
    let length = table.length
    guard text.count >= length else { return }
    let mask = length == 8 ? UInt64.max : (1 << UInt64(length * 8)) - 1
    var window: UInt64 = 0
    text.withUnsafeBufferPointer { text in
      table.bits.withUnsafeBufferPointer { bits in
        for (index, byte) in text.enumerated() {
          window = (window << 8 | UInt64(byte)) & mask
          guard index >= length - 1 else { continue }
          let bit = PartTable.bit(window)
          guard bits[bit / 64] & 1 << UInt64(bit % 64) != 0 else { continue }
          found += table.patterns[window] ?? []
        }
      }
    }
  }
}

extension MatchableRequest {
  /// The texts in a place.
  ///
  /// - Returns: `nil` where nobody can tell: a body that can't be decoded, a path that takes too long.
  fileprivate func texts(
    at place: RequestPlace.Kind, ignoring volatile: VolatileParameters
  ) -> [[UInt8]]? {
    switch place {
    case .url: return volatile.isEmpty ? [url.bytes] : [url.bytes, url(without: volatile).bytes]
    case .queryParameter(let name): return values(ofParameter: name)
    case .queryParameterNames: return queryItems.map(\.name)
    case .header(let name): return values(ofHeader: name)
    case .headerNames: return Array(headerFields.keys)
    case .cookie(let name): return values(ofCookie: name)
    case .body:
      if decodedBody.problem != nil { return nil }
      return decodedBody.bytes.isEmpty ? [] : [decodedBody.bytes]
    case .texts(let path):
      return values(at: path)?.compactMap { MatchedValue(partOfJSON: $0).bytes }
    case .identities(let path): return values(at: path)?.flatMap(Self.identities)
    case .memberNames(let path):
      return values(at: path)?.flatMap { ($0.object?.keys ?? []).map { Array($0.utf8) } }
    }
  }

  private func values(at path: JSONPath) -> [JSONValue]? {
    if event == nil, decodedBody.problem != nil { return nil }
    guard let root = event?.value ?? bodyJSON else { return [] }
    return try? path.values(in: root)
  }

  /// Of the value, and of the JSON that it holds where it is a string.
  private static func identities(_ value: JSONValue) -> [[UInt8]] {
    let own = JSONIdentity(value).bytes
    guard case .string = value, let held = MatchedValue(partOfJSON: value).json, held.isContainer
    else { return [own] }
    return [own, JSONIdentity(held).bytes]
  }
}
