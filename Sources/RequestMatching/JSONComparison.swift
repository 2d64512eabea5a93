/// Compares JSON values as `equalToJson` does.
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
    guard ignoresExtraElements || wanted.count == got.count else { return false }
    return wanted.allSatisfy { wanted in
      Self.value(of: wanted.key, in: got).map { matches(wanted.value, $0) } ?? false
    }
  }

  private func matches(_ wanted: [JSONBody], _ got: [JSONBody]) -> Bool {
    guard ignoresExtraElements ? wanted.count <= got.count : wanted.count == got.count else {
      return false
    }
    return ignoresArrayOrder ? matchesInAnyOrder(wanted, got) : matchesInOrder(wanted, got)
  }

  /// Whether the wanted elements are there one after the other, others between them.
  private func matchesInOrder(_ wanted: [JSONBody], _ got: [JSONBody]) -> Bool {
    var rest = wanted[...]
    for element in got {
      if let next = rest.first, matches(next, element) { rest.removeFirst() }
    }
    return rest.isEmpty
  }

  /// Whether each wanted element can have an element of its own, found by augmenting paths: the first
  /// that fits may be the only one that fits another.
  private func matchesInAnyOrder(_ wanted: [JSONBody], _ got: [JSONBody]) -> Bool {
    var owner = [Int?](repeating: nil, count: got.count)
    func place(_ index: Int, _ tried: inout [Bool]) -> Bool {
      for candidate in got.indices where !tried[candidate] {
        guard matches(wanted[index], got[candidate]) else { continue }
        tried[candidate] = true
        let isFree = owner[candidate].map { place($0, &tried) } ?? true
        if isFree {
          owner[candidate] = index
          return true
        }
      }
      return false
    }
    return wanted.indices.allSatisfy { index in
      var tried = [Bool](repeating: false, count: got.count)
      return place(index, &tried)
    }
  }

  /// The member with a key, found by halving.
  static func value(of key: String, in members: [JSONBodyMember]) -> JSONBody? {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < members.count, members[low].key.hasSameBytes(as: key) else { return nil }
    return members[low].value
  }
}
