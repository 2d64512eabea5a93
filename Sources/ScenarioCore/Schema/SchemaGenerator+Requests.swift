import HarnessWire
import RequestMatching
import SourceText
import StubMappings

/// What the tables don't say: which keys exclude or need each other.
extension SchemaGenerator {
  /// A request pattern, or an expectation: one way at most to give the URL.
  func pattern(_ shape: ObjectShape) -> [String: JSONValue] {
    var schema = object(shape)
    schema["not"] = .object(twoOrMore(of: RequestPatternShape.targets))
    schema["dependentRequired"] = ["otherParameters": ["queryParameters"]]
    return schema
  }

  /// An expectation: with `bodyPatterns`, what wants a request must say its method.
  func expectation() -> [String: JSONValue] {
    var schema = pattern(ExpectationShape.shape)
    let none: JSONValue = ["anyOf": [["const": 0], ["type": "string"]]]
    let includesNone: JSONValue = [
      "anyOf": [none, ["type": "object", "properties": ["atLeast": none]]]
    ]
    schema["dependentSchemas"] = [
      "bodyPatterns": [
        "anyOf": [["required": ["method"]], ["properties": ["count": includesNone]]]
      ]
    ]
    return schema
  }

  /// A matcher: exactly one operator, and beside it only its own options.
  ///
  /// - Parameter further: operators that only some matchers have.
  func matcher(
    _ shape: ObjectShape = RequestPatternShape.matcher, further: [ObjectShape.Key] = []
  ) -> [String: JSONValue] {
    var schema = object(shape)
    schema["oneOf"] = exactlyOne(of: (RequestPatternShape.operators + further).map(\.name))
    var lists: [String: JSONValue] = [:]
    for (key, least) in RequestPatternShape.leastOperands where shape.key(key) != nil {
      lists[key] = .object(["properties": .object([key: ["minItems": .integer(least)]])])
    }
    schema["dependentSchemas"] = .object(lists)
    schema["dependentRequired"] = [
      "caseInsensitive": ["equalTo"], "ignoreArrayOrder": ["equalToJson"],
      "ignoreExtraElements": ["equalToJson"],
    ]
    return schema
  }

  /// A JSONPath with a matcher.
  func jsonPathMatcher() -> [String: JSONValue] { matcher(RequestPatternShape.jsonPathMatcher) }

  /// A matcher for all values of a name.
  func valuesMatcher() -> [String: JSONValue] {
    matcher(RequestPatternShape.valuesMatcher, further: RequestPatternShape.valuesOperators)
  }

  func mapping() -> [String: JSONValue] {
    var schema = object(StubShapes.mapping)
    schema["oneOf"] = exactlyOne(of: ["response", "responses"])
    schema["dependentRequired"] = [
      "requiredScenarioState": ["scenarioName"], "newScenarioState": ["scenarioName"],
    ]
    schema["dependentSchemas"] = ["responses": ["properties": ["responses": ["minItems": 1]]]]
    return schema
  }

  /// A response: one body at most, and none beside a failure, nor headers.
  func response() -> [String: JSONValue] {
    var schema = object(StubShapes.response)
    schema["allOf"] = .array(
      [StubShapes.bodies, StubShapes.failures].map { ["not": .object(twoOrMore(of: $0))] })
    let message = JSONValue.object([
      "not": ["anyOf": exactlyOne(of: StubShapes.bodies + ["headers"])]
    ])
    schema["dependentSchemas"] = .object(
      Dictionary(uniqueKeysWithValues: StubShapes.failures.map { ($0, message) }))
    return schema
  }

  private func exactlyOne(of names: [String]) -> JSONValue {
    .array(names.map { ["required": [.string($0)]] })
  }

  private func twoOrMore(of names: [String]) -> [String: JSONValue] {
    let pairs = names.indices.flatMap { first in
      names[(first + 1)...].map { second in
        JSONValue.object(["required": [.string(names[first]), .string(second)]])
      }
    }
    return ["anyOf": .array(pairs)]
  }
}
