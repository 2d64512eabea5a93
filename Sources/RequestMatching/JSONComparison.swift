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

  package func matches(_ wanted: JSONBody, _ got: JSONBody) -> Bool {
    switch (wanted, got) {
    case (.null, .null): true
    case (.bool(let wanted), .bool(let got)): wanted == got
    case (.number(let wanted), .number(let got)): wanted == got
    case (.string(let wanted), .string(let got)): wanted.hasSameBytes(as: got)
    case (.array(let wanted), .array(let got)): matches(wanted, got)
    case (.object(let wanted), .object(let got)): matches(wanted, got)
    default: false
    }
  }

  private func matches(_ wanted: [JSONBodyMember], _ got: [JSONBodyMember]) -> Bool {
    guard ignoresExtraElements ? wanted.count <= got.count : wanted.count == got.count,
      !got.hasRepeatedKeys
    else { return false }
    // What is compared quickly goes first: lists may be compared in every order.
    return matches(wanted, got, ofContainers: false) && matches(wanted, got, ofContainers: true)
  }

  private func matches(
    _ wanted: [JSONBodyMember], _ got: [JSONBodyMember], ofContainers isContainer: Bool
  ) -> Bool {
    for member in wanted where member.value.isContainer == isContainer {
      let index = got.index(of: member.key)
      guard index < got.count, got[index].key.hasSameBytes(as: member.key),
        matches(member.value, got[index].value)
      else { return false }
    }
    return true
  }

  private func matches(_ wanted: [JSONBody], _ got: [JSONBody]) -> Bool {
    guard ignoresExtraElements ? wanted.count <= got.count : wanted.count == got.count else {
      return false
    }
    // Further elements come after the wanted ones, as in JsonUnit.
    guard ignoresArrayOrder else { return zip(wanted, got).allSatisfy(matches) }
    return pairs(wanted, got).missing.isEmpty
  }
}

extension JSONComparison {
  /// The elements that are left, by their index, when as many as possible are paired in any order.
  func pairs(_ wanted: [JSONBody], _ got: [JSONBody]) -> (missing: [Int], extra: [Int]) {
    var missing: [Int] = []
    var indices = Dictionary(grouping: got.indices, by: { got[$0].identity })
    // What is paired with its like leaves no less to the others: whatever matches it matches the like.
    for index in wanted.indices where indices[wanted[index].identity]?.popLast() == nil {
      missing.append(index)
    }
    let extra = indices.values.flatMap { $0 }.sorted()
    if !ignoresExtraElements || missing.isEmpty { return (missing, extra) }
    return pairs(wanted, missing, got, extra)
  }

  /// Equal elements have the same edges, so that only different ones are compared.
  private func pairs(
    _ wanted: [JSONBody], _ missing: [Int], _ got: [JSONBody], _ extra: [Int]
  ) -> (missing: [Int], extra: [Int]) {
    let candidates = Dictionary(grouping: extra.indices, by: { got[extra[$0]].identity }).values
    var edgesOf: [[UInt8]: [Int]] = [:]
    let edges = missing.map { index in
      let identity = wanted[index].identity
      if let known = edgesOf[identity] { return known }
      let edges = candidates.filter { matches(wanted[index], got[extra[$0[0]]]) }.flatMap { $0 }
      edgesOf[identity] = edges
      return edges
    }
    let partners = BipartiteMatching(edges: edges, rightCount: extra.count).partners
    let taken = Set(partners.compactMap { $0 })
    return (
      zip(missing, partners).compactMap { $1 == nil ? $0 : nil },
      extra.indices.filter { !taken.contains($0) }.map { extra[$0] }
    )
  }
}

extension JSONBody {
  var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  /// Bytes that are the same for values that are equal whatever the order in their lists is.
  var identity: [UInt8] {
    switch self {
    case .null: Array("null".utf8)
    case .bool(let value): Array("\(value)".utf8)
    case .number(let number): Array(number.identity.utf8)
    case .string(let text): Self.lengthened(Array(text.utf8), "s")
    case .array(let elements):
      Self.lengthened(
        Array(elements.map(\.identity).sorted { $0.lexicographicallyPrecedes($1) }.joined()), "a")
    case .object(let members):
      Self.lengthened(
        members.flatMap { Self.lengthened(Array($0.key.utf8), "k") + $0.value.identity }, "o")
    }
  }

  /// Bytes with their kind and number before them, so that they don't run into the next ones.
  private static func lengthened(_ bytes: [UInt8], _ kind: String) -> [UInt8] {
    Array("\(kind)\(bytes.count):".utf8) + bytes
  }
}
