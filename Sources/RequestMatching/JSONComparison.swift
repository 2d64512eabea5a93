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

  package func matches(_ wanted: WantedJSON, _ got: JSONValue) throws(ExpensivePattern) -> Bool {
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
  ) throws(ExpensivePattern) -> Bool {
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
  ) throws(ExpensivePattern) -> Bool {
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
  ) throws(ExpensivePattern) -> (missing: [Int], extra: [Int]) {
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
  ) throws(ExpensivePattern) -> [[Int]] {
    let candidates = Dictionary(grouping: got.indices, by: { JSONIdentity(got[$0]) }).values
    var known: [JSONIdentity: [Int]] = [:]
    var edges: [[Int]] = []
    for element in wanted {
      let identity = JSONIdentity(element)
      var found = known[identity] ?? []
      if known[identity] == nil {
        for equal in candidates where try matches(element, got[equal[0]]) { found += equal }
        known[identity] = found
      }
      edges.append(found)
    }
    return edges
  }
}
