import JSON
import SourceText

/// Looks at one value by the nodes of a schema. A rule says nothing of values of a kind that its keyword
/// doesn't speak of.
struct JSONSchemaEvaluation {
  private typealias Rule = JSONSchema.Rule
  private typealias Node = JSONSchema.Node

  private let nodes: [JSONSchema.Node]
  /// What the schema is tried on as a whole.
  private let root: JSONValue
  private(set) var violations: [JSONSchema.Violation] = []
  /// Subschemas that may still be tried.
  private var stepsLeft: Int

  init(nodes: [JSONSchema.Node], root: JSONValue, stepLimit: Int) {
    self.nodes = nodes
    self.root = root
    stepsLeft = stepLimit
  }

  private mutating func step() throws(MatchingDoubt) {
    stepsLeft -= 1
    if stepsLeft & 0xFF == 0 { try MatchingStop.check() }
    if stepsLeft < 0 { throw .expensiveSchema(textLength: root.text().utf16.count) }
  }

  mutating func check(
    _ schema: Int, _ value: JSONValue, at place: JSONPlace
  ) throws(MatchingDoubt) {
    try step()
    let node = nodes[schema]
    for rule in node.rules { try check(rule, of: node, value, place) }
  }

  /// What another look would report.
  private mutating func found(
    _ schema: Int, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) -> [JSONSchema.Violation] {
    var other = Self(nodes: nodes, root: root, stepLimit: stepsLeft)
    try other.check(schema, value, at: place)
    stepsLeft = other.stepsLeft
    return other.violations
  }

  private mutating func accepts(
    _ schema: Int, _ value: JSONValue
  ) throws(MatchingDoubt) -> Bool {
    try found(schema, value, .root).isEmpty
  }

  private mutating func report(
    _ kind: JSONSchema.Violation.Kind, _ rule: Rule, _ place: JSONPlace, wanted: String,
    got: JSONValue?
  ) {
    violations.append(
      .init(
        kind: kind, path: place.text, keyword: rule.keyword.rawValue, wanted: wanted,
        got: got?.shortText, location: rule.location))
  }

  private mutating func reportMissing(
    _ keys: [String], in value: JSONValue, _ rule: Rule, _ place: JSONPlace
  ) {
    guard let object = value.object else { return }
    for key in keys where object[key] == nil {
      report(.missing, rule, .inMember(place, key), wanted: "a value", got: nil)
    }
  }

  // MARK: - Rules

  private mutating func check(
    _ rule: Rule, of node: Node, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    switch rule.argument {
    case .nothing: report(.extra, rule, place, wanted: "nothing", got: value)
    case .types(let names):
      if names.contains(where: value.isOf) { return }
      let words = names.map { name in
        switch name {
        case "null": "null"
        case "integer", "array", "object": "an \(name)"
        default: "a \(name)"
        }
      }
      report(.mistyped, rule, place, wanted: ValueKind.alternatives(words), got: value)
    case .values(let values):
      if values.contains(value) { return }
      let words = values.prefix(8).map(\.shortText) + (values.count > 8 ? ["…"] : [])
      report(.notAllowed, rule, place, wanted: ValueKind.alternatives(words), got: value)
    case .number(let limit): check(limit, rule, value, place)
    case .size(let limit): check(limit, rule, value, place)
    case .pattern(let pattern):
      guard let text = value.string, try !pattern.isFound(in: text) else { return }
      report(
        .notAllowed, rule, place, wanted: "text that matches \(pattern.text)", got: value)
    case .format(let format):
      guard let text = value.string, !format.isOf(text) else { return }
      report(.notAllowed, rule, place, wanted: format.words, got: value)
    case .unique:
      guard let elements = value.array, Set(elements).count < elements.count else { return }
      report(.notAllowed, rule, place, wanted: "items that are all different", got: value)
    case .keys(let keys): reportMissing(keys, in: value, rule, place)
    case .dependencies(let dependencies):
      for dependency in dependencies where value[dependency.key] != nil {
        reportMissing(dependency.keys, in: value, rule, place)
        if let schema = dependency.schema { try check(schema, value, at: place) }
      }
    case .schema(let schema): try check(schema, rule, of: node, value, place)
    case .schemas(let schemas): try check(schemas, rule, value, place)
    case .schemasByKey, .schemasByPattern: try checkMembers(of: value, rule, node, place)
    }
  }

  private mutating func check(
    _ limit: JSONNumber, _ rule: Rule, _ value: JSONValue, _ place: JSONPlace
  ) {
    guard let number = value.number else { return }
    let (holds, words) =
      switch rule.keyword {
      case .minimum: (number >= limit, "at least")
      case .maximum: (number <= limit, "at most")
      case .exclusiveMinimum: (number > limit, "more than")
      case .exclusiveMaximum: (number < limit, "less than")
      default: (number.isMultiple(of: limit), "a multiple of")
      }
    if !holds { report(.outOfRange, rule, place, wanted: "\(words) \(limit.text)", got: value) }
  }

  private mutating func check(
    _ limit: Int, _ rule: Rule, _ value: JSONValue, _ place: JSONPlace
  ) {
    let (size, unit): (Int?, String) =
      switch rule.keyword {
      case .minLength, .maxLength: (value.string?.unicodeScalars.count, "characters")
      case .minItems, .maxItems: (value.array?.count, "items")
      case .minProperties, .maxProperties:
        (value.object.map { Set($0.keys.map(ByteText.init)).count }, "properties")
      // Belongs to "contains".
      default: (nil, "")
      }
    guard let size else { return }
    let isLeast = [.minLength, .minItems, .minProperties].contains(rule.keyword)
    guard isLeast ? size < limit : size > limit else { return }
    let words = isLeast ? "at least" : "at most"
    report(.outOfRange, rule, place, wanted: "\(words) \(limit) \(unit)", got: value)
  }

  // MARK: - Subschemas

  private mutating func check(
    _ schema: Int, _ rule: Rule, of node: Node, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    switch rule.keyword {
    case .reference: try check(schema, value, at: place)
    case .not:
      guard try accepts(schema, value) else { return }
      report(.notAllowed, rule, place, wanted: "what \"not\" doesn't describe", got: value)
    case .if:
      let branch = try accepts(schema, value) ? node[.then] : node[.else]
      if case .schema(let branch)? = branch { try check(branch, value, at: place) }
    case .items:
      let first = if case .schemas(let first)? = node[.prefixItems] { first.count } else { 0 }
      try checkElements(of: value, from: first, schema, place)
    case .additionalItems:
      guard case .schemas(let first)? = node[.items] else { return }
      try checkElements(of: value, from: first.count, schema, place)
    case .contains: try checkContent(of: value, schema, rule, node, place)
    case .additionalProperties: try checkMembers(of: value, rule, node, place)
    case .propertyNames:
      for key in value.object?.keys ?? [] {
        guard let first = try found(schema, .string(key), .root).first else { continue }
        report(
          .extra, rule, .inMember(place, key), wanted: "a name that is \(first.wanted)",
          got: value[key])
      }
    // "then" and "else" belong to "if".
    default: break
    }
  }

  private mutating func check(
    _ schemas: [Int], _ rule: Rule, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    switch rule.keyword {
    case .allOf: for schema in schemas { try check(schema, value, at: place) }
    case .anyOf, .oneOf: try checkAlternatives(schemas, rule, value, place)
    // Of a list the first elements.
    default:
      for (index, (element, schema)) in zip(value.array ?? [], schemas).enumerated() {
        try check(schema, element, at: .inElement(place, index))
      }
    }
  }

  private mutating func checkElements(
    of value: JSONValue, from first: Int, _ schema: Int, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    for (index, element) in (value.array ?? []).enumerated().dropFirst(first) {
      try check(schema, element, at: .inElement(place, index))
    }
  }

  private mutating func checkContent(
    of value: JSONValue, _ schema: Int, _ rule: Rule, _ node: Node, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    guard let elements = value.array else { return }
    let least = if case .size(let size)? = node[.minContains] { size } else { 1 }
    let most = if case .size(let size)? = node[.maxContains] { size } else { Int.max }
    var count = 0
    for element in elements where try accepts(schema, element) { count += 1 }
    guard count < least || count > most else { return }
    let bound = count < least ? "at least \(least)" : "at most \(most)"
    report(
      .outOfRange, rule, place, wanted: "\(bound) items that match \"contains\"", got: value)
  }

  /// Looks by the keywords that depend on each other, at the first of them: so what is wrong is told in the
  /// order of the members.
  private mutating func checkMembers(
    of value: JSONValue, _ rule: Rule, _ node: Node, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    let together: [JSONSchema.Keyword] = [.properties, .patternProperties, .additionalProperties]
    guard let object = value.object,
      node.rules.first(where: { together.contains($0.keyword) })?.keyword == rule.keyword
    else { return }
    let named: [ByteText: Int] =
      if case .schemasByKey(let named)? = node[.properties] { named } else { [:] }
    let patterns: [(pattern: SearchPattern, schema: Int)] =
      if case .schemasByPattern(let patterns)? = node[.patternProperties] { patterns } else { [] }
    let others: Int? =
      if case .schema(let schema)? = node[.additionalProperties] { schema } else { nil }
    for member in object.members {
      let place = JSONPlace.inMember(place, member.key)
      var schemas = named[ByteText(member.key)].map { [$0] } ?? []
      for (pattern, schema) in patterns where try pattern.isFound(in: member.key) {
        schemas.append(schema)
      }
      if schemas.isEmpty, let others { schemas = [others] }
      for schema in schemas { try check(schema, member.value, at: place) }
    }
  }

  // MARK: - Alternatives

  private mutating func checkAlternatives(
    _ schemas: [Int], _ rule: Rule, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    var attempts: [[JSONSchema.Violation]] = []
    for schema in schemas { attempts.append(try found(schema, value, place)) }
    let count = attempts.count(where: \.isEmpty)
    if count == 0 { return reportNone(of: attempts, rule, value, place) }
    guard count > 1, rule.keyword == .oneOf else { return }
    report(
      .notAllowed, rule, place,
      wanted: "what exactly one of \(schemas.count) alternatives describes, not \(count) of them",
      got: value)
  }

  /// Tells of the alternatives together where each expects another type, of the nearest one where that is
  /// clear.
  private mutating func reportNone(
    of attempts: [[JSONSchema.Violation]], _ rule: Rule, _ value: JSONValue,
    _ place: JSONPlace
  ) {
    func isOfType(_ attempt: [JSONSchema.Violation]) -> Bool {
      attempt.contains { $0.kind == .mistyped && $0.path == place.text }
    }
    /// Fewest first, and of those what fails deepest: it came furthest.
    func rank(_ attempt: [JSONSchema.Violation]) -> (Int, Int) {
      (attempt.count, -(attempt.map(\.path.utf8.count).max() ?? 0))
    }
    let fitting = attempts.filter { !isOfType($0) }.sorted { rank($0) < rank($1) }
    if fitting.isEmpty, !attempts.isEmpty {
      let wanted = attempts.compactMap { $0.first(where: { $0.kind == .mistyped })?.wanted }
      report(.mistyped, rule, place, wanted: ValueKind.alternatives(wanted), got: value)
    } else if let nearest = fitting.first,
      fitting.count == 1 || rank(nearest) < rank(fitting[1])
    {
      violations += nearest
    } else {
      report(
        .notAllowed, rule, place,
        wanted: "what one of \(attempts.count) alternatives describes", got: value)
    }
  }
}

extension JSONValue {
  /// Compact JSON, cut where nobody would read on.
  package var shortText: String {
    let text = text()
    return text.count > 120 ? text.prefix(119) + "…" : text
  }

  fileprivate func isOf(_ type: String) -> Bool {
    switch (type, self) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("number", .number):
      true
    case ("integer", .number(let number)): number.isWhole
    default: false
    }
  }
}
