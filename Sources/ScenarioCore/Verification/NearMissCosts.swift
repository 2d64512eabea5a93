import HarnessWire
import RequestMatching

/// What it costs to take a stray request for a missing one, for all pairs that are near enough.
struct NearMissCosts {
  private let rows: [Ledger]
  private let strays: [StrayRequest]
  private let volatile: VolatileParameters
  /// `nil` for patterns that are more than a plain URL.
  private var rowProfiles: [URLProfile?] = []
  private var strayProfiles: [URLProfile] = []
  private let requests: [MatchableRequest]

  /// Up to so many pairs the assignment is the cheapest there is; with more, each missing request
  /// considers only its `nearestCount` nearest.
  private static let exactPairLimit = 250_000
  private static let nearestCount = 64
  /// Patterns that are more than a URL are slower to compare: so many strays each, when there are many.
  private static let slowPairLimit = 100_000

  init(_ rows: [Ledger], _ strays: [StrayRequest], ignoring volatile: VolatileParameters) {
    self.rows = rows
    self.strays = strays
    self.volatile = volatile
    requests = strays.map { MatchableRequest($0.request) }
    var interner = Interner()
    strayProfiles = strays.map {
      interner.profile(
        volatile.removed(from: RequestURL($0.request.url)), method: $0.request.method ?? "GET")
    }
    rowProfiles = rows.map { row in
      guard let url = row.expectation.pattern.plainURL else { return nil }
      return interner.profile(
        volatile.removed(from: RequestURL(url)), method: row.expectation.pattern.method)
    }
  }

  func edges() -> [Assignment.Edge] {
    let isExact = rows.count * strays.count <= Self.exactPairLimit
    let slowRows = rowProfiles.count { $0 == nil }
    let slowColumns = slowRows == 0 ? 0 : max(64, Self.slowPairLimit / slowRows)
    return rows.indices.flatMap { row in
      let columns =
        rowProfiles[row] == nil
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

  private func edge(_ row: Int, _ column: Int) -> Assignment.Edge? {
    let (ledger, stray) = (rows[row], strays[column])
    let isRightAction = !ledger.dependsOnAction || stray.action.map(ledger.actions.contains) == true
    guard stray.isUnnamed || (ledger.check != nil && !stray.offended.isEmpty) else { return nil }
    let cost = cost(row, column)
    guard cost.isNear else { return nil }
    // A request that is named elsewhere is no mistake for another one, unless it came from the action
    // that should have sent this.
    if !stray.isUnnamed, !isRightAction, cost.total > 0 { return nil }
    return Assignment.Edge(
      row: row, column: column, cost: cost.total + (isRightAction ? 0 : NearMissCost.wrongAction))
  }

  private func cost(_ row: Int, _ column: Int) -> NearMissCost {
    let pattern = rows[row].expectation.pattern
    if let profile = rowProfiles[row] {
      return NearMissCost(
        profile, strayProfiles[column], isRelative: pattern.isRelative,
        anyMethod: pattern.method == nil || pattern.method == "ANY")
    }
    return NearMissCost(
      pattern.differences(from: requests[column], ignoring: volatile),
      conditions: pattern.conditionCount)
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

  fileprivate var conditionCount: Int {
    queryParameters.count + headers.count + cookies.count + bodyPatterns.count
  }
}
