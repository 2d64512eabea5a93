import JSON
import RequestMatching
import SourceText

/// The tables of the keys that speak of events.
package enum EventShapes {
  package static let decoder = ObjectShape(
    "a decoder",
    keys: [
      .init("request", .object("request"), "Which requests it looks at.", required: true),
      .init(
        "each", .nonEmptyString,
        "A JSONPath to the events in the request; the request is one event where absent."),
      .init(
        "name", .nonEmptyString, "A JSONPath from an event to its name.", required: true),
      .init(
        "id", .nonEmptyString,
        "A JSONPath to its id, by which an event that is sent again is known."),
      .init(
        "time", .nonEmptyString,
        "A JSONPath to when it was tracked: ISO 8601, or seconds or milliseconds since 1970."),
      .init(
        "ignore", .list(.nonEmptyString),
        "JSONPaths to members that make no difference between two events."),
      .init(
        "base64", .list(.nonEmptyString),
        "Names of members of the request that hold JSON in Base64."),
    ])

  package static let decoders = ValueKind.map(.either([.yes, .object("decoder")]))

  static let decodersSummary =
    "What finds analytics events in requests: the name of a built-in decoder with true, or one of your own."

  package static let expectation = ObjectShape(
    "an expectation of an event",
    keys: [
      .init("event", .nonEmptyString, "The event's name.", required: true),
      .init("in", .nonEmptyString, "The decoder that finds it; any where absent."),
      .init(
        "where", .map(.any),
        "JSONPaths into the event, without \"$.\", each with a literal or a matcher."),
    ] + ExpectationShape.keys.filter { ["count", "delivered"].contains($0.name) }
      + ExpectationShape.relationKeys,
    misplacedKeys: ObjectShape.misplaced(
      (
        RequestPatternShape.keys.map(\.name),
        "belongs in an expectation of requests, which has no \"event\"."
      )))
}

/// Reads what speaks of events.
struct EventsDecoder {
  let diagnostics: DiagnosticCollector

  /// The entries of `decoders`; what is wrong is reported.
  ///
  /// - Parameter others: those of the configuration, which entries of the same name replace.
  func decoders(_ reader: ObjectReader, adding others: [EventDecoder] = []) -> [EventDecoder] {
    let own = decoders(reader)
    return others.filter { other in !own.contains { $0.name == other.name } } + own
  }

  private func decoders(_ reader: ObjectReader) -> [EventDecoder] {
    (reader.members("decoders") ?? []).compactMap { member in
      var decoder = member.value.boolValue == nil ? own(member) : builtIn(member)
      decoder?.location = member.keyLocation
      return decoder
    }
  }

  private func builtIn(_ member: JSONMember) -> EventDecoder? {
    if let decoder = EventDecoder.builtIn(member.key) { return decoder }
    diagnostics.error(
      "No decoder \"\(member.key)\" is built in. There are "
        + EventDecoder.builtInNames.map { "\"\($0)\"" }.joined(separator: ", ")
        + "; any other needs an object.",
      at: member.keyLocation,
      suggestions: Suggestions.closest(to: member.key, among: EventDecoder.builtInNames))
    return nil
  }

  private func own(_ member: JSONMember) -> EventDecoder? {
    guard let reader = ObjectReader(member.value, EventShapes.decoder, diagnostics) else {
      return nil
    }
    let request = reader.object("request", RequestPatternShape.pattern).flatMap {
      RequestPattern($0)
    }
    guard let request, let name = path("name", reader) else { return nil }
    var layout = EventLayout(name: [name])
    if let each = path("each", reader) { layout.events = .path(each) }
    layout.id = path("id", reader)
    layout.time = path("time", reader).map { [$0] } ?? []
    layout.base64 = Set(reader.strings("base64") ?? [])
    layout.ignored = (reader.list("ignore") ?? []).compactMap(ignored)
    return EventDecoder(name: member.key, request: request, layout: layout)
  }

  private func path(_ key: String, _ reader: ObjectReader) -> JSONPath? {
    reader.value(key).flatMap { matchers.path($0) }
  }

  private func ignored(_ node: JSONNode) -> JSONPath? {
    guard let path = matchers.path(node) else { return nil }
    if path.names == nil {
      diagnostics.error(
        "\"\(path.text)\" isn't a path of names alone, as \"$.context.locale\": only members can be ignored.",
        at: node.location)
    }
    return path
  }

  private var matchers: MatcherDecoder {
    MatcherDecoder(diagnostics: diagnostics, allowsRelations: true)
  }

  // MARK: - Expectations

  /// - Parameter decoders: those that the scenario has; `nil` where nobody knows.
  /// - Returns: `nil` where it is wrong, which is reported.
  func pattern(_ reader: ObjectReader, _ decoders: [EventDecoder]?) -> EventPattern? {
    guard let name = reader.string("event") else { return nil }
    if let decoders, !check(reader, decoders) { return nil }
    return (reader.members("where") ?? []).allMapped(condition).map {
      EventPattern(name: name, decoder: reader.string("in"), conditions: $0)
    }
  }

  /// Without a decoder no request has events.
  private func check(_ reader: ObjectReader, _ decoders: [EventDecoder]) -> Bool {
    let names = decoders.map(\.name)
    if names.isEmpty {
      diagnostics.error(
        "No decoder finds events: name one under \"decoders\", in the scenario or in .scenario-run.json.",
        at: reader.member("event")?.keyLocation ?? reader.openingLocation)
      return false
    }
    guard let node = reader.value("in"), let name = node.stringValue, !names.contains(name) else {
      return true
    }
    diagnostics.error(
      "The scenario has no decoder \"\(name)\". It has "
        + names.map { "\"\($0)\"" }.joined(separator: ", ") + ".",
      at: node.location, suggestions: Suggestions.closest(to: name, among: names))
    return false
  }

  private func condition(_ member: JSONMember) -> EventPattern.Condition? {
    let path: JSONPath
    do throws(JSONPathError) {
      path = try EventPattern.path(member.key)
    } catch {
      diagnostics.error(
        "\"\(member.key)\" isn't a JSONPath: \(error.message)", at: member.keyLocation)
      return nil
    }
    let matcher =
      member.value.objectValue == nil
      ? .equalToJson(
        WantedJSON(exactly: JSONValue(member.value)),
        JSONComparison(ignoreArrayOrder: false, ignoreExtraElements: false))
      : matchers.matcher(member.value)
    return matcher.map { .init(key: member.key, path: path, matcher: $0) }
  }
}
