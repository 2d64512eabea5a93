import JSON
import SourceText

/// What the keywords ask for. A check says nothing of values of a kind that its keyword doesn't speak of.
extension JSONSchema.Check {
  /// A condition that a value meets or not, whatever is in it.
  static func test(
    _ kind: JSONSchema.Violation.Kind, _ wanted: String,
    _ holds: @escaping @Sendable (JSONValue) throws(MatchingDoubt) -> Bool
  ) -> Self {
    Self { (look, rule, value, place) throws(MatchingDoubt) in
      if try !holds(value) { look.report(kind, rule, place, wanted: wanted, got: value) }
    }
  }

  /// The schema `false`.
  static let never = test(.extra, "nothing") { _ in false }

  static func type(_ names: [String]) -> Self {
    let words = names.map { name in
      switch name {
      case "null": "null"
      case "integer", "array", "object": "an \(name)"
      default: "a \(name)"
      }
    }
    return test(.mistyped, ValueKind.alternatives(words)) { names.contains(where: $0.isOf) }
  }

  static func anyValue(of values: [JSONValue]) -> Self {
    let shown = values.prefix(8).map(\.shortText) + (values.count > 8 ? ["…"] : [])
    return test(.notAllowed, ValueKind.alternatives(shown)) { values.contains($0) }
  }

  static func bound(
    _ words: String, _ limit: JSONNumber,
    _ holds: @escaping @Sendable (JSONNumber, JSONNumber) -> Bool
  ) -> Self {
    test(.outOfRange, "\(words) \(limit.text)") { $0.number.map { holds($0, limit) } ?? true }
  }

  static func multiple(of divisor: JSONNumber) -> Self {
    test(.outOfRange, "a multiple of \(divisor.text)") {
      $0.number?.isMultiple(of: divisor) ?? true
    }
  }

  /// - Parameter size: `nil` of values that have none.
  static func size(
    atLeast least: Int? = nil, atMost most: Int? = nil, _ unit: String,
    _ size: @escaping @Sendable (JSONValue) -> Int?
  ) -> Self {
    let words = least.map { "at least \($0)" } ?? "at most \(most ?? 0)"
    return test(.outOfRange, "\(words) \(unit)") { value in
      size(value).map { $0 >= least ?? 0 && $0 <= most ?? .max } ?? true
    }
  }

  static func pattern(_ pattern: SearchPattern) -> Self {
    test(.notAllowed, "text that matches \(pattern.text)") { (value) throws(MatchingDoubt) in
      guard let text = value.string else { return true }
      return try pattern.isFound(in: text)
    }
  }

  static func format(_ format: JSONFormat) -> Self {
    test(.notAllowed, format.words) { $0.string.map(format.isOf) ?? true }
  }

  static let unique = test(.notAllowed, "items that are all different") { value in
    value.array.map { Set($0).count == $0.count } ?? true
  }
}

// MARK: - Objects and lists

extension JSONSchema.Check {
  static func required(_ keys: [String]) -> Self {
    Self { look, rule, value, place in
      if let object = value.object { look.reportMissing(keys, object, rule, place) }
    }
  }

  static func dependentRequired(_ others: [(key: String, needed: [String])]) -> Self {
    Self { look, rule, value, place in
      guard let object = value.object else { return }
      for (key, needed) in others where object[key] != nil {
        look.reportMissing(needed, object, rule, place)
      }
    }
  }

  static func dependentSchemas(_ schemas: [(key: String, node: Int)]) -> Self {
    Self(parts: schemas.map(\.node)) { (look, _, value, place) throws(MatchingDoubt) in
      for (key, node) in schemas where value[key] != nil { try look.check(node, value, at: place) }
    }
  }

  static func names(_ node: Int) -> Self {
    Self { (look, rule, value, place) throws(MatchingDoubt) in
      for key in value.object?.keys ?? [] {
        guard let first = try look.found(node, .string(key), .root).first else { continue }
        look.report(
          .extra, rule, .inMember(place, key), wanted: "a name that is \(first.wanted)",
          got: value[key])
      }
    }
  }

  static func members(_ rules: JSONSchema.MemberRules) -> Self {
    Self { (look, _, value, place) throws(MatchingDoubt) in
      for member in value.object?.members ?? [] {
        let place = JSONPlace.inMember(place, member.key)
        var nodes = rules.named[ByteText(member.key)].map { [$0] } ?? []
        for (pattern, node) in rules.patterns where try pattern.isFound(in: member.key) {
          nodes.append(node)
        }
        if nodes.isEmpty, let others = rules.others { nodes = [others] }
        for node in nodes { try look.check(node, member.value, at: place) }
      }
    }
  }

  static func elements(first: [Int], rest: Int?) -> Self {
    Self { (look, _, value, place) throws(MatchingDoubt) in
      for (index, element) in (value.array ?? []).enumerated() {
        guard let node = index < first.count ? first[index] : rest else { break }
        try look.check(node, element, at: .inElement(place, index))
      }
    }
  }

  static func contains(_ node: Int, least: Int, most: Int?) -> Self {
    Self { (look, rule, value, place) throws(MatchingDoubt) in
      guard let elements = value.array else { return }
      var count = 0
      for element in elements where try look.accepts(node, element) { count += 1 }
      guard count < least || count > most ?? .max else { return }
      let bound = count < least ? "at least \(least)" : "at most \(most ?? 0)"
      look.report(
        .outOfRange, rule, place, wanted: "\(bound) items that match \"contains\"", got: value)
    }
  }
}

// MARK: - Combinations

extension JSONSchema.Check {
  static func all(_ parts: [Int]) -> Self {
    Self(parts: parts) { (look, _, value, place) throws(MatchingDoubt) in
      for part in parts { try look.check(part, value, at: place) }
    }
  }

  static func any(_ parts: [Int]) -> Self {
    Self(parts: parts) { (look, rule, value, place) throws(MatchingDoubt) in
      let attempts = try look.attempts(parts, value, place)
      if !attempts.contains(where: \.isEmpty) { look.reportNone(of: attempts, rule, value, place) }
    }
  }

  static func one(_ parts: [Int]) -> Self {
    Self(parts: parts) { (look, rule, value, place) throws(MatchingDoubt) in
      let attempts = try look.attempts(parts, value, place)
      let count = attempts.count(where: \.isEmpty)
      if count == 0 { return look.reportNone(of: attempts, rule, value, place) }
      guard count > 1 else { return }
      look.report(
        .notAllowed, rule, place,
        wanted: "what exactly one of \(parts.count) alternatives describes, not \(count) of them",
        got: value)
    }
  }

  static func not(_ part: Int) -> Self {
    Self(parts: [part]) { (look, rule, value, place) throws(MatchingDoubt) in
      guard try look.accepts(part, value) else { return }
      look.report(.notAllowed, rule, place, wanted: "what \"not\" doesn't describe", got: value)
    }
  }

  static func conditional(if condition: Int, then: Int?, else otherwise: Int?) -> Self {
    let parts = [condition, then, otherwise].compactMap(\.self)
    return Self(parts: parts) { (look, _, value, place) throws(MatchingDoubt) in
      guard let branch = try look.accepts(condition, value) ? then : otherwise else { return }
      try look.check(branch, value, at: place)
    }
  }
}
