import SourceText

/// The tables of the keys of stub mappings.
package enum StubShapes {
  package static let mappings = ObjectShape(
    "a file of stub mappings",
    keys: [
      .init("$schema", .string, "The JSON Schema that an editor checks this file by."),
      .init(
        "mappings", .list(.object("mapping")), "The mappings; among equals the later one wins.",
        required: true),
      .init("meta", .any, "WireMock's own count of the mappings; it means nothing here."),
    ],
    strangers: unsupported(["importOptions"]))

  package static let mapping = ObjectShape(
    "a stub mapping",
    keys: [
      .init("$schema", .string, "The JSON Schema that an editor checks this file by."),
      .init("request", .object("request"), "Which requests are answered.", required: true),
      .init("response", .object("response"), "What answers them."),
      .init(
        "responses", .list(.object("response")),
        "What answers them, in order; the last one again and again."),
      .init("priority", .integer(1...Int.max), "1 comes first; 5 where absent."),
      .init(
        "scenarioName", .nonEmptyString, "The sequence of states that this mapping is part of."),
      .init(
        "requiredScenarioState", .nonEmptyString,
        "The state in which it answers; the first one is \"Started\"."),
      .init("newScenarioState", .nonEmptyString, "The state after it has answered."),
    ] + bookkeeping,
    strangers: unsupported(["postServeActions", "serveEventListeners", "insertionIndex"]))

  package static let response = ObjectShape(
    "a stub's response",
    keys: [
      .init("status", .integer(100...599), "The HTTP status; 200 where absent."),
      .init(
        "headers", .map(.either([.string, .list(.string)])),
        "The headers; a list is a header that comes several times."),
      .init("body", .string, "The body as text."),
      .init("jsonBody", .any, "The body as JSON."),
      .init("base64Body", .string, "The body's bytes, in base64."),
      .init("bodyFileName", .nonEmptyString, "A file under the fixtures folder that is the body."),
      .init(
        "fixedDelayMilliseconds", .integer(0...86_400_000),
        "How long the answer takes, on the app's clock."),
      .init(
        "fault", .choice(Fault.allCases.map(\.rawValue)), "What goes wrong with the connection."),
      .init(
        "urlError", .choice(URLErrorName.allCases.map(\.rawValue)),
        "The URLError that the app gets, by the name of its code."),
    ],
    strangers: unsupported([
      "statusMessage", "proxyBaseUrl", "additionalProxyRequestHeaders", "proxyUrlPrefixToRemove",
      "transformers", "transformerParameters", "delayDistribution", "chunkedDribbleDelay",
      "fromConfiguredStub",
    ]))

  /// The ways to give a body, of which a response has one at most.
  static let bodies = ["body", "jsonBody", "base64Body", "bodyFileName"]

  /// What WireMock writes into every mapping, and what changes no answer.
  private static let bookkeeping: [ObjectShape.Key] = [
    .init("id", .string, "WireMock's own identifier; it means nothing here."),
    .init("uuid", .string, "WireMock's own identifier; it means nothing here."),
    .init("name", .string, "A name for people."),
    .init("persistent", .boolean, "WireMock's own; it means nothing here."),
    .init("metadata", .any, "Notes for people."),
  ]

  private static func unsupported(_ keys: [String]) -> [String: String] {
    Dictionary(uniqueKeysWithValues: keys.map { ($0, "is WireMock's, but not supported here.") })
  }
}
