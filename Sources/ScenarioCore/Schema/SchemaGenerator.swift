import HarnessProtocol
import JSON
import RequestMatching
import SourceText
import StubMappings

/// Writes JSON Schemas (2020-12) from the tables that the decoders read by.
package struct SchemaGenerator {
  let subject: SchemaSubject
  /// Whether a string with `${name}` may stand for a value.
  private var hasVariables: Bool { subject == .scenario || subject == .steps }

  package init(_ subject: SchemaSubject) {
    self.subject = subject
  }

  /// The schema as indented JSON, keys sorted, a line break at its end.
  package func text() -> String {
    schema().text(JSONStyle(isPretty: true, sortsKeys: true)) + "\n"
  }

  package func schema() -> JSONValue {
    var schema = root()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = .string(subject.title)
    let definitions = definitions()
    if !definitions.isEmpty { schema["$defs"] = .object(definitions) }
    return .object(schema)
  }

  private func root() -> JSONObject {
    switch subject {
    case .scenario: scenario()
    case .steps: object(ScenarioShapes.steps)
    case .configuration: object(ConfigurationDecoder.shape)
    case .stubs:
      ["anyOf": .array([.object(object(StubShapes.file)), .object(mapping())])]
    }
  }

  private func definitions() -> JSONObject {
    switch subject {
    case .scenario, .steps: scenarioDefinitions()
    case .stubs:
      [
        "mapping": .object(mapping()), "response": .object(response()),
        "request": .object(pattern(RequestPatternShape.pattern)),
      ] + matcherDefinitions()
    case .configuration:
      [
        "network": .object(object(ConfigurationDecoder.network)),
        "lint": .object(object(ConfigurationDecoder.lint)),
      ] + decoderDefinitions()
    }
  }

  /// A scenario: it does or asks for something, or says why it doesn't.
  private func scenario() -> JSONObject {
    var schema = object(ScenarioShapes.scenario)
    let oneOrMore: JSONValue = ["minItems": 1]
    var properties = schema["properties"]?.object ?? [:]
    var actions = properties["actions"]?.object ?? [:]
    let reference = actions["items"] ?? [:]
    actions["prefixItems"] = [["anyOf": [reference, ["$ref": "#/$defs/launch"]]]]
    properties["actions"] = .object(actions)
    schema["properties"] = .object(properties)
    schema["anyOf"] = [
      ["required": ["skip"]], ["properties": ["actions": oneOrMore]],
      ["properties": ["expected": oneOrMore], "required": ["expected"]],
    ]
    return schema
  }

  private func scenarioDefinitions() -> JSONObject {
    var definitions: JSONObject = [
      "action": .object(action()),
      "expectation": [
        "if": ["required": ["event"]], "then": .object(eventExpectation()),
        "else": .object(expectation()),
      ],
      "count": .object(count()),
      "payload": [
        "type": "object", "required": ["aps"], "properties": ["aps": ["type": "object"]],
      ],
    ]
    definitions = definitions + (subject == .scenario ? decoderDefinitions() : matcherDefinitions())
    if subject == .scenario {
      definitions["launch"] = .object(object(ActionShapes.launch.object))
      definitions["case"] = [
        "type": "object",
        "additionalProperties": .object(value(.scalar)),
        "propertyNames": .object(["pattern": .string(Self.variableName)]),
      ]
    }
    return definitions
  }

  private func decoderDefinitions() -> JSONObject {
    [
      "decoder": .object(object(EventShapes.decoder)),
      "request": .object(pattern(RequestPatternShape.pattern)),
    ] + matcherDefinitions()
  }

  private func matcherDefinitions() -> JSONObject {
    [
      "matcher": .object(matcher()), "valuesMatcher": .object(valuesMatcher()),
      "jsonPathMatcher": .object(matcher(RequestPatternShape.jsonPathMatcher)),
    ]
  }

  /// Everything but white space and the ASCII characters that aren't a letter, digit, `_`, `-` or `.`;
  /// not every validator knows classes as `\p{L}`.
  private static let variableName = #"^[^\s!-,/:-@\[-^`{-~]+$"#
}

extension SchemaGenerator {
  /// An object with the keys of a table and no others.
  func object(_ shape: ObjectShape) -> JSONObject {
    var schema: JSONObject = [
      "type": "object", "additionalProperties": false,
      "properties": .object(properties(shape.keys)),
    ]
    let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return schema
  }

  private func properties(_ keys: [ObjectShape.Key]) -> JSONObject {
    var properties: JSONObject = [:]
    for key in keys {
      var schema = value(key.kind)
      schema["description"] = .string(key.summary)
      properties[key.name] = .object(schema)
    }
    return properties
  }

  private func count() -> JSONObject {
    var schema = object(ScenarioShapes.count)
    schema["minProperties"] = 1
    return schema
  }

  /// An action: exactly one verb, and beside it only what belongs to it.
  private func action() -> JSONObject {
    var properties: JSONObject = [:]
    var ofVerbs: JSONObject = [:]
    for shape in ActionShapes.all {
      for property in self.properties(shape.object.keys).members
      where properties[property.key] == nil {
        properties[property.key] = property.value
      }
      ofVerbs[shape.name] = .object(verb(shape))
    }
    return [
      "type": "object", "properties": .object(properties), "additionalProperties": false,
      "oneOf": .array(ActionShapes.all.map { ["required": [.string($0.name)]] }),
      "dependentSchemas": .object(ofVerbs),
    ]
  }

  private func verb(_ shape: ActionShape) -> JSONObject {
    let names = shape.object.keys.map(\.name)
    let required = shape.object.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
    var schema: JSONObject = [
      "propertyNames": ["enum": .strings(names)], "required": .array(required),
      "properties": .object(self.properties(shape.furtherKeys)),
    ]
    if shape.verb == .app(.assertText) {
      schema["oneOf"] = .array(
        TextCondition.keys.map { ["required": [.string($0)]] })
    }
    return schema
  }
}

extension SchemaGenerator {
  /// What a table says of a value.
  private func value(_ kind: ValueKind) -> JSONObject {
    switch kind {
    case .string: return ["type": "string"]
    case .nonEmptyString: return ["type": "string", "minLength": 1]
    case .text(let form):
      return orVariable(["type": "string", "pattern": .string(form.pattern)], anywhere: true)
    case .scalar: return ["type": ["string", "number", "boolean"]]
    case .boolean: return orVariable(["type": "boolean"])
    case .integer(let range):
      return orVariable(bounded("integer", low: range.lowerBound, high: range.upperBound))
    case .number(let range):
      return orVariable([
        "type": "number", "minimum": Self.number(range.lowerBound),
        "maximum": Self.number(range.upperBound),
      ])
    case .choice(let words): return orVariable(["enum": .strings(words)])
    case .yes: return orVariable(["const": true])
    case .list(let element, let least):
      var schema: JSONObject = ["type": "array", "items": .object(value(element))]
      if least > 0 { schema["minItems"] = .integer(least) }
      if case .object("expectation") = element { schema["uniqueItems"] = true }
      return schema
    case .map(.any): return ["type": "object"]
    case .map(let element):
      return ["type": "object", "additionalProperties": .object(value(element))]
    case .object(let name): return ["$ref": .string("#/$defs/\(name)")]
    case .either(let kinds): return ["anyOf": .array(kinds.map { .object(value($0)) })]
    case .any: return [:]
    }
  }

  private func bounded(_ type: String, low: Int, high: Int) -> JSONObject {
    var schema: JSONObject = ["type": .string(type), "minimum": .integer(low)]
    if high != .max { schema["maximum"] = .integer(high) }
    return schema
  }

  private static func number(_ value: Double) -> JSONValue {
    Int(exactly: value).map(JSONValue.integer) ?? .double(value)
  }

  /// - Parameter anywhere: whether a variable may also be a part of the string.
  private func orVariable(
    _ schema: JSONObject, anywhere: Bool = false
  ) -> JSONObject {
    guard hasVariables else { return schema }
    let pattern = anywhere ? #"\$\{[^}]+\}"# : #"^\$\{[^}]+\}$"#
    return ["anyOf": [.object(schema), ["type": "string", "pattern": .string(pattern)]]]
  }
}

/// The kinds of files for which there is a JSON Schema.
package enum SchemaSubject: String, CaseIterable, Sendable {
  case scenario, steps, stubs, configuration

  package var title: String {
    switch self {
    case .scenario: "A scenario of scenario-run"
    case .steps: "Steps that scenarios of scenario-run share"
    case .stubs: "Stub mappings for scenario-run"
    case .configuration: "The configuration of scenario-run"
    }
  }

  /// The file's name where the schemas are kept beside an editor's settings.
  package var fileName: String { "\(rawValue).schema.json" }
}
