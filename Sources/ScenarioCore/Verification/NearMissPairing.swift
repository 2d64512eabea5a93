import HarnessProtocol
import RequestMatching

/// Pairs what is missing with what came instead, so that one wrong request is one finding.
enum NearMissPairing {
  /// - Parameter leftover: for each stray request how many of it are unexplained; those that are explained
  ///   now are taken off.
  static func pair(
    _ shortfalls: inout [Mismatch], with strays: [StrayRequest], _ leftover: inout [Int],
    in verification: Verification
  ) {
    guard !shortfalls.isEmpty, leftover.contains(where: { $0 > 0 }) else { return }
    let rows = shortfalls.map { verification.tallies[$0.tally] }
    let costs = NearMissCosts(rows, strays, ignoring: verification.volatile)
    let edges = costs.edges()
    let flow = Assignment.solve(
      rowCapacities: shortfalls.map(\.amount), columnCapacities: leftover, edges: edges)
    for (edge, amount) in zip(edges, flow) where amount > 0 {
      leftover[edge.column] -= amount
      add(strays[edge.column], amount, to: &shortfalls[edge.row], rows[edge.row], verification)
    }
    for index in shortfalls.indices {
      shortfalls[index].nearMisses.sort { $0.differences.count < $1.differences.count }
    }
  }

  private static func add(
    _ stray: StrayRequest, _ amount: Int, to shortfall: inout Mismatch, _ row: Tally,
    _ verification: Verification
  ) {
    let differences = row.expectation.pattern.differences(
      from: MatchableRequest(stray.request), ignoring: verification.volatile)
    guard let occurrence = stray.occurrences.first else { return }
    if differences.isEmpty {
      shortfall.elsewhere += stray.occurrences.prefix(amount)
    } else {
      shortfall.nearMisses.append(
        NearMiss(request: occurrence, count: amount, differences: differences))
    }
  }
}
