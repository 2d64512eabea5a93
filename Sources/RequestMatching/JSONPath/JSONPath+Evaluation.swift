import JSON

/// A value in which a path finds others: JSON, alone or with its place in a file.
package protocol JSONPathNode {
  var json: JSONValue { get }
  /// `nil` where it isn't a list.
  var elements: [Self]? { get }
  /// The elements of a list, the values of an object, in their order.
  var children: [Self] { get }
  /// The values that an object has under a name.
  func members(named name: String) -> [Self]
}

extension JSONValue: JSONPathNode {
  package var json: JSONValue { self }

  package var elements: [JSONValue]? { array }

  package var children: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .object(let object): object.members.map(\.value)
    default: []
    }
  }

  package func members(named name: String) -> [JSONValue] {
    if case .object(let object) = self { object.values(of: name) } else { [] }
  }
}

extension JSONPath {
  /// The values that the path finds, in the order of the RFC; members of an object as they are written.
  ///
  /// - Parameter stepLimit: the same on every machine, unlike a time.
  /// - Throws: `MatchingDoubt` where that would take too many steps, as with several `..`.
  package func values<Node: JSONPathNode>(
    in root: Node, stepLimit: Int = 5_000_000
  ) throws(MatchingDoubt) -> [Node] {
    var evaluation = JSONPathEvaluation(path: self, root: root, stepsLeft: stepLimit)
    return try evaluation.values(of: segments, from: root)
  }
}

private struct JSONPathEvaluation<Node: JSONPathNode> {
  let path: JSONPath
  let root: Node
  var stepsLeft: Int

  private mutating func step(_ count: Int = 1) throws(MatchingDoubt) {
    let before = stepsLeft >> 12
    stepsLeft -= count
    if stepsLeft >> 12 != before { try MatchingStop.check() }
    if stepsLeft < 0 {
      throw .expensivePath(path.text, textLength: root.json.text().utf16.count)
    }
  }

  mutating func values(
    of segments: [JSONPath.Segment], from start: Node
  ) throws(MatchingDoubt) -> [Node] {
    // Most paths are names, each of which is there once.
    var (first, start) = (0, start)
    while first < segments.count, !segments[first].isDescendant,
      segments[first].selectors.count == 1, case .name(let name) = segments[first].selectors[0]
    {
      let members = start.members(named: name)
      guard members.count == 1 else { break }
      try step()
      start = members[0]
      first += 1
    }
    var values = [start]
    for segment in segments[first...] {
      var found: [Node] = []
      for value in values { try apply(segment, to: value, &found) }
      values = found
    }
    return values
  }

  private mutating func apply(
    _ segment: JSONPath.Segment, to value: Node, _ found: inout [Node]
  ) throws(MatchingDoubt) {
    for selector in segment.selectors { try select(selector, from: value, &found) }
    guard segment.isDescendant else { return }
    for child in value.children { try apply(segment, to: child, &found) }
  }

  private mutating func select(
    _ selector: JSONPath.Selector, from value: Node, _ found: inout [Node]
  ) throws(MatchingDoubt) {
    try step()
    switch selector {
    case .name(let name): found += value.members(named: name)
    case .wildcard:
      let children = value.children
      try step(children.count)
      found += children
    case .index(let index):
      guard let elements = value.elements else { return }
      let index = index < 0 ? elements.count + index : index
      if elements.indices.contains(index) { found.append(elements[index]) }
    case .slice(let start, let end, let step):
      guard let elements = value.elements else { return }
      for index in Self.indices(start, end, step, count: elements.count) {
        try self.step()
        found.append(elements[index])
      }
    case .filter(let filter):
      for child in value.children where try isTrue(filter, child) { found.append(child) }
    }
  }

  /// RFC 9535, section 2.3.4.2.2.
  private static func indices(
    _ start: Int?, _ end: Int?, _ step: Int, count: Int
  ) -> StrideTo<Int> {
    func normalized(_ index: Int) -> Int { index >= 0 ? index : count + index }
    if step >= 0 {
      let low = min(max(normalized(start ?? 0), 0), count)
      let high = min(max(normalized(end ?? count), 0), count)
      return stride(from: low, to: step == 0 ? low : high, by: max(step, 1))
    }
    let high = min(max(normalized(start ?? count - 1), -1), count - 1)
    let low = end.map { min(max(normalized($0), -1), count - 1) } ?? -1
    return stride(from: high, to: low, by: step)
  }

  // MARK: - Filters

  private mutating func isTrue(
    _ filter: JSONPath.Filter, _ current: Node
  ) throws(MatchingDoubt) -> Bool {
    try step()
    switch filter {
    case .exists(let query): return try !values(of: query, current).isEmpty
    case .not(let filter): return try !isTrue(filter, current)
    case .compare(let left, let relation, let right):
      let (left, right) = try (value(of: left, current), value(of: right, current))
      return relation.holds(left, right)
    }
  }

  private mutating func values(
    of query: JSONPath.Query, _ current: Node
  ) throws(MatchingDoubt) -> [Node] {
    try values(of: query.segments, from: query.isRelative ? current : root)
  }

  /// - Returns: `nil` where a query finds nothing, or more than one value, as in an object that has a
  ///   key twice.
  private mutating func value(
    of operand: JSONPath.Operand, _ current: Node
  ) throws(MatchingDoubt) -> JSONValue? {
    switch operand {
    case .literal(let value): return value
    case .query(let query):
      let values = try values(of: query, current)
      return values.count == 1 ? values[0].json : nil
    }
  }
}
