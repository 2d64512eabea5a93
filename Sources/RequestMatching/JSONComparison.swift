import JSON

/// Compares JSON values as `equalToJson` does.
///
/// An object that has a key twice equals nothing: which of the values counts would be up to its reader.
package struct JSONComparison: Sendable {
  package var ignoresArrayOrder: Bool
  package var ignoresExtraElements: Bool

  package init(ignoreArrayOrder: Bool, ignoreExtraElements: Bool) {
    ignoresArrayOrder = ignoreArrayOrder
    ignoresExtraElements = ignoreExtraElements
  }

  package func matches(_ wanted: WantedJSON, _ got: JSONValue) throws(MatchingDoubt) -> Bool {
    if let placeholder = wanted.placeholder { return try placeholder.matches(got) }
    switch (wanted.value, got) {
    case (.array(let elements), .array(let got)): return try matches(elements, of: wanted, got)
    case (.object(let object), .object(let got)): return try matches(object, of: wanted, got)
    default: return wanted.value == got
    }
  }

  private func matches(
    _ object: JSONObject, of wanted: WantedJSON, _ got: JSONObject
  ) throws(MatchingDoubt) -> Bool {
    guard ignoresExtraElements ? object.count <= got.count : object.count == got.count,
      !got.hasDuplicateKeys
    else { return false }
    // What is compared quickly goes first: lists may be compared in every order.
    for isContainer in [false, true] {
      for member in object.members where member.value.isContainer == isContainer {
        guard let sent = got[member.key], try matches(wanted.part(member.value), sent) else {
          return false
        }
      }
    }
    return true
  }

  private func matches(
    _ elements: [JSONValue], of wanted: WantedJSON, _ got: [JSONValue]
  ) throws(MatchingDoubt) -> Bool {
    guard ignoresExtraElements ? elements.count <= got.count : elements.count == got.count else {
      return false
    }
    if ignoresArrayOrder { return try pairs(elements.map(wanted.part), got).missing.isEmpty }
    // Further elements come after the wanted ones, as in JsonUnit.
    for (element, got) in zip(elements, got) where try !matches(wanted.part(element), got) {
      return false
    }
    return true
  }
}

extension JSONComparison {
  /// The elements that are left, by their index, when as many as possible are paired in any order.
  func pairs(
    _ wanted: [WantedJSON], _ got: [JSONValue]
  ) throws(MatchingDoubt) -> (missing: [Int], extra: [Int]) {
    // What is paired with its like leaves no less to the others: whatever matches it matches the like. Most
    // is soon found, where it is wanted.
    let isInPlace = zip(wanted, got).map { $0.isSame(as: $1) }
    func isLeft(_ index: Int) -> Bool { index >= isInPlace.count || !isInPlace[index] }
    var missing: [Int] = []
    var indices = Dictionary(
      grouping: got.indices.filter(isLeft), by: { JSONIdentity(got[$0]) })
    for index in wanted.indices.filter(isLeft)
    where wanted[index].hasPlaceholder
      || indices[JSONIdentity(wanted[index].value)]?.popLast() == nil
    {
      missing.append(index)
    }
    let extra = indices.values.flatMap { $0 }.sorted()
    guard ignoresExtraElements || missing.contains(where: { wanted[$0].hasPlaceholder }) else {
      return (missing, extra)
    }
    let partners = try BipartiteMatching(
      edges: edges(missing.map { wanted[$0] }, extra.map { got[$0] }), rightCount: extra.count
    ).partners
    let taken = Set(partners.compactMap { $0 })
    return (
      zip(missing, partners).compactMap { $1 == nil ? $0 : nil },
      extra.indices.filter { !taken.contains($0) }.map { extra[$0] }
    )
  }

  /// For each wanted element those that match it; equal ones are compared once.
  private func edges(
    _ wanted: [WantedJSON], _ got: [JSONValue]
  ) throws(MatchingDoubt) -> [[Int]] {
    let candidates = Dictionary(grouping: got.indices, by: { JSONIdentity(got[$0]) }).values
    var known: [JSONIdentity: [Int]] = [:]
    var edges: [[Int]] = []
    for element in wanted {
      let identity = JSONIdentity(element.value)
      var found = known[identity] ?? []
      if known[identity] == nil {
        for equal in candidates {
          try MatchingStop.check()
          if try matches(element, got[equal[0]]) { found += equal }
        }
        known[identity] = found
      }
      edges.append(found)
    }
    return edges
  }
}

/// Bytes that are the same for values that are equal whatever the order of their lists and members is: JSON
/// with sorted parts.
struct JSONIdentity: Hashable {
  private let bytes: [UInt8]

  init(_ value: JSONValue) {
    switch value {
    case .number(let number): bytes = Array(number.canonicalText.utf8)
    case .array(let elements): bytes = Self.sorted("[", elements.map { Self($0).bytes }, "]")
    case .object(let object):
      bytes = Self.sorted(
        "{", object.members.map { JSONValue.string($0.key).bytes() + Self($0.value).bytes }, "}")
    case .null, .bool, .string: bytes = value.bytes()
    }
  }

  private static func sorted(
    _ opening: Unicode.Scalar, _ parts: [[UInt8]], _ closing: Unicode.Scalar
  ) -> [UInt8] {
    let sorted = parts.sorted { $0.lexicographicallyPrecedes($1) }
    return [UInt8(ascii: opening)] + sorted.joined(separator: [UInt8(ascii: ",")])
      + [UInt8(ascii: closing)]
  }
}

/// The hash of a `JSONIdentity`, without its bytes: enough for who compares as well.
package enum JSONHash {
  package static func hash(_ value: JSONValue) -> UInt64 {
    switch value {
    case .null: return 1
    case .bool(let value): return value ? 2 : 3
    case .number(let number): return 4 &+ hash(number.canonicalText)
    case .string(let text): return 5 &+ hash(text)
    case .array(let elements):
      return ByteTable.mix(elements.reduce(6) { $0 &+ ByteTable.mix(hash($1)) })
    case .object(let object):
      return ByteTable.mix(object.members.reduce(7) { $0 &+ hash($1.key, hash($1.value)) })
    }
  }

  private static func hash(_ key: String, _ value: UInt64) -> UInt64 {
    ByteTable.mix(hash(key) ^ value &* 0x9E37_79B9_7F4A_7C15)
  }

  private static func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { ByteTable.hash($0) }
  }
}
