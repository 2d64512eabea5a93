import JSON
import SourceText

/// Reads a schema, subschema by subschema, each once.
final class JSONSchemaReader {
  private typealias Keyword = JSONSchema.Keyword
  private typealias Argument = JSONSchema.Argument

  private let root: JSONNode
  private let diagnostics: DiagnosticCollector
  private var nodes: [JSONSchema.Node] = []
  /// By where they begin in the file.
  private var known: [Int: Int] = [:]
  /// In draft 7, what stands beside `$ref` is ignored, and `items` may be a list.
  private var isDraft7 = false

  init(_ root: JSONNode, _ diagnostics: DiagnosticCollector) {
    self.root = root
    self.diagnostics = diagnostics
  }

  /// - Returns: the root first; `nil` where something is wrong, which is reported.
  func read() -> [JSONSchema.Node]? {
    let errors = diagnostics.diagnostics.count
    readDraft()
    guard schema(root) != nil else { return nil }
    reportCircle()
    return diagnostics.diagnostics.count == errors ? nodes : nil
  }

  private func readDraft() {
    guard let node = root["$schema"], let text = node.stringValue else { return }
    let name = text.hasSuffix("#") ? String(text.dropLast()) : text
    switch name {
    case "https://json-schema.org/draft/2020-12/schema": break
    case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema":
      isDraft7 = true
    default:
      // Iglu's schemas name their own, which is based on an older draft of the same keywords.
      isDraft7 = name.contains("com.snowplowanalytics.self-desc")
      guard !isDraft7 else { return }
      diagnostics.error(
        "\"\(text)\" isn't a known draft. Known are https://json-schema.org/draft/2020-12/schema and"
          + " http://json-schema.org/draft-07/schema#.", at: node.location)
    }
  }

  private func schema(_ node: JSONNode) -> Int? {
    let start = node.location.range.lowerBound
    if let index = known[start] { return index }
    let index = nodes.count
    nodes.append(JSONSchema.Node())
    known[start] = index
    switch node.value {
    case .bool(true): break
    case .bool(false):
      nodes[index].rules = [.init(keyword: .false, argument: .nothing, location: node.location)]
    case .object(let members):
      ObjectReader.reportDuplicates(in: members, diagnostics)
      let isReference = isDraft7 && members.contains { $0.key == Keyword.reference.rawValue }
      nodes[index].rules = members.compactMap { member in
        !isReference || ["$ref", "definitions"].contains(member.key) ? rule(member) : nil
      }
    case .invalid: return nil
    default:
      diagnostics.error(
        "A schema is an object, true or false, found \(node.foundDescription).", at: node.location)
      return nil
    }
    return index
  }

  private func rule(_ member: JSONMember) -> JSONSchema.Rule? {
    guard let keyword = Keyword(rawValue: member.key), keyword != .false else {
      reportUnknown(member)
      return nil
    }
    return argument(keyword, member).map {
      .init(keyword: keyword, argument: $0, location: member.keyLocation)
    }
  }

  private func reportUnknown(_ member: JSONMember) {
    let isKnownElsewhere = [
      "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
      "$vocabulary", "unevaluatedProperties", "unevaluatedItems", "contentSchema", "id",
    ].contains(member.key)
    let known = Keyword.allCases.filter { $0 != .false }.map(\.rawValue)
    diagnostics.error(
      isKnownElsewhere
        ? "\"\(member.key)\" isn't supported in a schema here. Describe the same without it."
        : "Unknown keyword \"\(member.key)\" in a schema.", at: member.keyLocation,
      suggestions: isKnownElsewhere ? [] : Suggestions.closest(to: member.key, among: known))
  }

  // MARK: - Arguments

  /// - Returns: `nil` where the keyword asks for nothing, or is wrong, which is reported.
  private func argument(_ keyword: Keyword, _ member: JSONMember) -> Argument? {
    let value = member.value
    switch keyword {
    case .false, .schema, .id, .comment, .title, .description, .default, .examples, .deprecated,
      .readOnly, .writeOnly, .contentEncoding, .contentMediaType, .ofItself:
      return nil
    case .type: return types(member).map { .types($0) }
    case .enum:
      return value.arrayValue.map { .values($0.map { JSONValue($0) }) }
        ?? expected("a list", member)
    case .const: return .values([JSONValue(value)])
    case .pattern:
      guard let text = value.stringValue else { return expected("a string", member) }
      return pattern(text, at: value.location).map { .pattern($0) }
    case .format:
      guard let name = value.stringValue else { return expected("a string", member) }
      return JSONFormat(rawValue: name).map { .format($0) }
    case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum:
      return number(value).map { .number($0) } ?? expected("a number", member)
    case .multipleOf:
      guard let number = number(value), number > JSONNumber(0) else {
        return expected("a number above 0", member)
      }
      return .number(number)
    case .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties, .minContains,
      .maxContains:
      guard let size = value.integerValue, size >= 0 else {
        return expected("a whole number from 0 up", member)
      }
      return .size(size)
    case .uniqueItems:
      guard let isUnique = value.boolValue else { return expected("true or false", member) }
      return isUnique ? .unique : nil
    case .required: return keys(member).map { .keys($0) }
    case .dependentRequired, .dependentSchemas, .dependencies:
      return .dependencies(dependencies(keyword, member))
    case .properties, .definitions, .newDefinitions:
      let schemas = entries(member, "an object of schemas").compactMap { entry in
        schema(entry.value).map { (ByteText(entry.key), $0) }
      }
      return .schemasByKey(Dictionary(schemas) { first, _ in first })
    case .patternProperties:
      return .schemasByPattern(
        entries(member, "an object of schemas").compactMap { entry in
          guard let pattern = pattern(entry.key, at: entry.keyLocation),
            let schema = schema(entry.value)
          else { return nil }
          return (pattern, schema)
        })
    case .items where value.arrayValue != nil:
      guard isDraft7 else {
        return expected(
          "a schema; a list of them is \"prefixItems\" in draft 2020-12, whose \"$schema\" is taken where"
            + " none is written", member)
      }
      return .schemas((value.arrayValue ?? []).compactMap(schema))
    case .items, .additionalItems, .additionalProperties, .propertyNames, .contains, .not, .if,
      .then, .else:
      return schema(value).map { .schema($0) }
    case .prefixItems, .allOf, .anyOf, .oneOf:
      guard let elements = value.arrayValue, !elements.isEmpty else {
        return expected("a list of schemas that isn't empty", member)
      }
      return .schemas(elements.compactMap(schema))
    case .reference: return reference(value).map { .schema($0) }
    }
  }

  private func expected<Result>(_ words: String, _ member: JSONMember) -> Result? {
    if !member.value.isInvalid {
      diagnostics.error(
        "\"\(member.key)\": expected \(words), found \(member.value.foundDescription).",
        at: member.value.location)
    }
    return nil
  }

  private static let typeNames = [
    "null", "boolean", "string", "array", "object", "number", "integer",
  ]

  private func types(_ member: JSONMember) -> [String]? {
    let written = member.value.arrayValue ?? [member.value]
    guard let names = written.allMapped(\.stringValue), !names.isEmpty else {
      return expected("the name of a type, or a list of them", member)
    }
    for (name, node) in zip(names, written) where !Self.typeNames.contains(name) {
      diagnostics.error(
        "\"\(name)\" isn't a type. There are "
          + ValueKind.alternatives(Self.typeNames.map { "\"\($0)\"" }) + ".", at: node.location,
        suggestions: Suggestions.closest(to: name, among: Self.typeNames))
    }
    return names
  }

  private func number(_ node: JSONNode) -> JSONNumber? {
    node.numberText.flatMap { JSONNumber($0) }
  }

  private func keys(_ member: JSONMember) -> [String]? {
    member.value.arrayValue?.allMapped(\.stringValue) ?? expected("a list of keys", member)
  }

  private func pattern(_ text: String, at location: SourceLocation) -> SearchPattern? {
    if let pattern = try? SearchPattern(text) { return pattern }
    diagnostics.error("\"\(text)\" isn't a valid regular expression.", at: location)
    return nil
  }

  /// The members of a keyword's object.
  ///
  /// - Returns: none where it isn't an object, which is reported.
  private func entries(_ member: JSONMember, _ words: String) -> [JSONMember] {
    guard let members = member.value.objectValue else { return expected(words, member) ?? [] }
    ObjectReader.reportDuplicates(in: members, diagnostics)
    return members
  }

  /// In draft 7, lists of keys and schemas stand beside each other.
  private func dependencies(
    _ keyword: Keyword, _ member: JSONMember
  ) -> [(key: String, keys: [String], schema: Int?)] {
    let words =
      switch keyword {
      case .dependentRequired: "an object of lists of keys"
      case .dependentSchemas: "an object of schemas"
      default: "an object of lists of keys and of schemas"
      }
    return entries(member, words).map { entry in
      let isList =
        keyword == .dependentRequired
        || keyword == .dependencies && entry.value.arrayValue != nil
      return isList ? (entry.key, keys(entry) ?? [], nil) : (entry.key, [], schema(entry.value))
    }
  }

  // MARK: - References

  private func reference(_ node: JSONNode) -> Int? {
    guard let text = node.stringValue else {
      diagnostics.error(
        "\"$ref\": expected a string, found \(node.foundDescription).", at: node.location)
      return nil
    }
    guard text.hasPrefix("#"), let pointer = text.dropFirst().removingPercentEncoding,
      pointer.isEmpty || pointer.hasPrefix("/")
    else {
      diagnostics.error(
        "The reference \"\(text)\" leads out of this file. Copy what it means under \"$defs\", and refer"
          + " to it as \"#/$defs/…\".", at: node.location)
      return nil
    }
    guard let target = target(of: pointer) else {
      let definitions = ["$defs", "definitions"].flatMap { group in
        (root[group]?.objectValue ?? []).map { "#/\(group)/\($0.key)" }
      }
      diagnostics.error(
        "The reference \"\(text)\" leads nowhere.", at: node.location,
        suggestions: Suggestions.closest(to: text, among: definitions))
      return nil
    }
    return schema(target)
  }

  /// RFC 6901.
  private func target(of pointer: String) -> JSONNode? {
    var node = root
    for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let key = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
      let elements = node.arrayValue ?? []
      let element = Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      guard let next = node[key] ?? element else { return nil }
      node = next
    }
    return node
  }

  /// A schema that leads back to itself without going into the value would never end.
  private func reportCircle() {
    var areDone: [Int: Bool] = [:]
    func leadsBack(_ node: Int) -> Bool {
      if let isDone = areDone[node] { return !isDone }
      areDone[node] = false
      if nodes[node].rules.contains(where: { $0.schemasInPlace.contains(where: leadsBack) }) {
        return true
      }
      areDone[node] = true
      return false
    }
    guard let first = nodes.indices.first(where: leadsBack),
      let rule = nodes[first].rules.first(where: { !$0.schemasInPlace.isEmpty })
    else { return }
    diagnostics.error(
      "This leads back to where it began, so that no value could be checked.", at: rule.location)
  }
}

extension JSONSchema.Rule {
  /// The subschemas that look at the same value.
  fileprivate var schemasInPlace: [Int] {
    switch (keyword, argument) {
    case (.reference, .schema(let schema)), (.not, .schema(let schema)), (.if, .schema(let schema)),
      (.then, .schema(let schema)), (.else, .schema(let schema)):
      [schema]
    case (.allOf, .schemas(let schemas)), (.anyOf, .schemas(let schemas)),
      (.oneOf, .schemas(let schemas)):
      schemas
    case (_, .dependencies(let dependencies)): dependencies.compactMap(\.schema)
    default: []
    }
  }
}
