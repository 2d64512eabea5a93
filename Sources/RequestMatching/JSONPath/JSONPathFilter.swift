import JSON

/// What a filter asks of a value: `[?@.price > 3]`.
extension JSONPath {
  indirect enum Filter: Sendable {
    case exists(Query)
    case compare(Operand, Relation, Operand)
    case not(Filter)
  }

  /// A path inside a filter.
  struct Query: Sendable {
    /// Whether it begins with `@`, the value that is tried, rather than with `$`.
    var isRelative: Bool
    var segments: [Segment]
  }

  enum Operand: Sendable {
    case literal(JSONValue)
    case query(Query)
  }

  enum Relation: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }
}

extension JSONPath.Relation {
  /// RFC 9535, section 2.3.5.2.2; `nil` is nothing, which equals nothing else.
  func holds(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch self {
    case .equal: Self.isEqual(left, right)
    case .notEqual: !Self.isEqual(left, right)
    case .less: Self.isLess(left, right)
    case .greater: Self.isLess(right, left)
    case .lessOrEqual: Self.isLess(left, right) || Self.isEqual(left, right)
    case .greaterOrEqual: Self.isLess(right, left) || Self.isEqual(left, right)
    }
  }

  private static func isEqual(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    let comparison = JSONComparison(ignoreArrayOrder: false, ignoreExtraElements: false)
    // Without placeholders there is no expression that could be expensive.
    return (try? comparison.matches(WantedJSON(exactly: left), right)) ?? false
  }

  private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.number(let left)?, .number(let right)?): left < right
    // The order of UTF-8 is that of the characters' numbers.
    case (.string(let left)?, .string(let right)?):
      left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}
