import HarnessWire

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
    guard let keywords = schema.objectValue else { return schema.boolValue ?? false }
    for (keyword, argument) in keywords {
      guard try holds(keyword, argument, value, keywords) else { return false }
    }
    return true
  }

  private func holds(
    _ keyword: String, _ argument: JSONValue, _ value: JSONValue, _ schema: [String: JSONValue]
  ) throws -> Bool {
    switch keyword {
    case "$schema", "$defs", "definitions", "title", "description", "default", "examples":
      return true
    // Not asserted, as is the rule unless a schema asks for it.
    case "format": return true
    case "$ref":
      let name = argument.stringValue?.split(separator: "/").last.map(String.init) ?? ""
      guard let target = root["$defs"]?[name] ?? root["definitions"]?[name] else {
        throw UnknownKeyword(keyword: "$ref \(name)")
      }
      return try accepts(value, target)
    case "type":
      return (argument.arrayValue ?? [argument]).contains { isOf($0.stringValue ?? "", value) }
    case "enum": return argument.arrayValue?.contains(value) ?? false
    case "const": return argument == value
    case "anyOf": return try argument.arrayValue?.contains { try accepts(value, $0) } ?? false
    case "oneOf":
      return try (argument.arrayValue ?? []).filter { try accepts(value, $0) }.count == 1
    case "allOf": return try argument.arrayValue?.allSatisfy { try accepts(value, $0) } ?? false
    case "not": return try !accepts(value, argument)
    default: return try holdsOfPart(keyword, argument, value, schema)
    }
  }

  private func holdsOfPart(
    _ keyword: String, _ argument: JSONValue, _ value: JSONValue, _ schema: [String: JSONValue]
  ) throws -> Bool {
    switch (keyword, value) {
    case ("minimum", _): return value.doubleValue.map { $0 >= argument.doubleValue ?? 0 } ?? true
    case ("maximum", _): return value.doubleValue.map { $0 <= argument.doubleValue ?? 0 } ?? true
    case ("minLength", _):
      return value.stringValue.map { $0.unicodeScalars.count >= argument.integerValue ?? 0 } ?? true
    case ("minItems", _):
      return value.arrayValue.map { $0.count >= argument.integerValue ?? 0 } ?? true
    case ("uniqueItems", .array(let elements)):
      return argument != true || Set(elements).count == elements.count
    case ("minProperties", _):
      return value.objectValue.map { $0.count >= argument.integerValue ?? 0 } ?? true
    case ("pattern", .string(let text)):
      return try text.firstMatch(of: Regex(argument.stringValue ?? "")) != nil
    case ("items", .array(let elements)):
      return try elements.allSatisfy { try accepts($0, argument) }
    case ("required", .object(let members)):
      return argument.arrayValue?.allSatisfy { members[$0.stringValue ?? ""] != nil } ?? false
    case ("properties", .object(let members)):
      return try members.allSatisfy { key, member in
        try argument[key].map { try accepts(member, $0) } ?? true
      }
    case ("additionalProperties", .object(let members)):
      return try members.allSatisfy { key, member in
        try schema["properties"]?[key] != nil || accepts(member, argument)
      }
    case ("propertyNames", .object(let members)):
      return try members.keys.allSatisfy { try accepts(.string($0), argument) }
    case ("dependentRequired", .object(let members)):
      return members.keys.allSatisfy { key in
        (argument[key]?.arrayValue ?? []).allSatisfy { members[$0.stringValue ?? ""] != nil }
      }
    case ("dependentSchemas", .object(let members)):
      return try members.keys.allSatisfy { key in
        try argument[key].map { try accepts(value, $0) } ?? true
      }
    case ("pattern", _), ("items", _), ("uniqueItems", _), ("required", _), ("properties", _),
      ("additionalProperties", _), ("propertyNames", _), ("dependentSchemas", _),
      ("dependentRequired", _):
      return true
    default: throw UnknownKeyword(keyword: keyword)
    }
  }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("number", .integer), ("number", .number), ("integer", .integer):
      true
    case ("integer", .number(let number)): number.rounded() == number
    default: false
    }
  }
}
