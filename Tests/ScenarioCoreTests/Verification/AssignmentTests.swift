import RequestMatching
import Testing

@testable import ScenarioCore

@Suite("The assignment costs least")
struct AssignmentTests {
  /// Numbers that are the same in each run.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test("As many pairs as possible, and among these the cheapest, as trying everything finds them")
  func bruteForce() {
    var numbers = Numbers(state: 7)
    for _ in 0..<3000 {
      let rows = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
        Int.random(in: 1...2, using: &numbers)
      }
      let columns = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
        Int.random(in: 1...2, using: &numbers)
      }
      var edges: [Assignment.Edge] = []
      for row in rows.indices {
        for column in columns.indices where Bool.random(using: &numbers) {
          let cost = Int.random(in: 0...6, using: &numbers)
          edges.append(Assignment.Edge(row: row, column: column, cost: cost))
        }
      }
      let flow = Assignment.solve(rowCapacities: rows, columnCapacities: columns, edges: edges)
      for (row, capacity) in rows.enumerated() {
        #expect(zip(edges, flow).reduce(0) { $0 + ($1.0.row == row ? $1.1 : 0) } <= capacity)
      }
      for (column, capacity) in columns.enumerated() {
        #expect(zip(edges, flow).reduce(0) { $0 + ($1.0.column == column ? $1.1 : 0) } <= capacity)
      }
      #expect(flow.allSatisfy { $0 >= 0 })
      let found = (flow.reduce(0, +), zip(edges, flow).reduce(0) { $0 + $1.0.cost * $1.1 })
      #expect(found == best(rows, columns, edges[...]))
    }
  }

  /// The most pairs and their least cost, over all ways to use the edges.
  private func best(
    _ rows: [Int], _ columns: [Int], _ edges: ArraySlice<Assignment.Edge>
  ) -> (pairs: Int, cost: Int) {
    guard let edge = edges.first else { return (0, 0) }
    var best = (pairs: 0, cost: Int.max)
    for amount in 0...min(rows[edge.row], columns[edge.column]) {
      var (rows, columns) = (rows, columns)
      rows[edge.row] -= amount
      columns[edge.column] -= amount
      let rest = self.best(rows, columns, edges.dropFirst())
      let candidate = (pairs: rest.pairs + amount, cost: rest.cost + amount * edge.cost)
      if (-candidate.pairs, candidate.cost) < (-best.pairs, best.cost) { best = candidate }
    }
    return best
  }

  @Test(
    "The fast cost of a pair of URLs is the cost of their differences",
    arguments: [
      "http://x/c?a=1&b=2", "http://x/c?a=2&b=2", "http://x/c?a=1&a=2&b=3", "http://x/d?a=1&b=2",
      "https://y:81/c?a=1&b=2", "http://x/c/d/e?a=1", "http://x/c?b=2&a=1", "http://x/c?a=1&b=2#f",
      "http://x/", "http://x/c?a=1&c=2&d", "http://x/c?a&a&a", "/c?a=1",
    ])
  func fastCost(wanted: String) throws {
    let all = Self.urls
    for got in all {
      let pattern = RequestPattern(target: .url(wanted))
      var interner = Interner()
      let isRelative = wanted.hasPrefix("/")
      let fast = NearMissCost(
        interner.profile(RequestURL(wanted), method: nil),
        interner.profile(RequestURL(got), method: nil), isRelative: isRelative, anyMethod: true)
      let slow = NearMissCost(
        pattern.differences(from: MatchableRequest(method: nil, url: got)), conditions: 1)
      #expect(fast.place == slow.place, "\(wanted) and \(got)")
      #expect(abs(fast.details - slow.details) <= NearMissCost.spelling, "\(wanted) and \(got)")
    }
  }

  private static let urls = [
    "http://x/c?a=1&b=2", "http://x/c?a=2&b=2", "http://x/c?b=2&a=1&a=1", "http://y/c?a=1&b=2",
    "http://x/c/d/f?a=1", "http://x/z/z/z", "http://x/c?a=3&a=1", "https://x/c?d&e",
  ]
}
