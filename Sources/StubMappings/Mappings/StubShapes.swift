import RequestMatching
import SourceText

/// The tables of the keys of stub mappings.
package enum StubShapes {
  package static let file = ObjectShape(
    "a file of stub mappings",
    keys: [
      .init("mappings", .list(.object("mapping")), "The stubs.", required: true),
      .init("$schema", .string, "The schema, for editors."),
      .init("meta", .map(.any), "What WireMock's list of mappings says about itself; unused."),
    ],
    misplacedKeys: ["importOptions": unsupported])

  package static let mapping = ObjectShape(
    "a stub mapping",
    keys: [
      .init(
        "request", .object("request"), "What a request must look like; {} is any.",
        required: true),
      .init("response", .object("response"), "What answers each such request."),
      .init(
        "responses", .list(.object("response"), least: 1),
        "What answers the first, the second, … such request; the last one answers the rest."),
      .init(
        "priority", .integer(1...Int.max),
        "1 comes first, 5 if absent; of equal ones the later comes first."),
      .init("scenarioName", .nonEmptyString, "The state machine that the stub belongs to."),
      .init(
        "requiredScenarioState", .nonEmptyString,
        "The state in which the stub answers; each machine begins in \"Started\"."),
      .init("newScenarioState", .nonEmptyString, "The state after the stub has answered."),
      .init("$schema", .string, "The schema, for editors."),
    ] + bookkeeping,
    misplacedKeys: [
      "postServeActions": unsupported, "serveEventListeners": unsupported, "status": inResponse,
      "body": inResponse, "jsonBody": inResponse, "headers": inEither, "url": inRequest,
      "urlPattern": inRequest, "urlPath": inRequest, "urlPathPattern": inRequest,
      "method": inRequest,
    ])

  /// What WireMock writes into every mapping that it saves; it says nothing about answers.
  private static let bookkeeping: [ObjectShape.Key] = [
    .init("id", .string, "WireMock's own; unused."),
    .init("uuid", .string, "WireMock's own; unused."),
    .init("name", .string, "A name, for people."),
    .init("persistent", .boolean, "WireMock's own; unused."),
    .init("insertionIndex", .integer(Int.min...Int.max), "WireMock's own; unused."),
    .init("metadata", .map(.any), "Anything, for people."),
  ]

  package static let response = ObjectShape(
    "a stub's response",
    keys: [
      .init("status", .integer(200...599), "The status; 200 if absent."),
      .init(
        "headers", .map(.either([.string, .list(.string)])),
        "Headers; a list where one comes more than once."),
      .init("body", .string, "The body as text."),
      .init("jsonBody", .any, "The body as JSON."),
      .init("base64Body", .string, "The body in Base64."),
      .init("bodyFileName", .nonEmptyString, "The body: a file under the fixtures folder."),
      .init(
        "fixedDelayMilliseconds", .integer(0...Int(Int32.max)),
        "How long the answer takes, on the app's clock."),
      .init(
        "fault", .choice(StubFault.self), "How the connection breaks instead."),
      .init(
        "urlError", .choice(URLErrorName.names), "The URLError that the app gets instead."),
    ],
    misplacedKeys: [
      "statusMessage": "is WireMock's, but URLSession shows no app a status message: remove it.",
      "delayDistribution": unsupported + " Use \"fixedDelayMilliseconds\".",
      "chunkedDribbleDelay": unsupported + " Use \"fixedDelayMilliseconds\".",
      "proxyBaseUrl": unsupported + " Nothing ever reaches the network.",
      "proxyUrlPrefixToRemove": unsupported, "additionalProxyRequestHeaders": unsupported,
      "removeProxyRequestHeaders": unsupported, "transformers": unsupported,
      "transformerParameters": unsupported, "fromConfiguredStub": unsupported,
      "gzipDisabled": unsupported, "fixedDelay": "is written as \"fixedDelayMilliseconds\".",
      "base64body": "is written as \"base64Body\".",
    ])

  /// The ways to give a body, of which a response has one at most.
  package static let bodies = ["body", "jsonBody", "base64Body", "bodyFileName"]

  /// The ways to fail, of which a response has one at most.
  package static let failures = ["fault", "urlError"]

  private static let unsupported = "is WireMock's, but not supported here."
  private static let inRequest = "belongs in the mapping's \"request\"."
  private static let inResponse = "belongs in the mapping's \"response\"."
  private static let inEither = "belongs in the mapping's \"request\" or \"response\"."
}
