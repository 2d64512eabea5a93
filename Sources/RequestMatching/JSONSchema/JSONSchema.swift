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
  }

  struct Rule: Sendable {
    var keyword: String
    var location: SourceLocation
    var check: Check
  }

  /// What a keyword asks for; numbers are places in `nodes`.
  enum Check: Sendable {
    /// The schema `false`.
    case never
    case type([String])
    case anyValue(of: [JSONValue])
    case bound(NumericBound, JSONNumber)
    case multiple(of: JSONNumber)
    case size(SizeBound, Int)
    case pattern(SearchPattern)
    case format(JSONFormat)
    case required([String])
    case dependentRequired([(key: String, needed: [String])])
    case members(MemberRules)
    case names(Int)
    case dependentSchemas([(key: String, node: Int)])
    case elements(first: [Int], rest: Int?)
    case contains(Int, least: Int, most: Int?)
    case unique
    case all([Int])
    case any([Int])
    case one([Int])
    case not(Int)
    case conditional(if: Int, then: Int?, else: Int?)
  }

  enum NumericBound: Sendable { case minimum, maximum, exclusiveMinimum, exclusiveMaximum }

  enum SizeBound: Sendable {
    case minLength, maxLength, minItems, maxItems, minProperties, maxProperties
  }

  /// `properties`, `patternProperties` and `additionalProperties`, which depend on each other.
  struct MemberRules: Sendable {
    /// By their keys.
    var named: [ByteText: Int] = [:]
    var patterns: [(pattern: SearchPattern, node: Int)] = []
    var others: Int?
  }

  var nodes: [Node]

  /// Reads a schema; what is wrong with it is reported.
  ///
  /// - Returns: `nil` where something is wrong.
  package init?(_ root: JSONNode, _ diagnostics: DiagnosticCollector) {
    let compiler = JSONSchemaCompiler(root, diagnostics)
    guard let nodes = compiler.compiled() else { return nil }
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

  func member(_ key: String) -> JSONPlace { .inMember(self, key) }
  func element(_ index: Int) -> JSONPlace { .inElement(self, index) }

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
  /// Every string in the value, with its place as the keys of `where` have it.
  func forEachString(_ body: (_ place: JSONPlace, _ text: String) -> Void) {
    forEachLeaf(at: .root) { place, leaf in
      if case .string(let text) = leaf { body(place, text) }
    }
  }

  /// The names of the members of all objects in the value, each with its place.
  func forEachMember(
    at place: JSONPlace = .root, _ body: (_ place: JSONPlace, _ name: String) -> Void
  ) {
    switch self {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        element.forEachMember(at: place.element(index), body)
      }
    case .object(let object):
      for member in object.members {
        let inner = place.member(member.key)
        body(inner, member.key)
        member.value.forEachMember(at: inner, body)
      }
    default: break
    }
  }

  /// The places of everything that is neither an object nor a list.
  package var leafPaths: [String] {
    var paths: [String] = []
    forEachLeaf(at: .root) { place, _ in paths.append(place.text) }
    return paths
  }

  private func forEachLeaf(at place: JSONPlace, _ body: (JSONPlace, JSONValue) -> Void) {
    switch self {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        element.forEachLeaf(at: place.element(index), body)
      }
    case .object(let object):
      for member in object.members {
        member.value.forEachLeaf(at: place.member(member.key), body)
      }
    default: body(place, self)
    }
  }
}
