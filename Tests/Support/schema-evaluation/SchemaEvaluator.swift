import JSON

/// Judges values by the part of JSON Schema that our schemas and those of our reports use.
///
/// A keyword that it does not know is a programming error, so that no rule is passed over in silence.
package struct SchemaEvaluator {
  private let root: JSONValue

  package init(root: JSONValue) {
    self.root = root
  }

  package func accepts(_ value: JSONValue) throws -> Bool { try accepts(value, root) }

  package struct UnknownKeyword: Error { package var keyword: String }

  private func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
    guard let keywords = schema.object else { return schema.bool ?? false }
    for member in keywords.members {
      guard try holds(member.key, member.value, value, keywords) else { return false }
    }
    return true
  }

  private func holds(
    _ keyword: String, _ argument: JSONValue, _ value: JSONValue, _ schema: JSONObject
  ) throws -> Bool {
    switch keyword {
    case "$schema", "$defs", "definitions", "title", "description", "default", "examples":
      return true
    // Not asserted, as is the rule unless a schema asks for it.
    case "format": return true
    case "$ref":
      let name = argument.string?.split(separator: "/").last.map(String.init) ?? ""
      guard let target = root["$defs"]?[name] ?? root["definitions"]?[name] else {
        throw UnknownKeyword(keyword: "$ref \(name)")
      }
      return try accepts(value, target)
    case "type":
      return (argument.array ?? [argument]).contains { isOf($0.string ?? "", value) }
    case "enum": return argument.array?.contains(value) ?? false
    case "const": return argument == value
    case "anyOf": return try argument.array?.contains { try accepts(value, $0) } ?? false
    case "oneOf":
      return try (argument.array ?? []).filter { try accepts(value, $0) }.count == 1
    case "allOf": return try argument.array?.allSatisfy { try accepts(value, $0) } ?? false
    case "not": return try !accepts(value, argument)
    case "if":
      let branch = try accepts(value, argument) ? schema["then"] : schema["else"]
      return try branch.map { try accepts(value, $0) } ?? true
    case "then", "else": return true
    default: return try holdsOfPart(keyword, argument, value, schema)
    }
  }

  private func holdsOfPart(
    _ keyword: String, _ argument: JSONValue, _ value: JSONValue, _ schema: JSONObject
  ) throws -> Bool {
    switch (keyword, value) {
    case ("minimum", _): return value.double.map { $0 >= argument.double ?? 0 } ?? true
    case ("maximum", _): return value.double.map { $0 <= argument.double ?? 0 } ?? true
    case ("minLength", _):
      return value.string.map { $0.unicodeScalars.count >= argument.int ?? 0 } ?? true
    case ("minItems", _):
      return value.array.map { $0.count >= argument.int ?? 0 } ?? true
    case ("uniqueItems", .array(let elements)):
      return argument != true || Set(elements).count == elements.count
    case ("minProperties", _):
      return value.object.map { $0.count >= argument.int ?? 0 } ?? true
    case ("pattern", .string(let text)):
      return try text.firstMatch(of: Regex(argument.string ?? "")) != nil
    case ("items", .array(let elements)):
      let first = schema["prefixItems"]?.array?.count ?? 0
      return try elements.dropFirst(first).allSatisfy { try accepts($0, argument) }
    case ("prefixItems", .array(let elements)):
      return try zip(elements, argument.array ?? []).allSatisfy { try accepts($0, $1) }
    case ("required", .object(let members)):
      return argument.array?.allSatisfy { members[$0.string ?? ""] != nil } ?? false
    case ("properties", .object(let members)):
      return try members.members.allSatisfy { member in
        try argument[member.key].map { try accepts(member.value, $0) } ?? true
      }
    case ("additionalProperties", .object(let members)):
      return try members.members.allSatisfy { member in
        try schema["properties"]?[member.key] != nil || accepts(member.value, argument)
      }
    case ("propertyNames", .object(let members)):
      return try members.keys.allSatisfy { try accepts(.string($0), argument) }
    case ("dependentRequired", .object(let members)):
      return members.keys.allSatisfy { key in
        (argument[key]?.array ?? []).allSatisfy { members[$0.string ?? ""] != nil }
      }
    case ("dependentSchemas", .object(let members)):
      return try members.keys.allSatisfy { key in
        try argument[key].map { try accepts(value, $0) } ?? true
      }
    case ("pattern", _), ("items", _), ("prefixItems", _), ("uniqueItems", _), ("required", _),
      ("properties", _),
      ("additionalProperties", _), ("propertyNames", _), ("dependentSchemas", _),
      ("dependentRequired", _):
      return true
    default: throw UnknownKeyword(keyword: keyword)
    }
  }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("number", .number):
      true
    case ("integer", .number(let number)): number.int != nil
    default: false
    }
  }
}
