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
    switch (wanted, got) {
    case (.placeholder(let placeholder), _): try placeholder.matches(got)
    case (.scalar(.null), .null): true
    case (.scalar(.bool(let wanted)), .bool(let got)): wanted == got
    case (.scalar(.number(let wanted)), .number(let got)): wanted == got
    case (.scalar(.string(let wanted)), .string(let got)): wanted.hasSameBytes(as: got)
    case (.array(let wanted), .array(let got)): try matches(wanted, got)
    case (.object(let wanted), .object(let got)): try matches(wanted, got)
    default: false
    }
  }

  private func matches(
    _ wanted: [(key: String, value: WantedJSON)], _ got: JSONObject
  ) throws(MatchingDoubt) -> Bool {
    guard ignoresExtraElements ? wanted.count <= got.count : wanted.count == got.count,
      !got.hasDuplicateKeys
    else { return false }
    // What is compared quickly goes first: lists may be compared in every order.
    for isContainer in [false, true] {
      for (key, value) in wanted where value.isContainer == isContainer {
        guard let sent = got[key], try matches(value, sent) else { return false }
      }
    }
    return true
  }

  private func matches(
    _ wanted: [WantedJSON], _ got: [JSONValue]
  ) throws(MatchingDoubt) -> Bool {
    guard ignoresExtraElements ? wanted.count <= got.count : wanted.count == got.count else {
      return false
    }
    if ignoresArrayOrder { return try pairs(wanted, got).missing.isEmpty }
    // Further elements come after the wanted ones, as in JsonUnit.
    for (wanted, got) in zip(wanted, got) where try !matches(wanted, got) { return false }
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
    where indices[JSONIdentity(wanted[index])]?.popLast() == nil {
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
      let identity = JSONIdentity(element)
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

/// Bytes that are the same for values that are equal whatever the order of their lists and members is.
struct JSONIdentity: Hashable {
  private(set) var bytes: [UInt8] = []

  init(_ value: JSONValue) { append(value) }

  /// Of a value with a placeholder it is none of a value that is sent.
  init(_ wanted: WantedJSON) { append(wanted) }

  /// Of a member.
  private init(_ key: String, _ appendValue: (inout Self) -> Void) {
    append("k", key)
    appendValue(&self)
  }

  private mutating func append(_ value: JSONValue) {
    switch value {
    case .null: bytes.append(UInt8(ascii: "0"))
    case .bool(let value): bytes.append(value ? UInt8(ascii: "t") : UInt8(ascii: "f"))
    case .number(let number): append("n", number.canonicalText)
    case .string(let text): append("s", text)
    case .array(let elements): append("[", elements.map { Self($0).bytes })
    case .object(let object):
      append(
        "{", object.members.map { member in Self(member.key) { $0.append(member.value) }.bytes })
    }
  }

  private mutating func append(_ wanted: WantedJSON) {
    switch wanted {
    case .scalar(let value): append(value)
    case .placeholder(let placeholder): append("p", placeholder.text)
    case .array(let elements): append("[", elements.map { Self($0).bytes })
    case .object(let members):
      append("{", members.map { member in Self(member.key) { $0.append(member.value) }.bytes })
    }
  }

  /// With its kind and its length before it, so that it doesn't run into what follows.
  private mutating func append(_ kind: Unicode.Scalar, _ text: String) {
    bytes.append(UInt8(ascii: kind))
    bytes += text.utf8.count.description.utf8
    bytes.append(UInt8(ascii: ":"))
    bytes += text.utf8
  }

  /// Each part tells where it ends, and none begins as the end of all is written.
  private mutating func append(_ kind: Unicode.Scalar, _ parts: [[UInt8]]) {
    bytes.append(UInt8(ascii: kind))
    for part in parts.count > 1 ? parts.sorted(by: { $0.lexicographicallyPrecedes($1) }) : parts {
      bytes += part
    }
    bytes.append(UInt8(ascii: "]"))
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

  static func hash(_ wanted: WantedJSON) -> UInt64 {
    switch wanted {
    case .scalar(let value): return hash(value)
    case .placeholder: return 8
    case .array(let elements):
      return ByteTable.mix(elements.reduce(6) { $0 &+ ByteTable.mix(hash($1)) })
    case .object(let members):
      return ByteTable.mix(members.reduce(7) { $0 &+ hash($1.key, hash($1.value)) })
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
