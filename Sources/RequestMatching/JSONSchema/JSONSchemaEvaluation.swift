import Foundation
import JSON
import SourceText

/// Looks at one value by the nodes of a schema.
struct JSONSchemaEvaluation {
  private typealias Violation = JSONSchema.Violation

  let nodes: [JSONSchema.Node]
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
    _ node: Int, _ value: JSONValue, at place: JSONPlace
  ) throws(MatchingDoubt) {
    try step()
    for rule in nodes[node].rules { try check(rule, value, place) }
  }

  /// What another look would report.
  private mutating func found(
    _ node: Int, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) -> [JSONSchema.Violation] {
    var other = Self(nodes: nodes, root: root, stepLimit: stepsLeft)
    try other.check(node, value, at: place)
    stepsLeft = other.stepsLeft
    return other.violations
  }

  private mutating func accepts(_ node: Int, _ value: JSONValue) throws(MatchingDoubt) -> Bool {
    try found(node, value, .root).isEmpty
  }

  private mutating func report(
    _ kind: JSONSchema.Violation.Kind, _ rule: JSONSchema.Rule, _ place: JSONPlace,
    wanted: String, got: JSONValue?
  ) {
    violations.append(
      Violation(
        kind: kind, path: place.text, keyword: rule.keyword, wanted: wanted,
        got: got?.shortText, location: rule.location))
  }

  private mutating func check(
    _ rule: JSONSchema.Rule, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    switch rule.check {
    case .never: report(.extra, rule, place, wanted: "nothing", got: value)
    case .type(let names):
      guard !names.contains(where: value.isOf) else { return }
      report(.mistyped, rule, place, wanted: Self.words(forTypes: names), got: value)
    case .anyValue(let values):
      guard !values.contains(value) else { return }
      let shown = values.prefix(8).map(\.shortText)
      let wanted = ValueKind.alternatives(shown + (values.count > 8 ? ["…"] : []))
      report(.notAllowed, rule, place, wanted: wanted, got: value)
    case .bound, .multiple:
      if let number = value.number { check(rule, number, place) }
    case .size(let bound, let limit): check(rule, bound, limit, value, place)
    case .pattern(let pattern):
      guard case .string(let text) = value, try !pattern.isFound(in: text) else { return }
      report(.notAllowed, rule, place, wanted: "text that matches \(pattern.text)", got: value)
    case .format(let format):
      guard case .string(let text) = value, !format.isOf(text) else { return }
      report(.notAllowed, rule, place, wanted: format.words, got: value)
    case .required, .dependentRequired, .members, .names, .dependentSchemas:
      if case .object(let object) = value { try check(rule, object, value, place) }
    case .elements, .contains, .unique:
      if case .array(let elements) = value { try check(rule, elements, value, place) }
    case .all(let parts): for part in parts { try check(part, value, at: place) }
    case .any, .one, .not, .conditional: try checkCombined(rule, value, place)
    }
  }

  // MARK: - Scalars

  private mutating func check(_ rule: JSONSchema.Rule, _ number: JSONNumber, _ place: JSONPlace) {
    switch rule.check {
    case .bound(let bound, let limit):
      let (holds, words) =
        switch bound {
        case .minimum: (number >= limit, "at least")
        case .maximum: (number <= limit, "at most")
        case .exclusiveMinimum: (number > limit, "more than")
        case .exclusiveMaximum: (number < limit, "less than")
        }
      guard !holds else { return }
      report(.outOfRange, rule, place, wanted: "\(words) \(limit.text)", got: .number(number))
    case .multiple(let divisor):
      guard !number.isMultiple(of: divisor) else { return }
      report(
        .outOfRange, rule, place, wanted: "a multiple of \(divisor.text)", got: .number(number))
    default: break
    }
  }

  private mutating func check(
    _ rule: JSONSchema.Rule, _ bound: JSONSchema.SizeBound, _ limit: Int, _ value: JSONValue,
    _ place: JSONPlace
  ) {
    let (size, unit): (Int, String)
    switch (bound, value) {
    case (.minLength, .string(let text)), (.maxLength, .string(let text)):
      (size, unit) = (text.unicodeScalars.count, "characters")
    case (.minItems, .array(let elements)), (.maxItems, .array(let elements)):
      (size, unit) = (elements.count, "items")
    case (.minProperties, .object(let object)), (.maxProperties, .object(let object)):
      (size, unit) = (Set(object.keys.map(ByteText.init)).count, "properties")
    default: return
    }
    let isLeast =
      switch bound {
      case .minLength, .minItems, .minProperties: true
      case .maxLength, .maxItems, .maxProperties: false
      }
    guard isLeast ? size < limit : size > limit else { return }
    report(
      .outOfRange, rule, place, wanted: "at \(isLeast ? "least" : "most") \(limit) \(unit)",
      got: value)
  }

  // MARK: - Objects and lists

  private mutating func check(
    _ rule: JSONSchema.Rule, _ object: JSONObject, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    switch rule.check {
    case .required(let keys): reportMissing(keys, object, rule, place)
    case .dependentRequired(let others):
      for (key, needed) in others where object[key] != nil {
        reportMissing(needed, object, rule, place)
      }
    case .dependentSchemas(let schemas):
      for (key, node) in schemas where object[key] != nil {
        try check(node, value, at: place)
      }
    case .names(let node):
      for key in object.keys {
        guard let first = try found(node, .string(key), .root).first else { continue }
        report(
          .extra, rule, place.member(key), wanted: "a name that is \(first.wanted)",
          got: object[key])
      }
    case .members(let rules):
      for member in object.members { try check(member, rules, rule, place.member(member.key)) }
    default: break
    }
  }

  private mutating func reportMissing(
    _ keys: [String], _ object: JSONObject, _ rule: JSONSchema.Rule, _ place: JSONPlace
  ) {
    for key in keys where object[key] == nil {
      report(.missing, rule, place.member(key), wanted: "a value", got: nil)
    }
  }

  private mutating func check(
    _ member: JSONObject.Member, _ rules: JSONSchema.MemberRules, _ rule: JSONSchema.Rule,
    _ place: JSONPlace
  ) throws(MatchingDoubt) {
    var isKnown = false
    if let node = rules.named[ByteText(member.key)] {
      isKnown = true
      try check(node, member.value, at: place)
    }
    for (pattern, node) in rules.patterns where try pattern.isFound(in: member.key) {
      isKnown = true
      try check(node, member.value, at: place)
    }
    if !isKnown, let others = rules.others { try check(others, member.value, at: place) }
  }

  private mutating func check(
    _ rule: JSONSchema.Rule, _ elements: [JSONValue], _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    switch rule.check {
    case .elements(let first, let rest):
      for (index, element) in elements.enumerated() {
        guard let node = index < first.count ? first[index] : rest else { break }
        try check(node, element, at: place.element(index))
      }
    case .contains(let node, let least, let most):
      var count = 0
      for element in elements where try accepts(node, element) { count += 1 }
      if count < least || count > most ?? .max {
        let bound = count < least ? "at least \(least)" : "at most \(most ?? 0)"
        report(
          .outOfRange, rule, place, wanted: "\(bound) items that match \"contains\"", got: value)
      }
    case .unique:
      if Set(elements).count != elements.count {
        report(.notAllowed, rule, place, wanted: "items that are all different", got: value)
      }
    default: break
    }
  }

  // MARK: - Combinations

  private mutating func checkCombined(
    _ rule: JSONSchema.Rule, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) {
    switch rule.check {
    case .any(let parts):
      let attempts = try attempts(parts, value, place)
      if !attempts.contains(where: \.isEmpty) { reportNone(of: attempts, rule, value, place) }
    case .one(let parts):
      let attempts = try attempts(parts, value, place)
      let count = attempts.count(where: \.isEmpty)
      if count == 0 {
        reportNone(of: attempts, rule, value, place)
      } else if count > 1 {
        report(
          .notAllowed, rule, place,
          wanted: "what exactly one of \(parts.count) alternatives describes, not \(count) of them",
          got: value)
      }
    case .not(let part):
      if try accepts(part, value) {
        report(.notAllowed, rule, place, wanted: "what \"not\" doesn't describe", got: value)
      }
    case .conditional(let condition, let then, let otherwise):
      if let branch = try accepts(condition, value) ? then : otherwise {
        try check(branch, value, at: place)
      }
    default: break
    }
  }

  private mutating func attempts(
    _ parts: [Int], _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) -> [[JSONSchema.Violation]] {
    var attempts: [[JSONSchema.Violation]] = []
    for part in parts { attempts.append(try found(part, value, place)) }
    return attempts
  }

  /// Tells of the alternatives together where each wants another type, of the nearest one where that is
  /// clear.
  private mutating func reportNone(
    of attempts: [[JSONSchema.Violation]], _ rule: JSONSchema.Rule, _ value: JSONValue,
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

  private static func words(forTypes names: [String]) -> String {
    ValueKind.alternatives(
      names.map { name in
        switch name {
        case "null": "null"
        case "integer", "array", "object": "an \(name)"
        default: "a \(name)"
        }
      })
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

extension JSONNumber {
  /// Exact where 38 digits are enough.
  fileprivate func isMultiple(of divisor: JSONNumber) -> Bool {
    guard let value = double, let step = divisor.double, step != 0 else { return false }
    guard abs(value / step) < 1e25, let exact = Decimal(string: text),
      let exactStep = Decimal(string: divisor.text)
    else { return value.truncatingRemainder(dividingBy: step) == 0 }
    var (quotient, whole) = (exact / exactStep, Decimal())
    NSDecimalRound(&whole, &quotient, 0, .plain)
    return whole * exactStep == exact
  }
}

/// The values of `format` that are checked.
enum JSONFormat: String, Sendable {
  case dateTime = "date-time"
  case date, email, uri, uuid

  var words: String {
    switch self {
    case .dateTime: "a date and time, as 2026-01-01T00:00:00Z"
    case .date: "a date, as 2026-01-01"
    case .email: "an email address"
    case .uri: "an absolute URI"
    case .uuid: "a UUID"
    }
  }

  func isOf(_ text: String) -> Bool {
    switch self {
    // RFC 3339, section 5.6, a leap second included.
    case .dateTime:
      let pattern =
        /(.{10})[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+\-]([01][0-9]|2[0-3]):[0-5][0-9])/
      return text.wholeMatch(of: pattern).map { Self.date.isOf(String($0.1)) } ?? false
    case .date:
      let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy(Self.isDigitOrDash),
        let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
      else { return false }
      return (1...12).contains(month) && (1...Self.days(of: month, year)).contains(day)
    case .email:
      return text.wholeMatch(
        of: /[^\s@<>()\[\],;:"]+@[^\s@.<>()\[\],;:"_]+(\.[^\s@.<>()\[\],;:"_]+)*/)
        != nil && !text.hasPrefix(".") && !text.contains("..") && !text.contains(".@")
    case .uri:
      return text.wholeMatch(
        of: /[A-Za-z][A-Za-z0-9+.\-]*:([A-Za-z0-9\-._~:\/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*/)
        != nil
    case .uuid:
      return text.wholeMatch(
        of: /[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}/) != nil
    }
  }

  private static func isDigitOrDash(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
  }

  private static func days(of month: Int, _ year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}
