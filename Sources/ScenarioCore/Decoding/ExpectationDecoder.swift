import HarnessProtocol
import JSON
import RequestMatching
import SourceText

/// Reads expectations.
struct ExpectationDecoder {
  let diagnostics: DiagnosticCollector
  /// Parameters that make no difference between two expectations.
  let volatile: VolatileParameters
  /// `nil` where nobody knows them.
  var decoders: [EventDecoder]?

  /// - Parameter nodes: the entries of one list; `nil` gives `nil`.
  func expectations(_ nodes: [JSONNode]?) -> [Expectation]? {
    guard let nodes else { return nil }
    let expectations = nodes.map(expectation)
    reportEqual(zip(nodes, expectations))
    return expectations.compactMap(\.self)
  }

  private func expectation(_ node: JSONNode) -> Expectation? {
    if node["event"] != nil { return eventExpectation(node) }
    guard let reader = ObjectReader(node, ExpectationShape.shape, diagnostics) else { return nil }
    let pattern = RequestPattern(reader)
    guard let count = count(reader), var pattern else { return nil }
    if pattern.method == nil, count.least > 0 {
      guard pattern.bodyPatterns.isEmpty else {
        reportMissingMethod(reader)
        return nil
      }
      pattern.method = "GET"
    }
    return Expectation(pattern: pattern, count: count, location: node.location)
  }

  private func eventExpectation(_ node: JSONNode) -> Expectation? {
    guard let reader = ObjectReader(node, EventShapes.expectation, diagnostics) else { return nil }
    let pattern = EventsDecoder(diagnostics: diagnostics).pattern(reader, decoders)
    guard let count = count(reader), let pattern else { return nil }
    return Expectation(
      pattern: RequestPattern(event: pattern), count: count, location: node.location)
  }

  private func reportMissingMethod(_ reader: ObjectReader) {
    diagnostics.error(
      "An expectation with \"bodyPatterns\" must say its \"method\", since without it only GET"
        + " requests count. Write \"method\": \"POST\", or \"ANY\".",
      at: reader.member("bodyPatterns")?.keyLocation ?? reader.openingLocation)
  }

  /// One request would meet both, where their author wants two.
  private func reportEqual(_ written: some Sequence<(JSONNode, Expectation?)>) {
    var seen: [JSONValue: SourceLocation] = [:]
    for (node, expectation) in written {
      guard let expectation else { continue }
      let identity = identity(node, expectation)
      if let first = seen[identity] {
        diagnostics.error(
          "The same expectation is in this list twice, so that one request would count for both."
            + " Keep one of them, and write its \"count\".", at: node.location,
          notes: [.init("The first one is here.", at: first)])
      } else {
        seen[identity] = node.location
      }
    }
  }

  /// What is equal for two expectations that ask for the same, however they are written.
  private func identity(_ node: JSONNode, _ expectation: Expectation) -> JSONValue {
    var members = JSONValue(node).object ?? [:]
    let (pattern, count) = (expectation.pattern, expectation.count)
    members["count"] = [.integer(count.least), .integer(count.most)]
    members["method"] = .string(pattern.method ?? "ANY")
    if case .url(let url) = pattern.target {
      members["url"] = .string(volatile.removed(from: RequestURL(url)).text)
    }
    if let host = members["host"]?.string { members["host"] = .string(host.lowercased()) }
    return .object(members)
  }

  private func count(_ reader: ObjectReader) -> ExpectedCount? {
    guard let node = reader.value("count") else { return nil }
    if let exact = node.integerValue { return .exactly(exact) }
    guard let bounds = ObjectReader(node, ScenarioShapes.count, diagnostics) else { return nil }
    let (low, high) = (bounds.integer("atLeast"), bounds.integer("atMost"))
    if node.objectValue?.isEmpty ?? false {
      diagnostics.error(
        "\"count\" says nothing. Write a whole number, or \"atLeast\", \"atMost\" or both.",
        at: node.location)
      return nil
    }
    if let low, let high, low > high {
      diagnostics.error(
        "\"atLeast\" is \(low), but \"atMost\" only \(high): no count is accepted.",
        at: node.location)
      return nil
    }
    guard low != nil || high != nil else { return nil }
    return .between(atLeast: low, atMost: high)
  }
}

/// The table of the keys of an expectation: a request pattern's, and `count`.
package enum ExpectationShape {
  package static let shape: ObjectShape = .init(
    "an expectation", keys: keys, misplacedKeys: misplacedKeys)

  static let keys: [ObjectShape.Key] =
    RequestPatternShape.keys + [
      .init(
        "count", .either([.wholeNumber, .object("count")]),
        "How many requests must match: a whole number, or {\"atLeast\": n, \"atMost\": m}.",
        required: true)
    ]

  private static let misplacedKeys: [String: String] = {
    var misplacedKeys = RequestPatternShape.misplacedKeys
    for key in ["atLeast", "atMost"] {
      misplacedKeys[key] = "belongs in \"count\": {\"\(key)\": …}."
    }
    let ofScenarios = ScenarioShapes.belongsInScenario.map {
      ($0, "belongs in the scenario, not in an expectation.")
    }
    let ofActions = ActionShapes.allKeys.map {
      ($0, "belongs in an action, not in an expectation.")
    }
    return misplacedKeys.merging(ofScenarios + ofActions) { first, _ in first }
  }()
}
