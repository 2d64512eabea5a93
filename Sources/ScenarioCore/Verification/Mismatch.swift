import RequestMatching

/// An expectation that is not met, on the way to its finding.
struct Mismatch {
  /// The index of the tally.
  var tally: Int
  /// How many are missing or too many, those left out that another mismatch explains.
  var amount: Int
  /// Mismatches of the same pattern that have the same reason, as indices of tallies.
  var related: [Int] = []
  var nearMisses: [NearMiss] = []
  var elsewhere: [RequestOccurrence] = []

  /// Whether it is known what came instead.
  var isExplained: Bool { !nearMisses.isEmpty || !elsewhere.isEmpty }
}

extension Mismatch {
  /// Makes one of those that have one cause.
  ///
  /// A request that an action's `sends` misses is missing in `expected` as well. The mismatch that says
  /// most exactly where takes in the others of the same pattern, as long as it explains their number.
  ///
  /// - Parameters:
  ///   - indices: of tallies that are not met, all in the same direction.
  ///   - keys: of all tallies: equal ones have the same pattern.
  ///   - amount: how many are missing, or too many.
  static func folded(
    _ indices: [Int], _ tallies: [Tally], _ keys: [String], amount: (Tally) -> Int
  ) -> [Mismatch] {
    let byPattern = Dictionary(grouping: indices) { keys[$0] }
    return byPattern.values.flatMap { indices in
      folded(samePattern: indices, tallies, amount)
    }.sorted { $0.tally < $1.tally }
  }

  private static func folded(
    samePattern indices: [Int], _ tallies: [Tally], _ amount: (Tally) -> Int
  ) -> [Mismatch] {
    var mismatches: [Mismatch] = []
    for index in indices.sorted(by: { isNarrower(tallies[$0], $0, than: tallies[$1], $1) }) {
      let within = mismatches.indices.filter {
        tallies[mismatches[$0].tally].actions.isWithin(tallies[index].actions)
          && tallies[mismatches[$0].tally].scope.kind != .expected
      }
      let explained = within.reduce(0) { $0 + mismatches[$1].amount }
      let wanted = amount(tallies[index])
      if let first = within.first, wanted <= explained {
        mismatches[first].related.append(index)
      } else {
        mismatches.append(Mismatch(tally: index, amount: wanted - explained))
      }
    }
    return mismatches
  }

  private static func isNarrower(
    _ left: Tally, _ leftIndex: Int, than right: Tally, _ rightIndex: Int
  ) -> Bool {
    (left.scope.kind, left.actions.count, leftIndex)
      < (right.scope.kind, right.actions.count, rightIndex)
  }
}

extension WrongCount.Scope {
  enum Kind: Int, Comparable {
    case sends, expectRequests, expected

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  var kind: Kind {
    switch self {
    case .sends: .sends
    case .expectRequests: .expectRequests
    case .expected: .expected
    }
  }
}

extension Range<Int> {
  func isWithin(_ other: Range<Int>) -> Bool {
    lowerBound >= other.lowerBound && upperBound <= other.upperBound
  }
}

extension Mismatch {
  /// Where one action sent too many of what the `sends` of another one is short of, it is one finding.
  static func explain(
    _ shortfalls: inout [Mismatch], by surpluses: inout [Mismatch], _ tallies: [Tally],
    _ keys: [String]
  ) {
    let wanted = Set(surpluses.map { keys[$0.tally] })
    for index in shortfalls.indices {
      let short = tallies[shortfalls[index].tally]
      let key = keys[shortfalls[index].tally]
      guard short.check != nil, shortfalls[index].amount > 0, wanted.contains(key) else { continue }
      let candidate = surpluses.firstIndex { surplus in
        let over = tallies[surplus.tally]
        return over.check != nil && surplus.related.isEmpty
          && surplus.amount <= shortfalls[index].amount
          && keys[surplus.tally] == key
      }
      guard let candidate else { continue }
      let surplus = surpluses.remove(at: candidate)
      let over = tallies[surplus.tally]
      shortfalls[index].related.append(surplus.tally)
      shortfalls[index].elsewhere += over.matched.suffix(surplus.amount)
      shortfalls[index].amount -= surplus.amount
    }
  }
}
