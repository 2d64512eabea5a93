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
    var missing: [Int] = []
    var indices = Dictionary(grouping: got.indices, by: { JSONIdentity(got[$0]) })
    // What is paired with its like leaves no less to the others: whatever matches it matches the like.
    for index in wanted.indices where indices[JSONIdentity(wanted[index])]?.popLast() == nil {
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
  let bytes: [UInt8]

  init(_ value: JSONValue) {
    bytes = Self.bytes(value)
  }

  /// Of a value with a placeholder it is none of a value that is sent.
  init(_ wanted: WantedJSON) {
    bytes = Self.bytes(wanted)
  }

  private static func bytes(_ value: JSONValue) -> [UInt8] {
    switch value {
    case .null: Array("null".utf8)
    case .bool(let value): Array("\(value)".utf8)
    case .number(let number): Array("n\(number.canonicalText);".utf8)
    case .string(let text): lengthened("s", Array(text.utf8))
    case .array(let elements): list(elements.map(bytes))
    case .object(let object): self.object(object.members.map { ($0.key, bytes($0.value)) })
    }
  }

  private static func bytes(_ wanted: WantedJSON) -> [UInt8] {
    switch wanted {
    case .scalar(let value): bytes(value)
    case .placeholder(let placeholder): lengthened("p", Array(placeholder.text.utf8))
    case .array(let elements): list(elements.map(bytes))
    case .object(let members): object(members.map { ($0.key, bytes($0.value)) })
    }
  }

  private static func list(_ elements: [[UInt8]]) -> [UInt8] {
    lengthened("a", Array(elements.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
  }

  private static func object(_ members: [(key: String, value: [UInt8])]) -> [UInt8] {
    let parts = members.map { lengthened("k", Array($0.key.utf8)) + $0.value }
    return lengthened("o", Array(parts.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
  }

  /// With their kind and number before them, so that they don't run into the next ones.
  private static func lengthened(_ kind: String, _ bytes: [UInt8]) -> [UInt8] {
    Array("\(kind)\(bytes.count):".utf8) + bytes
  }
}
