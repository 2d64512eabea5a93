import Foundation
import JSON
import SourceText

/// Looks at one value by the nodes of a schema.
struct JSONSchemaEvaluation {
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
    for rule in nodes[node].rules { try rule.check.look(&self, rule, value, place) }
  }

  /// What another look would report.
  mutating func found(
    _ node: Int, _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) -> [JSONSchema.Violation] {
    var other = Self(nodes: nodes, root: root, stepLimit: stepsLeft)
    try other.check(node, value, at: place)
    stepsLeft = other.stepsLeft
    return other.violations
  }

  mutating func accepts(_ node: Int, _ value: JSONValue) throws(MatchingDoubt) -> Bool {
    try found(node, value, .root).isEmpty
  }

  mutating func report(
    _ kind: JSONSchema.Violation.Kind, _ rule: JSONSchema.Rule, _ place: JSONPlace,
    wanted: String, got: JSONValue?
  ) {
    violations.append(
      .init(
        kind: kind, path: place.text, keyword: rule.keyword, wanted: wanted,
        got: got?.shortText, location: rule.location))
  }

  mutating func reportMissing(
    _ keys: [String], _ object: JSONObject, _ rule: JSONSchema.Rule, _ place: JSONPlace
  ) {
    for key in keys where object[key] == nil {
      report(.missing, rule, .inMember(place, key), wanted: "a value", got: nil)
    }
  }

  mutating func attempts(
    _ parts: [Int], _ value: JSONValue, _ place: JSONPlace
  ) throws(MatchingDoubt) -> [[JSONSchema.Violation]] {
    var attempts: [[JSONSchema.Violation]] = []
    for part in parts { attempts.append(try found(part, value, place)) }
    return attempts
  }

  /// Tells of the alternatives together where each wants another type, of the nearest one where that is
  /// clear.
  mutating func reportNone(
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
}

extension JSONValue {
  /// Compact JSON, cut where nobody would read on.
  package var shortText: String {
    let text = text()
    return text.count > 120 ? text.prefix(119) + "…" : text
  }

  func isOf(_ type: String) -> Bool {
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
  func isMultiple(of divisor: JSONNumber) -> Bool {
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
