/// Pairs the members of two sides, as many as possible, each at most once (Hopcroft and Karp, 1973).
///
/// The first partner that fits may be the only one that fits another, so taking what fits first is not
/// enough. Takes time as the number of edges times the root of the number of members.
struct BipartiteMatching {
  /// The partner of each member of the left side.
  private(set) var partners: [Int?]
  private var owners: [Int?]
  private let edges: [[Int]]
  /// How many steps of an alternating path lead from an unpaired member to each on the left.
  private var levels: [Int] = []
  /// The edge of each member on the left that is looked at next.
  private var next: [Int] = []

  /// - Parameter edges: for each member on the left those on the right that it may be paired with.
  init(edges: [[Int]], rightCount: Int) {
    self.edges = edges
    partners = Array(repeating: nil, count: edges.count)
    owners = Array(repeating: nil, count: rightCount)
    while findLevels() {
      next = Array(repeating: 0, count: edges.count)
      for member in edges.indices where partners[member] == nil { augment(from: member) }
    }
  }

  /// - Returns: whether some path leads to a member on the right that is still free.
  private mutating func findLevels() -> Bool {
    levels = partners.map { $0 == nil ? 0 : -1 }
    var queue = levels.indices.filter { levels[$0] == 0 }
    var (position, isAugmentable) = (0, false)
    while position < queue.count {
      let member = queue[position]
      position += 1
      for candidate in edges[member] {
        guard let owner = owners[candidate] else {
          isAugmentable = true
          continue
        }
        if levels[owner] < 0 {
          levels[owner] = levels[member] + 1
          queue.append(owner)
        }
      }
    }
    return isAugmentable
  }

  /// Follows the levels to a free member on the right, and swaps the pairs on the way.
  private mutating func augment(from start: Int) {
    var path = [(member: start, candidate: -1)]
    while let last = path.last {
      guard next[last.member] < edges[last.member].count else {
        levels[last.member] = -1
        path.removeLast()
        continue
      }
      let candidate = edges[last.member][next[last.member]]
      next[last.member] += 1
      path[path.count - 1].candidate = candidate
      if let owner = owners[candidate] {
        if levels[owner] == levels[last.member] + 1 { path.append((owner, -1)) }
      } else {
        for (member, candidate) in path {
          partners[member] = candidate
          owners[candidate] = member
        }
        return
      }
    }
  }
}
