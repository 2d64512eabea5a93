import RequestMatching

/// A request that was sent, but by another action than the one whose `sends` wants it.
enum Misattribution {
  /// Where one action sent too many of what another one is short of, it is one finding.
  static func explain(
    _ shortfalls: inout [Mismatch], by surpluses: inout [Mismatch], _ tallies: [Tally],
    _ volatile: VolatileParameters
  ) {
    for index in shortfalls.indices {
      let short = tallies[shortfalls[index].tally]
      guard short.check != nil, shortfalls[index].amount > 0 else { continue }
      let key = short.patternKey(volatile)
      let candidate = surpluses.firstIndex { surplus in
        let over = tallies[surplus.tally]
        return over.check != nil && surplus.related.isEmpty
          && surplus.amount <= shortfalls[index].amount
          && over.patternKey(volatile) == key
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
