/// The assignment that costs least: as many pairs as possible, and among these the cheapest.
///
/// Rows and columns have capacities, so this is a flow of least cost. It is found by shortest paths from
/// all rows at once, then by filling everything that lies on one (the primal-dual method): costs are
/// small whole numbers, so there are few different lengths.
struct Assignment {
  struct Edge: Equatable {
    var row: Int
    var column: Int
    /// From 0.
    var cost: Int
  }

  /// - Returns: how much goes over each edge.
  static func solve(
    rowCapacities: [Int], columnCapacities: [Int], edges: [Edge]
  ) -> [Int] {
    var assignment = Assignment(rowCapacities, columnCapacities, edges)
    while assignment.findDistances() {
      assignment.fill()
    }
    return assignment.flow
  }

  private let edges: [Edge]
  private var flow: [Int]
  private var rowRest: [Int]
  private var columnRest: [Int]
  /// Edges by row, and by column.
  private let rowEdges: Adjacency
  private let columnEdges: Adjacency
  /// Lengths of the shortest paths so far; they keep the costs of all remaining steps from 0 on.
  private var rowPotential: [Int]
  private var columnPotential: [Int]
  private var rowNext: [Int] = []
  private var columnNext: [Int] = []
  private var isRowOnPath: [Bool] = []

  private init(_ rowCapacities: [Int], _ columnCapacities: [Int], _ edges: [Edge]) {
    self.edges = edges
    flow = Array(repeating: 0, count: edges.count)
    rowRest = rowCapacities
    columnRest = columnCapacities
    rowEdges = Adjacency(edges.map(\.row), nodes: rowCapacities.count)
    columnEdges = Adjacency(edges.map(\.column), nodes: columnCapacities.count)
    rowPotential = Array(repeating: 0, count: rowCapacities.count)
    columnPotential = Array(repeating: 0, count: columnCapacities.count)
  }

  /// The cost of using an edge forward, never negative for one that can be used.
  private func reducedCost(_ edge: Edge) -> Int {
    edge.cost + rowPotential[edge.row] - columnPotential[edge.column]
  }

  // MARK: - Shortest paths

  private static let far = Int.max / 4

  /// Finds how far everything is from the rows that have something left (Dijkstra's algorithm, with a
  /// list for each distance).
  ///
  /// - Returns: whether a column with room can be reached.
  private mutating func findDistances() -> Bool {
    var rowDistance = Array(repeating: Self.far, count: rowRest.count)
    var columnDistance = Array(repeating: Self.far, count: columnRest.count)
    var queue = BucketQueue()
    for row in rowRest.indices where rowRest[row] > 0 && !rowEdges[row].isEmpty {
      rowDistance[row] = 0
      queue.insert(row, at: 0)
    }
    var nearest = Self.far
    while let (node, distance) = queue.next(), distance <= nearest {
      if node < rowRest.count {
        guard rowDistance[node] == distance else { continue }
        for index in rowEdges[node] {
          let (edge, next) = (edges[index], distance + reducedCost(edges[index]))
          if next < columnDistance[edge.column] {
            columnDistance[edge.column] = next
            queue.insert(rowRest.count + edge.column, at: next)
          }
        }
      } else {
        let column = node - rowRest.count
        guard columnDistance[column] == distance else { continue }
        if columnRest[column] > 0 { nearest = min(nearest, distance) }
        for index in columnEdges[column] where flow[index] > 0 {
          let next = distance - reducedCost(edges[index])
          if next < rowDistance[edges[index].row] {
            rowDistance[edges[index].row] = next
            queue.insert(edges[index].row, at: next)
          }
        }
      }
    }
    guard nearest < Self.far else { return false }
    for row in rowPotential.indices { rowPotential[row] += min(rowDistance[row], nearest) }
    for column in columnPotential.indices {
      columnPotential[column] += min(columnDistance[column], nearest)
    }
    return true
  }

  // MARK: - Filling

  /// Sends as much as possible along steps that cost nothing more.
  private mutating func fill() {
    rowNext = rowRest.indices.map { rowEdges[$0].startIndex }
    columnNext = columnRest.indices.map { columnEdges[$0].startIndex }
    isRowOnPath = Array(repeating: false, count: rowRest.count)
    for row in rowRest.indices {
      while rowRest[row] > 0 {
        let sent = send(from: row, atMost: rowRest[row])
        if sent == 0 { break }
        rowRest[row] -= sent
      }
    }
  }

  /// Follows steps without cost, from a row to a column with room; a step that led nowhere is not tried
  /// again in this round.
  private mutating func send(from row: Int, atMost limit: Int) -> Int {
    isRowOnPath[row] = true
    defer { isRowOnPath[row] = false }
    while rowNext[row] < rowEdges[row].endIndex {
      let index = rowEdges.order[rowNext[row]]
      if reducedCost(edges[index]) == 0 {
        let sent = send(into: edges[index].column, atMost: limit)
        if sent > 0 {
          flow[index] += sent
          return sent
        }
      }
      rowNext[row] += 1
    }
    return 0
  }

  private mutating func send(into column: Int, atMost limit: Int) -> Int {
    if columnRest[column] > 0 {
      let sent = min(limit, columnRest[column])
      columnRest[column] -= sent
      return sent
    }
    while columnNext[column] < columnEdges[column].endIndex {
      let index = columnEdges.order[columnNext[column]]
      let row = edges[index].row
      if flow[index] > 0, reducedCost(edges[index]) == 0, !isRowOnPath[row] {
        let sent = send(from: row, atMost: min(limit, flow[index]))
        if sent > 0 {
          flow[index] -= sent
          return sent
        }
      }
      columnNext[column] += 1
    }
    return 0
  }
}
