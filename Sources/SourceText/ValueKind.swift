/// What a value of a file must look like; checked by `ObjectReader`, and told to editors by a schema.
package indirect enum ValueKind: Sendable {
  case string
  case nonEmptyString
  /// A string of a form that its decoder checks in detail.
  case text(TextForm)
  /// A variable's value: a string, a number or a boolean, which its decoder checks.
  case scalar
  case boolean
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  /// One of these words.
  case choice([String])
  /// Only `true`: a key that is its own meaning.
  case yes
  /// With fewer entries than `least` it says nothing, which its decoder explains.
  case list(ValueKind, least: Int = 0)
  /// An object with keys of the author's own.
  case map(ValueKind)
  /// An object with a shape of this name; its members are checked by the reader made for it.
  case object(String)
  case either([ValueKind])
  case any
}

/// What the text of a string must look like.
package struct TextForm: Sendable {
  /// What a message says is wanted: `an element path`.
  package var description: String
  /// The form as an ECMA-262 regular expression, for a schema.
  package var pattern: String

  package init(_ description: String, pattern: String) {
    self.description = description
    self.pattern = pattern
  }
}

extension ValueKind {
  package static let wholeNumber = ValueKind.integer(0...Int.max)
  package static let strings = ValueKind.list(.string)

  /// One of an enumeration's words.
  package static func choice<Choice>(_: Choice.Type) -> ValueKind
  where Choice: RawRepresentable<String> & CaseIterable {
    .choice(Choice.allCases.map(\.rawValue))
  }

  /// How many entries a list has at least; 0 for everything else.
  package var least: Int {
    if case .list(_, let least) = self { least } else { 0 }
  }

  /// What a message says is wanted: `a string`, `a whole number from 1 to 5`.
  package var description: String {
    switch self {
    case .string: "a string"
    case .nonEmptyString: "a string that is not empty"
    case .text(let form): form.description
    case .scalar: "a string, a number, true or false"
    case .boolean: "true or false"
    case .integer(let range): "a whole number" + Self.bounds(range.lowerBound, range.upperBound)
    case .number(let range): "a number" + Self.bounds(range.lowerBound, range.upperBound)
    case .choice(let words): Self.alternatives(words.map { "\"\($0)\"" })
    case .yes: "true"
    case .list(let kind, _): kind.plural.map { "a list of \($0)" } ?? "a list"
    case .map(let kind): kind.plural.map { "an object of \($0)" } ?? "an object"
    case .object: "an object"
    case .either(let kinds): Self.alternatives(kinds.map(\.description))
    case .any: "a value"
    }
  }

  private var plural: String? {
    switch self {
    case .string, .nonEmptyString, .text: "strings"
    case .object: "objects"
    case .integer, .number: "numbers"
    case .list: "lists"
    default: nil
    }
  }

  private static func bounds(_ low: Int, _ high: Int) -> String {
    switch (low, high) {
    case (.min, .max): ""
    case (_, .max): " from \(low) up"
    case (.min, _): " up to \(high)"
    default: " from \(low) to \(high)"
    }
  }

  private static func bounds(_ low: Double, _ high: Double) -> String {
    let from = low == -.greatestFiniteMagnitude ? "" : " from \(short(low))"
    return high == .greatestFiniteMagnitude ? from : from + " to \(short(high))"
  }

  private static func short(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }

  /// `a`, `a or b`, `a, b or c`.
  package static func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}
