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
    let written = merged(nodes.map { ($0, expectation($0)) })
    reportEqual(written)
    return written.compactMap(\.1)
  }

  private func expectation(_ node: JSONNode) -> Expectation? {
    let isOfEvents = node["event"] != nil
    let shape = isOfEvents ? EventShapes.expectation : ExpectationShape.shape
    guard let reader = ObjectReader(node, shape, diagnostics) else { return nil }
    let pattern =
      isOfEvents
      ? EventsDecoder(diagnostics: diagnostics).pattern(reader, decoders)
        .map { RequestPattern(event: $0) }
      : RequestPattern(reader, allowsRelations: true)
    var expectation = expectation(pattern, reader)
    let relations = relations(reader, expectation)
    expectation?.relations = relations
    return expectation
  }

  private func expectation(_ pattern: RequestPattern?, _ reader: ObjectReader) -> Expectation? {
    guard let (count, delivered) = counts(reader), var pattern else { return nil }
    if pattern.event == nil, pattern.method == nil, max(count.least, delivered?.least ?? 0) > 0 {
      guard pattern.bodyPatterns.isEmpty else {
        reportMissingMethod(reader)
        return nil
      }
      pattern.method = "GET"
    }
    var expectation = Expectation(pattern: pattern, count: count, location: reader.node.location)
    expectation.delivered = delivered
    return expectation
  }

  private func relations(
    _ reader: ObjectReader, _ expectation: Expectation?
  ) -> ExpectationRelations {
    func name(_ node: JSONNode?) -> ExpectationRelations.Name? {
      node.flatMap { node in
        node.stringValue.map { .init(text: $0, location: node.location) }
      }
    }
    var relations = ExpectationRelations()
    relations.name = name(reader.value("as"))
    relations.after = name(reader.value("after"))
    if expectation?.pattern.sameAsNames.isEmpty == false {
      relations.sameAs = reader.node.values(ofKey: "sameAs").compactMap(name)
    }
    relations.objects = FixtureObject(reader.value("forEach")).map { [$0] } ?? []
    if let after = relations.after, expectation?.count.most == 0 {
      diagnostics.error(
        "\"after\" says nothing of an expectation that expects no request. Remove it, or write another"
          + " \"count\".", at: after.location)
    }
    return relations
  }

  /// Equal results of one `forEach` as one expectation, which expects as many as all of them.
  private func merged(
    _ written: [(JSONNode, Expectation?)]
  ) -> [(JSONNode, Expectation?)] {
    var merged: [(JSONNode, Expectation?)] = []
    var places: [JSONValue: Int] = [:]
    for (node, expectation) in written {
      guard let expectation, !expectation.relations.objects.isEmpty else {
        merged.append((node, expectation))
        continue
      }
      let key: JSONValue = [
        .integer(expectation.location.range.lowerBound), identity(node, expectation),
      ]
      guard let place = places[key], let first = merged[place].1 else {
        places[key] = merged.count
        merged.append((node, expectation))
        continue
      }
      merged[place].1?.count = first.count + expectation.count
      if let one = first.delivered, let other = expectation.delivered {
        merged[place].1?.delivered = one + other
      }
      merged[place].1?.relations.objects += expectation.relations.objects
    }
    return merged
  }

  private func reportMissingMethod(_ reader: ObjectReader) {
    diagnostics.error(
      "An expectation with \"bodyPatterns\" must say its \"method\", since without it only GET"
        + " requests count. Write \"method\": \"POST\", or \"ANY\".",
      at: reader.member("bodyPatterns")?.keyLocation ?? reader.openingLocation)
  }

  /// One request would meet both, where their author wants two.
  private func reportEqual(_ written: [(JSONNode, Expectation?)]) {
    // Looked at closely are those alone of which another may be the same.
    let marks = written.map { mark($0.0) }
    let counts = Dictionary(marks.map { ($0, 1) }, uniquingKeysWith: +)
    var seen: [JSONValue: SourceLocation] = [:]
    for ((node, expectation), mark) in zip(written, marks) where counts[mark] != 1 {
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

  /// A text that is equal wherever `identity` is.
  private func mark(_ node: JSONNode) -> Substring {
    let text = node.objectValue?.first { Self.marks.contains($0.key) }?.value.stringValue ?? ""
    if volatile.isEmpty { return text[...] }
    return text[..<(text.utf8.firstIndex { "?#".utf8.contains($0) } ?? text.endIndex)]
  }

  private static let marks = Set(RequestPatternShape.targets + ["event"])

  /// What is equal for two expectations that ask for the same, however they are written.
  private func identity(_ node: JSONNode, _ expectation: Expectation) -> JSONValue {
    var members = JSONValue(node).object ?? [:]
    let (pattern, count) = (expectation.pattern, expectation.count)
    (members["forEach"], members["as"]) = (nil, nil)
    members["count"] = [.integer(count.least), .integer(count.most)]
    members["delivered"] = expectation.delivered.map {
      [.integer($0.least), .integer($0.most)]
    }
    members["method"] = .string(pattern.method ?? "ANY")
    if case .url(let url) = pattern.target {
      members["url"] = .string(volatile.removed(from: RequestURL(url)).text)
    }
    if let host = members["host"]?.string { members["host"] = .string(host.lowercased()) }
    return .object(members)
  }

  /// What is said of attempts, and of those that arrive; one of them has to be said.
  private func counts(_ reader: ObjectReader) -> (ExpectedCount, delivered: ExpectedCount?)? {
    guard reader.has("count") || reader.has("delivered") else {
      diagnostics.error(
        "\"count\" is missing. Write how many requests must match, or with \"delivered\" how many of them"
          + " must arrive.", at: reader.openingLocation)
      return nil
    }
    let delivered = count(reader, "delivered")
    guard reader.has("count") else { return delivered.map { (.anyNumber, $0) } }
    guard let attempts = count(reader, "count") else { return nil }
    if let delivered, attempts.most < delivered.least {
      diagnostics.error(
        "\"delivered\" expects at least \(delivered.least), but \"count\" allows only \(attempts.most): no"
          + " number of requests is accepted.",
        at: reader.member("delivered")?.keyLocation ?? reader.openingLocation)
    }
    return (attempts, delivered)
  }

  private func count(_ reader: ObjectReader, _ key: String) -> ExpectedCount? {
    guard let node = reader.value(key) else { return nil }
    if let exact = node.integerValue { return .exactly(exact) }
    guard let bounds = ObjectReader(node, ScenarioShapes.count, diagnostics) else { return nil }
    let (low, high) = (bounds.integer("atLeast"), bounds.integer("atMost"))
    if node.objectValue?.isEmpty ?? false {
      diagnostics.error(
        "\"\(key)\" says nothing. Write a whole number, or \"atLeast\", \"atMost\" or both.",
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
    return ExpectedCount(least: low ?? 0, most: high ?? .max)
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
        "How many requests must match: a whole number, or {\"atLeast\": n, \"atMost\": m}."),
      .init(
        "delivered", .either([.wholeNumber, .object("count")]),
        "How many of them must arrive: be answered with a status below 400, or be lost on the way back."
      ),
    ] + relationKeys

  static let relationKeys: [ObjectShape.Key] = [
    .init(
      "forEach", .text(TextForms.fixturePath),
      "A fixture and a JSONPath in it, as \"KEY#$.items[*]\": one expectation for each object found, whose members are variables."
    ),
    .init("as", .nonEmptyString, "A name by which other expectations refer to this one."),
    .init(
      "after", .nonEmptyString,
      "Each request that is counted here has an earlier one that the expectation of this name counts."
    ),
  ]

  private static let misplacedKeys = RequestPatternShape.misplacedKeys.merging(
    ObjectShape.misplaced(
      (["atLeast"], "belongs in \"count\": {\"atLeast\": …}."),
      (["atMost"], "belongs in \"count\": {\"atMost\": …}."),
      (ScenarioShapes.belongsInScenario, "belongs in the scenario, not in an expectation."),
      (ActionShapes.allKeys, "belongs in an action, not in an expectation."))
  ) { first, _ in first }
}
