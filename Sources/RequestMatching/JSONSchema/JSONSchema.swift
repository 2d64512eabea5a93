import JSON
import SourceText

/// A JSON Schema (draft 2020-12 or draft 7), read from a file that people write.
///
/// It has the keywords that describe data; what it doesn't know is an error when the schema is read, so that
/// no rule is passed over in silence. References stay within the file. `format` is checked for `date-time`,
/// `date`, `email`, `uri` and `uuid`, and says nothing otherwise.
package struct JSONSchema: Sendable {
  /// One subschema: all of its rules must hold.
  struct Node: Sendable {
    var rules: [Rule] = []

    /// What stands beside a keyword that another one looks at.
    subscript(keyword: Keyword) -> Argument? { rules.first { $0.keyword == keyword }?.argument }
  }

  struct Rule: Sendable {
    var keyword: Keyword
    var argument: Argument
    var location: SourceLocation
  }

  let nodes: [Node]

  /// Reads a schema; what is wrong with it is reported.
  ///
  /// - Returns: `nil` where something is wrong.
  package init?(_ root: JSONNode, _ diagnostics: DiagnosticCollector) {
    guard let nodes = JSONSchemaReader(root, diagnostics).read() else { return nil }
    self.nodes = nodes
  }

  /// A place in a value where a rule of a schema doesn't hold.
  package struct Violation: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
      case missing, extra, mistyped, outOfRange, notAllowed
    }

    package var kind: Kind
    /// As the keys of `where`: `properties.adId`, `items[0].id`; empty for the value as a whole.
    package var path: String
    package var keyword: String
    /// What the rule asks for: `an integer`, `at most 20`.
    package var wanted: String
    /// JSON, shortened; `nil` where nothing is there.
    package var got: String?
    /// Where the rule is written.
    package var location: SourceLocation
  }

  /// Where a value isn't as the schema describes it, in the order of its members; empty where it is.
  ///
  /// - Parameter stepLimit: how many subschemas are tried at most; the same on every machine, unlike a time.
  /// - Throws: where nobody can tell in reasonable time.
  package func violations(
    of value: JSONValue, stepLimit: Int = 500_000
  ) throws(MatchingDoubt) -> [Violation] {
    var evaluation = JSONSchemaEvaluation(nodes: nodes, root: value, stepLimit: stepLimit)
    try evaluation.check(0, value, at: .root)
    return evaluation.violations
  }

  package func accepts(_ value: JSONValue) throws(MatchingDoubt) -> Bool {
    try violations(of: value).isEmpty
  }
}

extension JSONSchema {
  enum Keyword: String, Sendable, CaseIterable {
    /// Stands for a schema that is nothing but this word.
    case `false`
    case type, `enum`, const, pattern, format
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    case minLength, maxLength, minItems, maxItems, minProperties, maxProperties
    case required, dependentRequired, dependentSchemas, dependencies
    case properties, patternProperties, additionalProperties, propertyNames
    case items, prefixItems, additionalItems, contains, minContains, maxContains, uniqueItems
    case allOf, anyOf, oneOf, not, `if`, then, `else`
    case reference = "$ref"
    case definitions
    case newDefinitions = "$defs"
    // What describes no data.
    case schema = "$schema"
    case id = "$id"
    case comment = "$comment"
    case title, description, `default`, examples, deprecated, readOnly, writeOnly
    case contentEncoding, contentMediaType
    /// Iglu's.
    case ofItself = "self"
  }

  /// What is written after a keyword; subschemas by their places in `nodes`.
  enum Argument: Sendable {
    case nothing
    case types([String])
    /// One of them.
    case values([JSONValue])
    case number(JSONNumber)
    case size(Int)
    case pattern(SearchPattern)
    case format(JSONFormat)
    /// All elements are different.
    case unique
    case keys([String])
    /// What is needed where a key is there.
    case dependencies([(key: String, keys: [String], schema: Int?)])
    case schema(Int)
    case schemas([Int])
    case schemasByKey([ByteText: Int])
    case schemasByPattern([(pattern: SearchPattern, schema: Int)])
  }
}

/// A regular expression that a part of a text must match, as `pattern` has it: one of ECMA-262.
struct SearchPattern: Sendable {
  let text: String
  private let pattern: TextPattern

  init(_ text: String) throws {
    self.text = text
    // By itself first: `a)(b` is no expression, although it becomes one between parentheses.
    _ = try TextPattern(text)
    pattern = try TextPattern(".*?(?:\(RegularExpressionSyntax.withECMALineBreaks(text))).*")
  }

  func isFound(in text: String) throws(MatchingDoubt) -> Bool { try pattern.matches(text.utf8) }
}

/// Where a part of a value is.
indirect enum JSONPlace {
  case root
  case inMember(JSONPlace, String)
  case inElement(JSONPlace, Int)

  /// As the keys of `where` have it; made where somebody is told, which is far from each place.
  var text: String {
    switch self {
    case .root: ""
    case .inElement(let parent, let index): parent.text + "[\(index)]"
    case .inMember(let parent, let key): parent.text + Self.step(to: key, isFirst: parent.isRoot)
    }
  }

  private var isRoot: Bool { if case .root = self { true } else { false } }

  private static func step(to key: String, isFirst: Bool) -> String {
    let isPlain =
      key.first.map { $0.isLetter || $0 == "_" } == true
      && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    if isPlain { return isFirst ? key : "." + key }
    return "['\(key.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
  }
}

extension JSONValue {
  /// The value and everything in it, each with its place.
  func forEachValue(at place: JSONPlace = .root, _ body: (JSONPlace, JSONValue) -> Void) {
    body(place, self)
    switch self {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        element.forEachValue(at: .inElement(place, index), body)
      }
    case .object(let object):
      for member in object.members {
        member.value.forEachValue(at: .inMember(place, member.key), body)
      }
    default: break
    }
  }

  /// The places of everything that is neither an object nor a list.
  package var leafPaths: [String] {
    var paths: [String] = []
    forEachValue { place, value in if !value.isContainer { paths.append(place.text) } }
    return paths
  }
}
