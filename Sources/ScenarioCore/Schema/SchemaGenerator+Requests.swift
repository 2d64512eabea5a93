import HarnessProtocol
import JSON
import RequestMatching
import SourceText
import StubMappings

/// What the tables don't say: which keys exclude or need each other.
extension SchemaGenerator {
  /// A request pattern, or an expectation: one way at most to give the URL.
  func pattern(_ shape: ObjectShape) -> JSONObject {
    var schema = object(shape)
    schema["not"] = .object(twoOrMore(of: RequestPatternShape.targets))
    schema["dependentRequired"] = ["otherParameters": ["queryParameters"]]
    return schema
  }

  /// An expectation: with `bodyPatterns`, one that expects a request must say its method.
  func expectation() -> JSONObject {
    var schema = pattern(ExpectationShape.shape)
    let none: JSONValue = ["anyOf": [["const": 0], ["type": "string"]]]
    let includesNone: JSONValue = [
      "anyOf": [none, ["type": "object", "properties": ["atLeast": none]]]
    ]
    schema["dependentSchemas"] = [
      "bodyPatterns": [
        "anyOf": [
          ["required": ["method"]],
          ["properties": ["count": includesNone, "delivered": includesNone]],
        ]
      ]
    ]
    schema["anyOf"] = Self.counts
    return schema
  }

  /// What an expectation has to say at least.
  private static let counts: JSONValue = [["required": ["count"]], ["required": ["delivered"]]]

  /// An expectation of an event: what `where` asks for is a literal, or an object that is a matcher.
  func eventExpectation() -> JSONObject {
    var schema = object(EventShapes.expectation)
    var properties = schema["properties"]?.object ?? [:]
    var conditions = properties["where"]?.object ?? [:]
    conditions["additionalProperties"] = [
      "if": ["type": "object"], "then": ["$ref": "#/$defs/matcher"],
    ]
    properties["where"] = .object(conditions)
    schema["properties"] = .object(properties)
    schema["anyOf"] = Self.counts
    return schema
  }

  /// A matcher: exactly one operator, and beside it only its own options.
  ///
  /// - Parameter further: operators that only some matchers have.
  func matcher(
    _ shape: ObjectShape = RequestPatternShape.matcher, further: [ObjectShape.Key] = []
  ) -> JSONObject {
    // Stubs and decoders have no other expectations to refer to.
    let excluded: Set = subject == .scenario || subject == .steps ? [] : ["sameAs"]
    var schema = object(shape.without(excluded))
    schema["oneOf"] = exactlyOne(
      of: (RequestPatternShape.operators + further).map(\.name).filter { !excluded.contains($0) })
    schema["dependentRequired"] = [
      "caseInsensitive": ["equalTo"], "ignoreArrayOrder": ["equalToJson"],
      "ignoreExtraElements": ["equalToJson"],
    ]
    return schema
  }

  /// A matcher for all values of a name.
  func valuesMatcher() -> JSONObject {
    matcher(RequestPatternShape.valuesMatcher, further: RequestPatternShape.valuesOperators)
  }

  func mapping() -> JSONObject {
    var schema = object(StubShapes.mapping)
    schema["oneOf"] = exactlyOne(of: ["response", "responses"])
    schema["dependentRequired"] = [
      "requiredScenarioState": ["scenarioName"], "newScenarioState": ["scenarioName"],
    ]
    return schema
  }

  /// A response: one body at most, and none beside a failure, nor headers.
  func response() -> JSONObject {
    var schema = object(StubShapes.response)
    schema["allOf"] = .array(
      [StubShapes.bodies, StubShapes.failures].map { ["not": .object(twoOrMore(of: $0))] })
    let message = JSONValue.object([
      "not": ["anyOf": exactlyOne(of: StubShapes.bodies + ["headers"])]
    ])
    schema["dependentSchemas"] = .object(
      JSONObject(StubShapes.failures.map { ($0, message) }))
    return schema
  }

  private func exactlyOne(of names: [String]) -> JSONValue {
    .array(names.map { ["required": [.string($0)]] })
  }

  private func twoOrMore(of names: [String]) -> JSONObject {
    let pairs = names.indices.flatMap { first in
      names[(first + 1)...].map { second in
        JSONValue.object(["required": [.string(names[first]), .string(second)]])
      }
    }
    return ["anyOf": .array(pairs)]
  }
}
