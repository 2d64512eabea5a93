import JSON

/// Finds those of many patterns that may match a request, by a key of each that few others have; and of
/// those that nearly everything matches, those that may not.
struct PatternIndex: Sendable {
  private let keys: KeyTables
  /// Of what matches unless one of its keys is there.
  private let keysToFail: KeyTables
  /// What matches unless one of its keys is there: patterns of one method together, with one of them.
  private let assumed: [(example: PreparedPattern, patterns: [Int])]

  /// - Parameters:
  ///   - indices: of the patterns that are looked up.
  ///   - isDecided: whether what they are looked up for has their target.
  init(_ indices: [Int], of patterns: [PreparedPattern], isDecided: Bool) {
    var (needs, needsToFail) = ([(Int, [PatternNeed])](), [(Int, [PatternNeed])]())
    for index in indices {
      let pattern = patterns[index].pattern
      let toFail = isDecided || pattern.target == nil ? pattern.needsToFail : []
      if toFail.isEmpty {
        needs.append((index, pattern.needs))
      } else {
        needsToFail.append((index, toFail))
      }
    }
    keys = KeyTables(needs)
    keysToFail = KeyTables(needsToFail)
    let ofMethod = Dictionary(grouping: needsToFail.map(\.0)) {
      patterns[$0].pattern.method.map(ByteText.init)
    }
    assumed = ofMethod.values.map { (patterns[$0[0]], $0) }
  }

  /// Calls with each pattern that can match, once.
  ///
  /// - Parameter body: gets its index, and whether it certainly matches.
  func forEachCandidate(
    for request: MatchableRequest, ignoring volatile: VolatileParameters,
    _ body: (_ index: Int, _ isCertain: Bool) -> Void
  ) {
    for index in keys.unkeyed { body(index, false) }
    for index in keys.patterns(for: request, volatile) { body(index, false) }
    if assumed.isEmpty { return }
    let inDoubt = keysToFail.patterns(for: request, volatile, whereNothingIs: true)
    for (example, patterns) in assumed where example.pattern.matchesMethod(request) {
      var next = 0
      for index in patterns {
        while next < inDoubt.count, inDoubt[next] < index { next += 1 }
        body(index, next == inDoubt.count || inDoubt[next] != index)
      }
    }
  }
}

/// Finds patterns by a key of each that few others have.
private struct KeyTables: Sendable {
  /// Patterns without a key.
  private(set) var unkeyed: [Int] = []
  private var tables: [PlaceTable] = []

  init(_ patterns: [(index: Int, needs: [PatternNeed])]) {
    var sharing: [PatternKey: Int] = [:]
    var popularity: [[UInt8]: Int] = [:]
    for (_, needs) in patterns {
      let keys = Set(needs.flatMap(\.keys))
      for key in keys { sharing[key, default: 0] += 1 }
      for place in Set(keys.map(\.place.identity)) { popularity[place, default: 0] += 1 }
    }
    // Of keys that as few others have, one in a place where most are looked up.
    func rank(_ key: PatternKey) -> (Int, Int) {
      (sharing[key] ?? 0, -(popularity[key.place.identity] ?? 0))
    }
    var tables: [[UInt8]: PlaceTable] = [:]
    for (index, needs) in patterns {
      let keys = Set(PatternNeed.rarest(of: needs, by: rank).keys)
      for key in keys {
        tables[key.place.identity, default: PlaceTable(key.place)].add(index, key)
      }
      if keys.isEmpty { unkeyed.append(index) }
    }
    self.tables = Array(tables.values)
  }

  /// The patterns one of whose keys is there, each once, in their order.
  ///
  /// - Parameter whereNothingIs: whether a pattern is found as well where the path that it is looked up by
  ///   finds nothing.
  func patterns(
    for request: MatchableRequest, _ volatile: VolatileParameters, whereNothingIs: Bool = false
  ) -> [Int] {
    var found: [Int] = []
    for table in tables { table.find(request, volatile, whereNothingIs, &found) }
    return found.count > 1 ? Set(found).sorted() : found
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

  mutating func add(_ pattern: Int, _ key: PatternKey) {
    patterns.append(pattern)
    if key.partLength == 0 {
      wholes[key.hash, default: []].append(pattern)
      return
    }
    if !parts.contains(where: { $0.length == key.partLength }) {
      parts.append(PartTable(length: key.partLength))
    }
    for index in parts.indices where parts[index].length == key.partLength {
      parts[index].patterns[key.hash, default: []].append(pattern)
      let bit = PartTable.bit(key.hash)
      parts[index].bits[bit / 64] |= 1 << UInt64(bit % 64)
    }
  }

  func find(
    _ request: MatchableRequest, _ volatile: VolatileParameters, _ whereNothingIs: Bool,
    _ found: inout [Int]
  ) {
    if case .identities(let path) = place.kind {
      guard let hashes = request.identities(at: path) else {
        found += patterns
        return
      }
      for hash in hashes { found += wholes[hash] ?? [] }
      return
    }
    guard let texts = request.texts(at: place.kind, ignoring: volatile) else {
      found += patterns
      return
    }
    if texts.isEmpty, whereNothingIs, place.kind.isOfPath {
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
    case .headerNames: return headerFields.keys.map { Array($0.text.utf8) }
    case .cookie(let name): return values(ofCookie: name)
    case .body:
      if decodedBody.problem != nil { return nil }
      return decodedBody.bytes.isEmpty ? [] : [decodedBody.bytes]
    case .texts(let path):
      return values(at: path)?.compactMap { MatchedValue(partOfJSON: $0).bytes }
    case .memberNames(let path):
      return values(at: path)?.flatMap { ($0.object?.keys ?? []).map { Array($0.utf8) } }
    case .lowercased(let place):
      return texts(at: place, ignoring: volatile)?.compactMap(Self.lowercased)
    case .lowercasedASCII(let place):
      guard let texts = texts(at: place, ignoring: volatile),
        texts.allSatisfy({ $0.allSatisfy { $0 < 0x80 } })
      else { return nil }
      return texts.compactMap(Self.lowercased)
    // Hashes, not texts.
    case .identities: return nil
    }
  }

  /// - Returns: `nil` where it isn't UTF-8, which equals no text.
  private static func lowercased(_ text: [UInt8]) -> [UInt8]? {
    if text.allSatisfy({ $0 < 0x80 }) {
      return text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    return String(validating: text, as: UTF8.self).map { Array($0.lowercased().utf8) }
  }

  /// Of all that a path finds, and of the JSON that it holds where it is a string.
  ///
  /// - Returns: `nil` as for texts.
  fileprivate func identities(at path: JSONPath) -> [UInt64]? {
    values(at: path)?.flatMap { value in
      guard case .string = value, case let held = value.meant, held.isContainer else {
        return [JSONHash.hash(value)]
      }
      return [JSONHash.hash(value), JSONHash.hash(held)]
    }
  }

  private func values(at path: JSONPath) -> [JSONValue]? {
    if event == nil, decodedBody.problem != nil { return nil }
    if let event { return try? path.values(in: event.value) }
    guard case .success(let read) = readBody else { return nil }
    guard let body = read else { return [] }
    return try? path.values(in: body)
  }
}
