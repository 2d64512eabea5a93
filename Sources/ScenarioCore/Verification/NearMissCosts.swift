import HarnessProtocol
import RequestMatching

/// What it costs to take a stray request for a missing one, for all pairs that are near enough.
struct NearMissCosts {
  /// What is asked of a row for each pair.
  private struct Row {
    var pattern: RequestPattern
    /// `nil` for patterns that are more than a plain URL.
    var profile: URLProfile?
    var isRelative: Bool
    var anyMethod: Bool
    /// `nil` where the action doesn't matter.
    var actions: Range<Int>?
    var isSends: Bool
  }

  private let rows: [Row]
  private let strays: [StrayRequest]
  private let volatile: VolatileParameters
  private let strayProfiles: [URLProfile]
  private let requests: [MatchableRequest]

  /// Up to so many pairs the assignment is the cheapest there is; with more, each missing request
  /// considers only its `nearestCount` nearest.
  private static let exactPairLimit = 250_000
  private static let nearestCount = 64
  /// Patterns that are more than a URL are slower to compare: so many strays each, when there are many.
  private static let slowPairLimit = 100_000

  init(_ tallies: [Tally], _ strays: [StrayRequest], ignoring volatile: VolatileParameters) {
    self.strays = strays
    self.volatile = volatile
    requests = strays.map { MatchableRequest($0.request) }
    var interner = Interner()
    strayProfiles = strays.map {
      interner.profile(
        volatile.removed(from: RequestURL($0.request.url)), method: $0.request.method ?? "GET")
    }
    rows = tallies.map { tally in
      let pattern = tally.expectation.pattern
      let profile = pattern.plainURL.map {
        interner.profile(volatile.removed(from: RequestURL($0)), method: pattern.method)
      }
      return Row(
        pattern: pattern, profile: profile, isRelative: pattern.isRelative,
        anyMethod: pattern.method == nil || pattern.method == "ANY",
        actions: tally.dependsOnAction ? tally.actions : nil, isSends: tally.check != nil)
    }
  }

  func edges() -> [Assignment.Edge] {
    let isExact = rows.count * strays.count <= Self.exactPairLimit
    let slowRows = rows.count { $0.profile == nil }
    let slowColumns = slowRows == 0 ? 0 : max(64, Self.slowPairLimit / slowRows)
    return rows.indices.flatMap { row in
      let columns =
        rows[row].profile == nil
        ? Self.rotated(strays.count, by: row, limit: slowColumns) : Array(strays.indices)
      let edges = columns.compactMap { edge(row, $0) }
      return isExact ? edges : Self.nearest(edges, rotatedBy: row)
    }
  }

  /// Some of many columns, others for each row, in order.
  private static func rotated(_ count: Int, by row: Int, limit: Int) -> [Int] {
    if count <= limit { return Array(0..<count) }
    return (0..<limit).map { (row + $0) % count }.sorted()
  }

  /// The cheapest edges of a row; among equal ones others for each row, so that they don't all go for
  /// the same.
  private static func nearest(
    _ edges: [Assignment.Edge], rotatedBy row: Int
  ) -> [Assignment.Edge] {
    guard edges.count > nearestCount else { return edges }
    var byCost: [[Assignment.Edge]] = []
    for edge in edges {
      while byCost.count <= edge.cost { byCost.append([]) }
      byCost[edge.cost].append(edge)
    }
    var nearest: [Assignment.Edge] = []
    for equal in byCost where nearest.count < nearestCount {
      let wanted = min(equal.count, nearestCount - nearest.count)
      nearest += (0..<wanted).map { equal[(row + $0) % equal.count] }
    }
    return nearest
  }

  private func edge(_ index: Int, _ column: Int) -> Assignment.Edge? {
    let isUnnamed = strays[column].isUnnamed
    guard isUnnamed || (rows[index].isSends && !strays[column].offended.isEmpty) else {
      return nil
    }
    let cost = cost(index, column)
    guard cost.isNear else { return nil }
    let isRightAction =
      rows[index].actions.map { strays[column].action.map($0.contains) == true } ?? true
    // A request that is named elsewhere isn't a mistake for another one, unless it came from the action
    // that should have sent this.
    if !isUnnamed, !isRightAction, cost.total > 0 { return nil }
    return Assignment.Edge(
      row: index, column: column, cost: cost.total + (isRightAction ? 0 : NearMissCost.wrongAction))
  }

  private func cost(_ row: Int, _ column: Int) -> NearMissCost {
    if let profile = rows[row].profile {
      return NearMissCost(
        profile, strayProfiles[column], isRelative: rows[row].isRelative,
        anyMethod: rows[row].anyMethod)
    }
    return NearMissCost(
      rows[row].pattern.differences(from: requests[column], ignoring: volatile),
      conditions: rows[row].pattern.conditionCount)
  }
}

extension RequestPattern {
  /// The URL where the pattern is nothing else, but for a method.
  fileprivate var plainURL: String? {
    guard case .url(let url) = target, scheme == nil, host == nil, port == nil,
      conditionCount == 0
    else { return nil }
    return url
  }

  fileprivate var isRelative: Bool {
    if case .url(let url) = target { url.utf8.first == UInt8(ascii: "/") } else { false }
  }
}
