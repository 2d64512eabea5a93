import JSON
import SourceText

/// Reads a schema, subschema by subschema, each once.
final class JSONSchemaCompiler {
  private typealias Rule = JSONSchema.Rule

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
  func compiled() -> [JSONSchema.Node]? {
    let errors = diagnostics.diagnostics.count
    readDraft()
    guard let first = compile(root) else { return nil }
    reportCircle(from: first)
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

  // MARK: - Subschemas

  private func compile(_ node: JSONNode) -> Int? {
    if let index = known[node.location.range.lowerBound] { return index }
    let index = nodes.count
    nodes.append(JSONSchema.Node())
    known[node.location.range.lowerBound] = index
    switch node.value {
    case .bool(true): break
    case .bool(false):
      nodes[index].rules = [Rule(keyword: "false", location: node.location, check: .never)]
    case .object(let members):
      ObjectReader.reportDuplicates(in: members, diagnostics)
      nodes[index].rules = rules(members, node)
    case .invalid: return nil
    default:
      diagnostics.error(
        "A schema is an object, true or false, found \(node.foundDescription).", at: node.location)
      return nil
    }
    return index
  }

  private func rules(_ members: [JSONMember], _ node: JSONNode) -> [Rule] {
    if isDraft7, let reference = members.first(where: { $0.key == "$ref" }) {
      for member in members where member.key == "definitions" { _ = schemas(member) }
      return rule(reference, members).map { [$0] } ?? []
    }
    return members.compactMap { rule($0, members) }
  }

  private func schemas(_ member: JSONMember) -> [(key: String, node: Int)] {
    entries(member, "an object of schemas").compactMap { entry in
      compile(entry.value).map { (entry.key, $0) }
    }
  }

  /// The members of a keyword's object.
  ///
  /// - Returns: none where it isn't an object, which is reported.
  private func entries(_ member: JSONMember, _ words: String) -> [JSONMember] {
    guard let members = member.value.objectValue else {
      expected(words, member)
      return []
    }
    ObjectReader.reportDuplicates(in: members, diagnostics)
    return members
  }

  private func list(_ member: JSONMember) -> [Int]? {
    guard let elements = member.value.arrayValue, !elements.isEmpty else {
      expected("a list of schemas that isn't empty", member)
      return nil
    }
    return elements.compactMap(compile)
  }

  private func sibling(_ key: String, _ members: [JSONMember]) -> JSONMember? {
    members.first { $0.key == key }
  }

  private func subschema(_ key: String, _ members: [JSONMember]) -> Int? {
    sibling(key, members).flatMap { compile($0.value) }
  }

  // MARK: - Keywords

  private func rule(_ member: JSONMember, _ members: [JSONMember]) -> Rule? {
    check(member, members).map {
      Rule(keyword: member.key, location: member.keyLocation, check: $0)
    }
  }

  /// - Returns: `nil` where the keyword asks for nothing, or is wrong, which is reported.
  private func check(_ member: JSONMember, _ members: [JSONMember]) -> JSONSchema.Check? {
    let value = member.value
    switch member.key {
    case "$schema", "$id", "$comment", "title", "description", "default", "examples", "deprecated",
      "readOnly", "writeOnly", "contentEncoding", "contentMediaType", "self":
      return nil
    case "$defs", "definitions":
      _ = schemas(member)
      return nil
    case "$ref": return reference(value).map { .all([$0]) }
    case "type": return types(member).map { .type($0) }
    case "enum":
      guard let values = value.arrayValue else { return expected("a list", member) }
      return .anyValue(of: values.map { JSONValue($0) })
    case "const": return .anyValue(of: [JSONValue(value)])
    case "minimum": return bound("at least", member) { $0 >= $1 }
    case "maximum": return bound("at most", member) { $0 <= $1 }
    case "exclusiveMinimum": return bound("more than", member) { $0 > $1 }
    case "exclusiveMaximum": return bound("less than", member) { $0 < $1 }
    case "multipleOf":
      guard let number = number(member), number > JSONNumber(0) else {
        return expected("a number above 0", member)
      }
      return .multiple(of: number)
    case "minLength", "maxLength":
      return size(member, "characters") { $0.string?.unicodeScalars.count }
    case "minItems", "maxItems": return size(member, "items") { $0.array?.count }
    case "minProperties", "maxProperties":
      return size(member, "properties") { value in
        value.object.map { Set($0.keys.map(ByteText.init)).count }
      }
    case "pattern": return pattern(value.stringValue, value).map { .pattern($0) }
    case "format":
      guard let name = value.stringValue else { return expected("a string", member) }
      return JSONFormat(rawValue: name).map { .format($0) }
    default: return checkOfParts(member, members)
    }
  }

  private func checkOfParts(_ member: JSONMember, _ members: [JSONMember]) -> JSONSchema.Check? {
    let value = member.value
    switch member.key {
    case "required": return keys(member).map { .required($0) }
    case "dependentRequired":
      return .dependentRequired(
        entries(member, "an object of lists of keys").map { ($0.key, keys($0) ?? []) })
    case "properties", "patternProperties", "additionalProperties":
      // Read together, at the first of them.
      let together = ["properties", "patternProperties", "additionalProperties"]
      guard members.first(where: { together.contains($0.key) })?.key == member.key else {
        return nil
      }
      return .members(memberRules(members))
    case "propertyNames": return compile(value).map { .names($0) }
    case "dependentSchemas": return .dependentSchemas(schemas(member))
    case "dependencies": return dependencies(member)
    case "prefixItems":
      return list(member).map {
        .elements(first: $0, rest: subschema("items", members))
      }
    case "items": return items(member, members)
    case "contains":
      return compile(value).map {
        .contains(
          $0, least: sibling("minContains", members)?.value.integerValue ?? 1,
          most: sibling("maxContains", members)?.value.integerValue)
      }
    case "additionalItems", "minContains", "maxContains", "then", "else":
      // Read with the keyword that they belong to; by themselves they ask for nothing.
      if member.key.hasSuffix("Contains") { _ = limit(member) } else { _ = compile(value) }
      return nil
    case "uniqueItems":
      guard let isUnique = value.boolValue else { return expected("true or false", member) }
      return isUnique ? .unique : nil
    case "allOf": return list(member).map { .all($0) }
    case "anyOf": return list(member).map { .any($0) }
    case "oneOf": return list(member).map { .one($0) }
    case "not": return compile(value).map { .not($0) }
    case "if":
      return compile(value).map {
        .conditional(
          if: $0, then: subschema("then", members),
          else: subschema("else", members))
      }
    default:
      reportUnknown(member)
      return nil
    }
  }

  private func items(_ member: JSONMember, _ members: [JSONMember]) -> JSONSchema.Check? {
    if sibling("prefixItems", members) != nil { return nil }
    guard member.value.arrayValue != nil else {
      return compile(member.value).map { .elements(first: [], rest: $0) }
    }
    guard isDraft7 else {
      return expected(
        "a schema; a list of them is \"prefixItems\" in draft 2020-12, whose \"$schema\" is taken where"
          + " none is written", member)
    }
    let first = (member.value.arrayValue ?? []).compactMap(compile)
    return .elements(
      first: first, rest: subschema("additionalItems", members))
  }

  private func memberRules(_ members: [JSONMember]) -> JSONSchema.MemberRules {
    var rules = JSONSchema.MemberRules()
    if let named = sibling("properties", members) {
      rules.named = Dictionary(
        schemas(named).map { (ByteText($0.key), $0.node) },
        uniquingKeysWith: { first, _ in first })
    }
    let patterns = sibling("patternProperties", members)
    for entry in patterns.map({ entries($0, "an object of schemas") }) ?? [] {
      guard let pattern = pattern(entry.key, entry.value, at: entry.keyLocation),
        let node = compile(entry.value)
      else { continue }
      rules.patterns.append((pattern, node))
    }
    rules.others = subschema("additionalProperties", members)
    return rules
  }

  /// Draft 7's: lists of keys and schemas, which stand beside each other.
  private func dependencies(_ member: JSONMember) -> JSONSchema.Check? {
    let entries = self.entries(member, "an object of lists of keys and of schemas")
    let parts = entries.compactMap { entry -> Int? in
      let check: JSONSchema.Check?
      if entry.value.arrayValue != nil {
        check = keys(entry).map { .dependentRequired([(entry.key, $0)]) }
      } else {
        check = compile(entry.value).map { .dependentSchemas([(entry.key, $0)]) }
      }
      guard let check else { return nil }
      nodes.append(
        JSONSchema.Node(rules: [
          Rule(keyword: member.key, location: entry.keyLocation, check: check)
        ]))
      return nodes.count - 1
    }
    return .all(parts)
  }

  private func reportUnknown(_ member: JSONMember) {
    let known = [
      "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
      "multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minProperties",
      "maxProperties", "pattern", "format", "required", "properties", "patternProperties",
      "additionalProperties", "propertyNames", "items", "prefixItems", "contains", "uniqueItems",
      "allOf", "anyOf", "oneOf", "not", "dependentRequired", "dependentSchemas", "description",
    ]
    let isKnownElsewhere = [
      "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
      "$vocabulary", "unevaluatedProperties", "unevaluatedItems", "contentSchema", "id",
    ].contains(member.key)
    diagnostics.error(
      isKnownElsewhere
        ? "\"\(member.key)\" isn't supported in a schema here. Describe the same without it."
        : "Unknown keyword \"\(member.key)\" in a schema.", at: member.keyLocation,
      suggestions: isKnownElsewhere ? [] : Suggestions.closest(to: member.key, among: known))
  }

  // MARK: - Values of keywords

  private func expected<Result>(_ words: String, _ member: JSONMember) -> Result? {
    if !member.value.isInvalid {
      diagnostics.error(
        "\"\(member.key)\": expected \(words), found \(member.value.foundDescription).",
        at: member.value.location)
    }
    return nil
  }

  private func expected(_ words: String, _ member: JSONMember) {
    let _: Bool? = expected(words, member)
  }

  private static let typeNames = [
    "null", "boolean", "string", "array", "object", "number", "integer",
  ]

  private func types(_ member: JSONMember) -> [String]? {
    let written = member.value.arrayValue ?? [member.value]
    let names = written.compactMap(\.stringValue)
    guard names.count == written.count, !names.isEmpty else {
      return expected("the name of a type, or a list of them", member)
    }
    for node in written {
      guard let name = node.stringValue, !Self.typeNames.contains(name) else { continue }
      diagnostics.error(
        "\"\(name)\" isn't a type. There are "
          + ValueKind.alternatives(Self.typeNames.map { "\"\($0)\"" }) + ".", at: node.location,
        suggestions: Suggestions.closest(to: name, among: Self.typeNames))
    }
    return names
  }

  private func number(_ member: JSONMember) -> JSONNumber? {
    member.value.numberText.flatMap { JSONNumber($0) }
  }

  private func bound(
    _ words: String, _ member: JSONMember,
    _ holds: @escaping @Sendable (JSONNumber, JSONNumber) -> Bool
  ) -> JSONSchema.Check? {
    guard let number = number(member) else { return expected("a number", member) }
    return .bound(words, number, holds)
  }

  private func size(
    _ member: JSONMember, _ unit: String, _ size: @escaping @Sendable (JSONValue) -> Int?
  ) -> JSONSchema.Check? {
    limit(member).map { limit in
      member.key.hasPrefix("min")
        ? .size(atLeast: limit, unit, size) : .size(atMost: limit, unit, size)
    }
  }

  private func limit(_ member: JSONMember) -> Int? {
    guard let limit = member.value.integerValue, limit >= 0 else {
      return expected("a whole number from 0 up", member)
    }
    return limit
  }

  private func keys(_ member: JSONMember) -> [String]? {
    guard let elements = member.value.arrayValue else { return expected("a list of keys", member) }
    let keys = elements.compactMap(\.stringValue)
    guard keys.count == elements.count else { return expected("a list of keys", member) }
    return keys
  }

  private func pattern(
    _ text: String?, _ node: JSONNode, at location: SourceLocation? = nil
  ) -> SearchPattern? {
    guard let text else {
      diagnostics.error(
        "\"pattern\": expected a string, found \(node.foundDescription).", at: node.location)
      return nil
    }
    if let pattern = try? SearchPattern(text) { return pattern }
    diagnostics.error(
      "\"\(text)\" isn't a valid regular expression.", at: location ?? node.location)
    return nil
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
      diagnostics.error(
        "The reference \"\(text)\" leads nowhere.", at: node.location,
        suggestions: Suggestions.closest(to: text, among: definitionReferences))
      return nil
    }
    return compile(target)
  }

  private var definitionReferences: [String] {
    ["$defs", "definitions"].flatMap { group in
      (root[group]?.objectValue ?? []).map { "#/\(group)/\($0.key)" }
    }
  }

  /// RFC 6901.
  private func target(of pointer: String) -> JSONNode? {
    var node = root
    for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let key = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
      if let member = node[key] {
        node = member
      } else if let elements = node.arrayValue, let index = Int(key),
        elements.indices.contains(index)
      {
        node = elements[index]
      } else {
        return nil
      }
    }
    return node
  }

  /// A schema that leads back to itself without going into the value would never end.
  private func reportCircle(from first: Int) {
    var state: [Int: Bool] = [:]
    func visit(_ node: Int) -> SourceLocation? {
      if let isDone = state[node] { return isDone ? nil : nodes[node].rules.first?.location }
      state[node] = false
      for rule in nodes[node].rules {
        for next in rule.check.parts where visit(next) != nil { return rule.location }
      }
      state[node] = true
      return nil
    }
    for node in nodes.indices {
      guard let location = visit(node) else { continue }
      diagnostics.error(
        "This leads back to where it began, so that no value could be checked.", at: location)
      return
    }
  }
}
