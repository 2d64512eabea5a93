/// The edges at each node.
struct Adjacency {
  /// The indices of the edges, node by node.
  let order: [Int]
  private let starts: [Int]

  /// - Parameter nodeOfEdge: for each edge its node.
  init(_ nodeOfEdge: [Int], nodes: Int) {
    var starts = Array(repeating: 0, count: nodes + 1)
    for node in nodeOfEdge { starts[node + 1] += 1 }
    for node in 0..<nodes { starts[node + 1] += starts[node] }
    var next = starts
    var order = Array(repeating: 0, count: nodeOfEdge.count)
    for (edge, node) in nodeOfEdge.enumerated() {
      order[next[node]] = edge
      next[node] += 1
    }
    self.order = order
    self.starts = starts
  }

  subscript(node: Int) -> ArraySlice<Int> { order[starts[node]..<starts[node + 1]] }
}

/// A queue for distances that are small whole numbers and only grow.
struct BucketQueue {
  private var buckets: [[Int]] = []
  private var current = 0

  mutating func insert(_ node: Int, at distance: Int) {
    while buckets.count <= distance { buckets.append([]) }
    buckets[distance].append(node)
  }

  mutating func next() -> (node: Int, distance: Int)? {
    while current < buckets.count {
      if let node = buckets[current].popLast() { return (node, current) }
      current += 1
    }
    return nil
  }
}
